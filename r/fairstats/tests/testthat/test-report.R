test_that("an audit and a fit become a report that escapes what data say", {
  skip_without_python()
  df <- transform(people, sex = ifelse(sex == "male", "<b>m</b>", "f"))
  a <- fair_audit(df, decision = "yhat", groups = "sex")
  fit <- og(~ age + priors, groups = "sex", k = 1, data = df)
  html <- withr_tempfile(".html")
  json <- withr_tempfile(".json")
  expect_identical(basename(fair_report(a, fit, to = c(html, json))), basename(c(html, json)))
  text <- paste(readLines(html, warn = FALSE), collapse = "\n")
  expect_match(text, "&lt;b&gt;m&lt;/b&gt;", fixed = TRUE)
  expect_false(grepl("<b>m</b>", text, fixed = TRUE))
  expect_gt(length(jsonlite::fromJSON(json, simplifyVector = FALSE)), 0)
})

test_that("what is no result is refused, and no file appears", {
  skip_without_python()
  file <- tempfile(fileext = ".html")
  expect_error(fair_report(1, to = file), "class numeric")
  expect_error(fair_report(fair_audit(people, decision = "yhat", groups = "sex"), to = "a.doc"),
    "'a.doc'; a report is written as .*\\.docx")
  expect_false(file.exists(file))
})

test_that("a PDF is written", {
  skip_without_python()
  file <- withr_tempfile(".pdf")
  fair_report(fair_audit(people, decision = "yhat", groups = "sex"), to = file)
  expect_identical(readBin(file, "character", 1L, 4L) |> substr(1, 4), "%PDF")
})

test_that("text and a Word file are written, with the numbers of the audit", {
  skip_without_python()
  skip_if_not(reticulate::py_module_available("docx"), "python-docx is not installed")
  folder <- withr_tempfile()
  dir.create(folder)
  to <- file.path(folder, c("audit.md", "audit.docx"))
  a <- fair_audit(people, decision = "yhat", groups = c("sex", "group"))
  expect_identical(fair_report(a, to = to), to)
  text <- readLines(to[[1L]], encoding = "UTF-8", warn = FALSE)
  rate <- sprintf("%.1f%%", 100 * mean(people$yhat[people$sex == "male"]))
  plain <- function(text) gsub("[\u00a0\u202f]", " ", paste(text, collapse = " "))
  expect_match(plain(text), rate, fixed = TRUE)
  linked <- unlist(regmatches(text, gregexpr("audit_files/[^)]+[.]png", text)))
  expect_gt(length(linked), 0)
  expect_true(all(file.exists(file.path(folder, linked))))
  inside <- withr_tempfile()
  utils::unzip(to[[2L]], "word/document.xml", exdir = inside)
  document <- readLines(file.path(inside, "word", "document.xml"), encoding = "UTF-8", warn = FALSE)
  expect_match(plain(document), rate, fixed = TRUE)
})

test_that("the sources of the methods are written as BibTeX, and summaries have the names of groups", {
  skip_without_python()
  labels <- list(groups = list(sex = c(female = "Women of the sample", male = "Men of the sample")))
  a <- fair_audit(people, decision = "yhat", groups = "sex", labels = labels)
  file <- withr_tempfile(".bib")
  fair_report(a, to = file)
  expect_match(paste(readLines(file), collapse = "\n"), "@article{wilson1927probable,", fixed = TRUE)
  text <- paste(capture.output(print(summary(a))), collapse = "\n")
  expect_match(text, "difference from (Wom|M)en of the sample in points")
})

test_that("a preset makes page one from R, and one that there is not is refused", {
  skip_without_python()
  a <- fair_audit(people, decision = "yhat", groups = "sex")
  fit <- og(~ age + priors, groups = "sex", k = 1, data = people)
  html <- withr_tempfile(".html")
  page_of <- function(x, preset) {
    fair_report(x, to = html, preset = preset)
    paste(readLines(html, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  }
  # the table of impact ratios and its rule stand on page one, or nowhere
  cites <- function(preset) grepl("rule of four fifths (29 CFR", page_of(a, preset), fixed = TRUE)
  expect_identical(c(cites("four_fifths"), cites("generic")), c(TRUE, FALSE))
  expect_true(grepl("gave the new numbers the same average in every group of ", page_of(fit, "method"), fixed = TRUE))
  expect_error(page_of(a, "five_fifths"), "five_fifths")
})

test_that("a report says how R's user ran the analysis", {
  skip_without_python()
  mine <- people
  path <- withr_tempfile(".json")
  fair_report(fair_audit(mine, decision = "yhat", groups = c("sex", "group"), conf_level = 0.9), to = path)
  audit <- jsonlite::fromJSON(path, simplifyVector = FALSE)$audit
  call <- "fair_audit(data = mine, decision = \"yhat\", groups = c(\"sex\", \"group\"), conf_level = 0.9)"
  expect_identical(audit$provenance$call, call)
  expect_identical(audit$provenance$versions$R, paste(R.version$major, R.version$minor, sep = "."))
  expect_identical(audit$provenance$versions$`fairstats in R`, as.character(packageVersion("fairstats")))
  expect_identical(audit$data$name, "the data frame mine")
  again <- eval(str2lang(audit$provenance$call))
  expect_identical(tidy(again), tidy(fair_audit(mine, decision = "yhat", groups = c("sex", "group"), conf_level = 0.9)))
  expect_true(fair_verify_report(path, mine)$ok)
})

test_that("a report from R names R's functions, on pages and in knitted ones, and is made again where it is verified", {
  skip_without_python()
  path <- withr_tempfile(".md")
  fit <- og(~ hp + wt, groups = "am", k = 1, data = mtcars)
  fair_report(fit, to = path)
  text <- paste(readLines(path, warn = FALSE), collapse = " ")
  expect_match(text, "still tell `am`: `fair_leakage()`", fixed = TRUE)
  expect_match(text, "`fair_audit()`", fixed = TRUE)
  for (form in c("notebook", "notebook_markdown")) { # of pages, and of documents of Word and GitHub
    knitted <- gsub("\\", "", fs_call(form, objects = list(result = python_object(fit, "x"))), fixed = TRUE)
    expect_match(knitted, "fair_leakage() measures them", fixed = TRUE)
    expect_no_match(paste(text, knitted), "fairstats[.][a-z]")
  }
  page <- withr_tempfile(".html")
  fair_report(fair_proxies(mtcars, groups = "am", features = c("hp", "wt")), to = page)
  expect_match(paste(readLines(page, warn = FALSE), collapse = " "), "they tell: <code>fair_leakage()</code>", fixed = TRUE)
  # whoever verifies it has the words of its results
  cars <- transform(mtcars, old = as.integer(mpg > 20), new = as.integer(wt < 3))
  fair_report(fair_compare_models(cars, c("old", "new"), "am", outcome = "vs"), to = page)
  expect_true(fair_verify_report(page, cars)$ok)
})

test_that("a title that is no text is refused in R's labels", {
  expect_error(fair_report(1, to = "a.html", title = NA), "^title is of class logical", class = "fairstats_input_error")
  expect_error(fair_report(1, to = "a.html", auditor = c("a", "b")), "^auditor is of class character and length 2")
})

test_that("calls and settings in a report of R are R's", {
  skip_without_python()
  x <- people[c("age", "priors", "income")]
  fit <- minimax_pca(x, people$sex, k = 1, scale = TRUE)
  leak <- fair_leakage(fit, x, people$sex, permutations = 9)
  proxies <- fair_proxies(people, "sex")
  to <- file.path(tempdir(), "settings.md")
  fair_report(fit, leak, proxies, to = to)
  written <- gsub("\\", "", paste(readLines(to, encoding = "UTF-8"), collapse = "\n"), fixed = TRUE)
  expect_match(written, "scale = TRUE, center_by = group, .* max_iter = NULL")
  expect_match(written, "| Call | fair_leakage(fit = fit, x = x, groups = people$sex, permutations = 9) |", fixed = TRUE)
  expect_match(written, "fair_audit(people, decision = ", fixed = TRUE)
  expect_no_match(written, "= True|= None|fairstats\\.[a-z_]+\\(|the data frame people,")
  costs <- fair_tradeoff(x, people$sex, c("pca", "og"), k = 1, scale = TRUE)
  expect_output(print(costs), "Settings of all methods: scale = TRUE.", fixed = TRUE)
  # values that tell the groups: what the scores tell is then a question of its own
  stairs <- data.frame(a = people$age + 7 * (people$sex == "male"), b = people$priors, c = people$income)
  recognized <- fair_leakage(og(stairs, people$sex, k = 2), stairs, people$sex, permutations = 9)
  fair_report(costs, recognized, to = to, overwrite = TRUE)
  written <- paste(readLines(to, encoding = "UTF-8"), collapse = "\n")
  expect_match(written, "scale = TRUE", fixed = TRUE)
  expect_no_match(written, "scale=|fairstats\\.[a-z_]+\\(")
})

test_that("studies of fits say the call of R and its version", {
  skip_without_python()
  people <- data.frame(sex = rep(c("f", "m"), 40), a = sin(1:80), b = cos((1:80)^2))
  fit <- og(people[c("a", "b")], people$sex, k = 1)
  found <- list(
    fair_tradeoff(c("a", "b"), "sex", c("pca", "og"), k = 1, data = people),
    fair_price_of_fairness(fit, people[c("a", "b")], people$sex),
    fair_select_k(c("a", "b"), "sex", "og", data = people, permutations = 0)
  )
  names <- c("fair_tradeoff", "fair_price_of_fairness", "fair_select_k")
  for (i in seq_along(found)) {
    to <- tempfile(fileext = ".md")
    fair_report(found[[i]], to = to)
    written <- readLines(to)
    expect_match(written, paste0("| Call | ", names[[i]], "("), fixed = TRUE, all = FALSE)
    expect_match(written, "| Versions | R ", fixed = TRUE, all = FALSE)
  }
})
