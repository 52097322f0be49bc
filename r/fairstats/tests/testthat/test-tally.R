set.seed(11)
n <- 400
applicants <- data.frame(
  sex = sample(c("f", "m", NA), n, TRUE, c(0.5, 0.45, 0.05)), dept = sample(c("x", "y"), n, TRUE),
  hired = rbinom(n, 1, 0.4), good = sample(c(TRUE, FALSE), n, TRUE), score = sample(1:9, n, TRUE) / 3,
  w = ifelse(runif(n) < 0.1, 0, rexp(n)), court = sample(1:12, n, TRUE)
)
applicants$hired[3:9] <- NA

in_sqlite <- function(frame = applicants) {
  for (package in c("dbplyr", "RSQLite")) skip_if_not_installed(package)
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  DBI::dbWriteTable(connection, "applicants", frame)
  connection
}

numbers <- function(audit) {
  tidy(audit, role = "all")[c("term", "estimate", "std.error", "p.value", "conf.low", "conf.high", "verdict")]
}

test_that("a tally of a data frame is audited as the data frame is, and knows its columns", {
  skip_without_python()
  tally <- fair_tally(applicants, decision = "hired", groups = "sex", strata = "dept")
  expect_s3_class(tally, "fairstats_tally")
  expect_equal(sum(tidy(tally)$.rows), n)
  expect_output(print(tally), "Tally of 400 rows")
  whole <- fair_audit(applicants, decision = "hired", groups = "sex", strata = "dept")
  expect_equal(numbers(fair_audit(tally)), numbers(whole), tolerance = 1e-12)
  halves <- fair_tally(applicants[1:150, ], decision = "hired", groups = "sex", strata = "dept") +
    fair_tally(applicants[151:n, ], decision = "hired", groups = "sex", strata = "dept")
  expect_equal(numbers(fair_audit(halves)), numbers(whole), tolerance = 1e-12)
  expect_match(fair_audit(tally)$summary, "the tally tally")
  expect_equal(glance(tally)$nobs, n)
})

test_that("a table of a database gives the audit of its rows, which stay there", {
  skip_without_python()
  connection <- in_sqlite()
  on.exit(DBI::dbDisconnect(connection))
  lazy <- dplyr::tbl(connection, "applicants")
  designs <- list(
    list(strata = "dept"), list(weights = "w", weight_type = "probability", clusters = "court"), list(score = "score")
  )
  for (design in designs) {
    arguments <- c(list(decision = "hired", groups = "sex"), design)
    there <- do.call(fair_audit, c(list(lazy), arguments))
    here <- do.call(fair_audit, c(list(applicants), arguments))
    expect_equal(numbers(there), numbers(here), tolerance = 1e-10)
  }
  expect_match(there$summary, "the database table applicants", fixed = TRUE)
  # what needs the rows says how to get them
  needs_rows <- expression(
    fair_stages(lazy, "hired", "sex"), fair_pay_transparency(lazy, pay = "score", groups = "sex"),
    fair_gender_pay_gap(lazy, pay = "score", groups = "sex"), fair_matched_pairs(lazy, "hired", "sex", block = "race"),
    fair_representation(lazy, "sex", benchmark = c(female = 0.5, male = 0.5)),
    fair_compare_models(lazy, models = c(one = "hired", two = "good"), groups = "sex", outcome = "good"),
    fair_alternatives(lazy, candidates = c(one = "hired", two = "good"), groups = "sex", outcome = "good"),
    fair_group_probabilities(lazy, "hired", groups = c(a = "score", b = "good")),
    fair_from_counts(lazy, "sex", selected = "hired", total = "good")
  )
  for (call in needs_rows) {
    expect_error(eval(call), "give dplyr::collect(data), a data frame", fixed = TRUE, class = "fairstats_input_error")
  }
  expect_match(fair_audit(dplyr::tbl(connection, dplyr::sql("SELECT * FROM applicants")), "hired", "sex")$summary,
    "a query of a database", fixed = TRUE)
  json <- withr_tempfile(".json")
  fair_report(there, to = json)
  expect_error(fair_verify_report(json, lazy), "give dplyr::collect\\(data\\)", class = "fairstats_input_error")
  verified <- fair_verify_report(json, dplyr::collect(lazy))
  expect_true(verified$ok)
  expect_match(verified$data, "in memory or in a database: no hash")
  few <- dplyr::filter(lazy, dept == "x")
  expect_equal(numbers(fair_audit(few, decision = "hired", groups = "sex")),
    numbers(fair_audit(applicants[applicants$dept == "x", ], decision = "hired", groups = "sex")), tolerance = 1e-12)
  both <- fair_tally(lazy, decision = "hired", groups = c("sex", "dept")) +
    fair_tally(applicants, decision = "hired", groups = c("sex", "dept"))
  expect_equal(glance(both)$nobs, 2 * n)
})

test_that("what a database cannot give is one error", {
  skip_without_python()
  connection <- in_sqlite()
  lazy <- dplyr::tbl(connection, "applicants")
  audit <- function(...) fair_audit(lazy, decision = "hired", ...)
  expect_error(audit(groups = "gender"), "groups names 'gender', which data does not have", class = "fairstats_input_error")
  expect_error(fair_audit(dplyr::filter(lazy, dept == "none"), decision = "hired", groups = "sex"), "data has no rows")
  DBI::dbExecute(connection, "UPDATE applicants SET w = -1 WHERE court = 1")
  expect_error(audit(groups = "sex", weights = "w", weight_type = "probability"), "weights has 'w' with [0-9]+ negative")
  DBI::dbExecute(connection, "UPDATE applicants SET w = NULL WHERE court = 1")
  expect_error(audit(groups = "sex", weights = "w", weight_type = "probability"), "missing or infinite")
  DBI::dbExecute(connection, "UPDATE applicants SET w = 1.5")
  expect_error(audit(groups = "sex", weights = "w"), "not whole")
  DBI::dbDisconnect(connection)
  expect_error(audit(groups = "sex"), "did not count the columns .*sex.*; nothing was estimated",
    class = "fairstats_source_error")
})

test_that("files and folders are read where they are", {
  skip_without_python()
  folder <- tempfile("people")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  for (i in 0:1) {
    part <- file.path(folder, paste0("part", i, ".csv"))
    write.csv(applicants[seq_len(n) %% 2 == i, ], part, row.names = FALSE, na = "")
  }
  skip_if_not(reticulate::py_module_available("pyarrow"))
  here <- fair_audit(applicants, decision = "hired", groups = "sex")
  there <- fair_audit(file.path(folder, "*.csv"), decision = "hired", groups = "sex")
  expect_equal(numbers(there), numbers(here), tolerance = 1e-12)
  files <- list.files(folder, full.names = TRUE)
  expect_equal(glance(fair_tally(files, decision = "hired", groups = "sex"))$nobs, n)
  pandas <- reticulate::import("pandas", convert = FALSE)
  for (file in files) pandas$read_csv(file)$to_parquet(sub("csv$", "parquet", file))
  unlink(files)
  expect_equal(numbers(fair_audit(folder, decision = "hired", groups = "sex")), numbers(here), tolerance = 1e-12)
  expect_error(fair_tally(file.path(folder, "none-*.parquet"), decision = "hired", groups = "sex"), "names no file")
})

test_that("small cells are withheld before a tally leaves, and a file keeps it", {
  skip_without_python()
  tally <- fair_tally(applicants, decision = "hired", groups = "sex", outcome = "good")
  left <- fair_suppress_cells(tally, min_n = 12)
  expect_gt(sum(is.na(tidy(left)$.rows)), 0)
  expect_true(all(is.na(tidy(left)$.rows) | tidy(left)$.rows >= 12))
  path <- tempfile(fileext = ".npz")
  on.exit(unlink(path))
  fair_save(left, path)
  expect_equal(tidy(fair_load(path)), tidy(left))
  expect_error(fair_suppress_cells(applicants, 5), "tally is of class data.frame")
  expect_error(fair_suppress_cells(tally, 1), "min_n")
  expect_error(tally + 1, "a tally is added to what is no tally")
  expect_error(fair_audit(tally, groups = "race"), "the tally has no such column.*count it with groups = 'race'")
  expect_error(fair_subgroup_scan(tally, groups = "race"), "'race'; the tally has no such column; it has sex, ")
})

test_that("the rows of a tally are not audited as people", {
  skip_without_python()
  tally <- fair_tally(applicants, decision = "hired", groups = "sex")
  expect_error(fair_audit(tidy(tally), "hired", "sex"), "a line a cell, not a person; pass the tally itself.*weights")
  expect_equal(fair_audit(tidy(tally), "hired", "sex", weights = ".rows")$finding, fair_audit(tally)$finding)
  rows <- tidy(fair_suppress_cells(tally, 1000))
  expect_error(fair_audit(rows, "hired", "sex"), "of withheld cells, whose people no column counts; pass the tally itself")
})

test_that("nobody knows how many people a withheld cell has", {
  skip_without_python()
  rows_of_two <- function(...) {
    sites <- lapply(list(...), function(n) {
      fair_suppress_cells(fair_tally(data.frame(g = rep(c("a", "b"), n), d = 1), "d", "g"), 5)
    })
    tidy(do.call(sum, sites))
  }
  tally <- fair_suppress_cells(fair_tally(mtcars, "vs", "am"), 7)
  rows <- tidy(tally)
  expect_identical(is.na(rows$.rows), rows$.most > 0)
  expect_match(utils::capture.output(print(tally)), "1 cell of 1 to 6 people", all = FALSE)
  audit <- fair_audit(tally)
  expect_true(all(c("bounds.low", "bounds.high") %in% names(tidy(audit, role = "all"))))
  expect_true(all(c("bounds.low", "bounds.high") %in% names(as.data.frame(audit))))
  expect_no_match(paste(audit$notes, collapse = " "), "fewer than 1 people")
  # 15 were sent by one site, and the other withheld some
  both <- rows_of_two(c(15, 15), c(3, 15))
  expect_identical(as.list(both[c(".rows", ".least", ".most")]),
    list(.rows = c(15L, 30L), .least = c(1L, 0L), .most = c(4L, 0L)))
})

test_that("tallies are added by sum(), too", {
  skip_without_python()
  parts <- lapply(split(people, rep_len(1:3, nrow(people))), fair_tally, decision = "yhat", groups = "sex")
  expect_identical(tidy(do.call(sum, unname(parts))), tidy(fair_tally(people, decision = "yhat", groups = "sex")))
  expect_match(message_of(max(parts[[1L]])), "max() is not defined of tallies", fixed = TRUE)
})

test_that("a change of a gap is that of its counts", {
  skip_without_python()
  month <- function(k) {
    data.frame(sex = rep(c("f", "m"), each = 200), hired = rep(c(1, 0, 1, 0), c(k, 200 - k, 100, 100)))
  }
  audits <- lapply(c(60, 110), function(k) fair_audit(month(k), decision = "hired", groups = "sex", reference = "m"))
  found <- fair_compare_audits(audits[[1L]], audits[[2L]])
  row <- subset(tidy(found), estimator == "change")
  rates <- c(110, 100, 60, 100) / 200
  expect_equal(row$estimate, 110 / 200 - 60 / 200)
  # MOVER of R's own Wilson limits
  v <- (rates * 200 + 2) / 204 * (1 - (rates * 200 + 2) / 204) / 200
  level <- 1 - 2 * pnorm(-qt(0.975, sum(v)^2 / sum(v^2 / 198)))
  limits <- vapply(rates * 200, function(x) prop.test(x, 200, correct = FALSE, conf.level = level)$conf.int, numeric(2))
  signs <- c(1, -1, -1, 1)
  down <- ifelse(signs > 0, rates - limits[1, ], limits[2, ] - rates)
  expect_equal(row$conf.low, row$estimate - sqrt(sum(down^2)), tolerance = 1e-8)
  expect_output(print(found), "A change of a difference between groups is shown in 1 of 1")
  rows <- tidy(found)
  expect_identical(rows$direction %in% "changed", rows$adj.p.value <= 0.05)
  expect_error(fair_compare_audits(audits[[1L]], applicants), "after is of class data.frame")
  expect_error(fair_compare_audits(audits[[1L]], audits[[2L]], metric = "AUC"), "metric has 'AUC'")
})

test_that("tables and figures of a change have the ends that withheld cells leave", {
  skip_without_python()
  skip_if_not_installed("knitr")
  skip_if_not_installed("ggplot2")
  counted <- function(...) {
    cells <- list(...)
    people <- data.frame(g = rep(names(cells), vapply(cells, sum, 0)), d = unlist(lapply(cells, rep, x = c(1, 0))))
    fair_audit(fair_suppress_cells(fair_tally(people, decision = "d", groups = "g"), min_n = 30))
  }
  change <- fair_compare_audits(counted(a = c(400, 100), b = c(100, 31), c = c(90, 60)),
    counted(a = c(390, 100), b = c(100, 29), c = c(12, 9)))
  # one to 29 people of b were withheld
  ends <- 100 / (100 + c(29, 1)) - 390 / 490 - (100 / 131 - 400 / 500)
  row <- subset(tidy(change), group == "b")
  expect_identical(row$estimate, NA_real_)
  expect_equal(c(row$bounds.low, row$bounds.high), ends)
  expect_true(row$conf.low < ends[[1L]] && row$conf.high > ends[[2L]])
  expect_match(knitr::kable(change)[[1L]], "bounds.low")
  expect_match(fair_table(change, "changes")$text, "1.6 to 23.1", fixed = TRUE)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_equal(plot(change)$bounds.high, ends[[2L]])
  drawn <- ggplot2::layer_data(ggplot2::autoplot(change), 2L)
  expect_equal(c(drawn$xmin, drawn$xmax), ends)
  absent <- "Not compared: selection rate of c (g): c is withheld in the audit after."
  expect_output(print(change), absent, fixed = TRUE)
  # both kinds of figures and that of the report name it
  expect_match(gsub("\n", " ", ggplot2::autoplot(change)$labels$caption), absent, fixed = TRUE)
  expect_match(fair_figure(change)$caption, absent, fixed = TRUE)
  file <- withr_tempfile(".pdf")
  grDevices::pdf(file, compress = FALSE, useKerning = FALSE)
  plot(change)
  grDevices::dev.off()
  expect_match(readLines(file, warn = FALSE), "compared:", all = FALSE)
})

test_that("subgroups are those of their counts, from rows and from a tally", {
  skip_without_python()
  set.seed(4)
  people <- data.frame(sex = sample(c("f", "m"), 600, TRUE), age = sample(c("old", "young"), 600, TRUE))
  people$hired <- rbinom(600, 1, ifelse(people$sex == "f" & people$age == "old", 0.2, 0.6))
  found <- fair_subgroup_scan(people, decision = "hired", groups = c("sex", "age"))
  rows <- subset(tidy(found), contrast == "difference")
  expect_equal(nrow(rows), 8L)
  means <- tapply(people$hired, list(people$sex, people$age), mean)
  expect_equal(rows$estimate[rows$group == "f:old"], means["f", "old"] - mean(people$hired))
  p <- subset(tidy(found, role = "all"), contrast == "difference" & role == "main")$p.value
  expect_equal(rows$adj.p.value, p.adjust(p, "BH"))
  expect_equal(rows$verdict == "flagged", rows$adj.p.value <= 0.05)
  expect_true("f:old" %in% rows$group[rows$verdict == "flagged"])
  expect_length(grep("sex:age = f:old .* difference from everybody$", rows$term), 1L)
  expect_true(all(c("sex = f", "sex = f, age = old") %in% other_rows(found, NULL)$label))
  counted <- fair_tally(people, decision = "hired", groups = c("sex", "age"))
  expect_equal(tidy(fair_subgroup_scan(counted)), tidy(found))
  by <- subset(tidy(fair_subgroup_scan(counted, p_adjust = "by", fdr = 0.1)), contrast == "difference")
  expect_equal(by$adj.p.value, p.adjust(p, "BY"))
  expect_output(print(found), "Flagged at a false discovery rate of 5%: ")
  people$risk <- ifelse(people$sex == "f" & people$age == "old", 0.5, 0.6)
  of_scores <- fair_subgroup_scan(people, score = "risk", outcome = "hired", groups = c("sex", "age"), bands = 1)
  rows <- subset(tidy(of_scores), role == "main")
  residual <- with(subset(people, sex == "f" & age == "old"), mean(hired - risk))
  expect_equal(rows$estimate[rows$group == "f:old"], residual)
  expect_equal(rows$verdict[rows$group == "f:old"], "flagged")
  expect_error(fair_subgroup_scan(people, score = "risk", outcome = "hired", groups = "sex", decision = "hired"), "decision has")
  expect_error(fair_subgroup_scan(people, decision = "hired"), "groups is missing")
  expect_error(fair_subgroup_scan(counted, metric = "TPR"), "needs the outcome")
})

test_that("rates of many groups are drawn toward their mean", {
  skip_without_python()
  people <- data.frame(site = rep(letters[1:12], 10), hired = rep(c(0, 1, 0, 1, 1), 24))
  audit <- fair_audit(people, decision = "hired", groups = "site", shrunken = TRUE)
  rows <- tidy(audit, role = "shrunken")
  expect_equal(nrow(rows), 12L)
  expect_true(all(abs(rows$estimate - mean(people$hired)) <= abs(rows$events / rows$n - mean(people$hired)) + 1e-12))
  expect_error(fair_audit(transform(people, site = site == "a"), "hired", "site", shrunken = TRUE), "shrunken has TRUE")
})

test_that("counts stand in place of people", {
  skip_without_python()
  counts <- data.frame(race = c("White", "Black"), applicants = c(52, 18), hires = c(16, 3))
  people <- fair_from_counts(counts, "race", selected = "hires", total = "applicants")
  rows <- data.frame(
    race = rep(c("White", "Black"), c(52, 18)), hires = c(rep(1:0, c(16, 36)), rep(1:0, c(3, 15)))
  )
  expect_equal(tidy(fair_audit(people)), tidy(fair_audit(rows, decision = "hires", groups = "race")))
  expect_output(print(fair_audit(people)), "70 people in 2 rows")
  file <- withr_tempfile(".json")
  fair_report(fair_audit(people), to = file)
  expect_true(fair_verify_report(file, counts)$ok)
  expect_false(fair_verify_report(file, transform(counts, hires = hires + 1))$ok)
  expect_error(fair_from_counts(counts, "race", "applicants", "hires"), "nobody is selected")
  totals <- rbind(cbind(counts, job = "clerk"), cbind(counts, job = "driver"), cbind(counts, job = "Total"))
  doubled <- totals$job == "Total"
  totals[doubled, c("hires", "applicants")] <- 2 * totals[doubled, c("hires", "applicants")]
  expect_error(fair_from_counts(totals, "race", "hires", "applicants"), "'Total' in row .* of 'job'")
  expect_error(fair_stages(totals, "hires", "race", total = "applicants"), "'Total' in row .* of 'job'")
  expect_error(fair_from_counts(counts, "race", c("a", "b"), "hires"), "selected")
})

test_that("reports of pay are those of Python", {
  skip_without_python()
  staff <- data.frame(
    sex = c("women", "men"), grade = rep(c("a", "b"), each = 20), pay = c(9, 10, 11, 11.5) + 1:40 / 9,
    bonus = c(0, 1, 2, 0)
  )
  women <- staff$sex == "women"
  gap <- 1 - mean(staff$pay[women]) / mean(staff$pay[!women])
  rows <- tidy(fair_pay_transparency(staff, "pay", "sex", variable_pay = "bonus", category = "grade"))
  expect_equal(rows$estimate[rows$metric == "gap of means"][[1]], gap)
  rows <- tidy(fair_gender_pay_gap(staff, "pay", "sex", bonus = "bonus"))
  expect_equal(rows$estimate[rows$metric == "gap of means"][[1]], gap)
  expect_error(fair_gender_pay_gap(staff, "pay", "grade"), "reference")
  expect_error(fair_gender_pay_gap(staff, "pay", "sex", bonus = "bonuss"),
    "bonus names 'bonuss', which data does not have; its columns are sex, grade, pay, bonus")
  names <- list(groups = list(sex = c(women = "ladies")))
  expect_match(paste(format(fair_gender_pay_gap(staff, "pay", "sex", labels = names)), collapse = " "), "Ladies earn")
  expect_error(fair_pay_transparency(staff, "pay", "sex", weights = "bonus"), "the law counts every worker once")
})

test_that("representation, stages and matched pairs are those of Python", {
  skip_without_python()
  jurors <- fair_representation(c(Mexican = 339, other = 531), benchmark = c(Mexican = 0.791))
  rows <- tidy(jurors)
  shown <- rows[rows$contrast == "difference", ]
  expect_equal(round(shown$statistic, 1), -29.1)
  expect_equal(shown$p.value, stats::binom.test(339, 870, 0.791)$p.value)
  expect_error(fair_representation(c(Black = 15, White = 390), benchmark = c(Balck = 0.2, White = 0.8)),
    "benchmark has 'Balck'; no group of data is called so; did you mean 'Black'")
  hired <- data.frame(sex = rep(c("f", "m"), c(3, 17)), n = 1)
  expect_identical(tidy(fair_representation(hired, "sex", benchmark = list(f = 0.5, m = 0.5))),
    tidy(fair_representation(hired, "sex", benchmark = c(f = 0.5, m = 0.5))))
  pool <- tidy(fair_representation(hired, "sex", benchmark = c(f = 50, m = 50), kind = "pool"))
  expect_equal(pool$p.value[pool$contrast == "difference"][[1]],
    stats::fisher.test(matrix(c(3, 47, 17, 33), 2))$p.value, tolerance = 1e-6)
  teal <- data.frame(race = c("Black", "White"), took = c(48, 259), passed = c(26, 206), promoted = c(11, 35))
  found <- tidy(fair_stages(teal, c("passed", "promoted"), "race", total = "took"))
  expect_equal(round(found$estimate[found$contrast == "ratio"][[1]], 2), 0.68)
  expect_error(fair_stages(teal, c("promoted", "passed"), "race", total = "took"), "stages")
  rows <- data.frame(race = c("Black", "Black", "White", "White", ""), passed = c(1, 0, 1, 0, 1), n = c(26, 22, 206, 53, 7))
  counted <- tidy(fair_stages(rows, "passed", "race", weights = "n"))
  of_passed <- function(x) x$estimate[x$term == "passed" & x$contrast == "difference" & x$metric == "selection rate"]
  expect_equal(of_passed(counted), of_passed(found))
  sent <- data.frame(pair = rep(1:20, each = 2), race = c("b", "w"), call = rep(c(0, 1, 0, 0, 1, 1), length.out = 40))
  pairs <- tidy(fair_matched_pairs(sent, "call", "race", "pair", reference = "w"))
  b <- sent$call[sent$race == "b"]
  w <- sent$call[sent$race == "w"]
  p <- stats::binom.test(sum(b > w), sum(b != w))$p.value
  expect_equal(pairs$p.value[pairs$contrast == "difference" & pairs$metric == "share favored"], p)
  expect_error(fair_matched_pairs(sent, "call", "race", "par"), "blocks")
})

test_that("a gap is watched period by period, and a state goes on, as in Python", {
  skip_without_python()
  people <- data.frame(month = rep(1:6, each = 100), sex = c("f", "m"), hired = c(0, 1, 1, 1))
  whole <- tidy(fair_monitor(people, "hired", "sex", reference = "m"))
  expect_equal(whole$estimate[[1]], -0.5)
  file <- tempfile(fileext = ".json")
  fair_monitor(people[people$month < 4, ], "hired", "sex", reference = "m", state = file)
  after <- tidy(fair_monitor(people[people$month > 3, ], "hired", "sex", state = file))
  expect_identical(after$conf.low, whole$conf.low)
  expect_equal(tidy(fair_monitor(fair_tally(people, "hired", "sex", strata = "month"), "hired", "sex",
                                 reference = "m"))$estimate, whole$estimate)
  expect_identical(tidy(fair_monitor(people, "hired", "sex", state = file))$conf.low, whole$conf.low) # not counted twice
  expect_error(fair_monitor(people[people$month > 5, ][-1, ], "hired", "sex", state = file), "later periods")
  late <- transform(people, hired = ifelse(month < 4, rep(c(0, 0, 1, 1), 25), hired))
  file <- tempfile(fileext = ".json")
  early <- fair_monitor(late[late$month < 4, ], "hired", "sex", reference = "m", state = file)
  expect_identical(early$alarm, NA_character_)
  raised <- fair_monitor(late[late$month > 3, ], "hired", "sex", state = file)
  expect_identical(raised$alarms, list(f = raised$alarm))
  expect_identical(raised$new_alarms, raised$alarms)
  calm <- fair_monitor(data.frame(month = rep(1:3, each = 100), sex = c("f", "m"), hired = c(0, 1, 1, 0)), "hired", "sex")
  expect_identical(unlist(calm$alarms), c(m = NA_character_))
  expect_true(as.numeric(raised$alarm) > 3)
  coded <- transform(people, hired = hired + (month > 3))
  expect_error(fair_monitor(coded, "hired", "sex", reference = "m"), "with 2 in 4, which no period before it has")
  few <- fair_monitor(people, "hired", "sex", reference = "m", looks = 6, spending = "pocock")
  expect_output(print(few), "All 6 planned looks are done")
  months <- sort(unique(people$month))
  beside <- tidy(fair_monitor(people, "hired", "sex", reference = "m", baseline = months[[1]]), role = "all")
  expect_true(any(grepl("baseline", unlist(lapply(beside, as.character)))))
})

test_that("groups known as probabilities are bounded, as in Python", {
  skip_without_python()
  p <- c(0.9, 0.8, 0.2, 0.1)
  people <- data.frame(hired = c(0, 0, 1, 1, 1, 0, 1, 1), f = p, m = 1 - p)[rep(1:8, 60), ]
  rows <- tidy(fair_group_probabilities(people, "hired", c(women = "f", men = "m"), reference = "men"), role = "all")
  gap <- rows[rows$contrast == "difference", ]
  expect_equal(gap$estimator, c("bound", "ends of the bound", "weighted", "linear"))
  expect_identical(gap$estimate[1:2], c(NA_real_, NA_real_))
  expect_equal(gap$estimate[[3]], weighted.mean(people$hired, people$f) - weighted.mean(people$hired, people$m))
  expect_equal(gap$estimate[[4]], coef(lm(hired ~ f, people))[["f"]])
  expect_equal(gap$verdict[[1]], "disparity shown")
  file <- tempfile(fileext = ".json")
  people$self_reported <- ifelse(seq_len(480) %% 3 == 0, ifelse(seq_len(480) %% 2, "women", "men"), NA)
  bound <- fair_group_probabilities(people, "hired", c(women = "f", men = "m"), known = "self_reported", reference = "men")
  expect_match(bound$finding, "^No verdict is given: among 160 people whose group is known")
  expect_lte(length(capture.output(print(bound))), 26L)
  fair_report(bound, to = file)
  expect_true(fair_verify_report(file, people)$ok)
  expect_false(fair_verify_report(file, transform(people, f = m, m = f))$ok)
  as_list <- fair_group_probabilities(people, "hired", list(women = "f", men = "m"), reference = "men")
  expect_equal(tidy(as_list, role = "all"), rows)
  expect_error(fair_group_probabilities(people, "hired", c(women = "f", men = "nobody")), "nobody")
  expect_error(fair_group_probabilities(people, "hired", 1:2), "groups")
})

test_that("models that decide about the same people are compared in pairs, as in Python", {
  skip_without_python()
  cars <- transform(mtcars, old = as.integer(wt < 3), new = as.integer(hp < 120))
  rows <- tidy(fair_compare_models(cars, c(light = "old", weak = "new"), "am", outcome = "vs", reference = 0))
  change <- rows[rows$metric == "selection rate" & rows$contrast == "difference" & !is.na(rows$versus), ]
  gap <- function(x) mean(x[cars$am == 1]) - mean(x[cars$am == 0])
  expect_equal(change$estimate[[1]], gap(cars$new) - gap(cars$old))
  expect_equal(c(change$model[[1]], change$versus[[1]]), c("weak", "light"))
  expect_setequal(rows$direction[rows$verdict %in% "inconclusive"], NA_character_)
  reversed <- transform(mtcars[rep(1:32, 20), ], old = 1L - am, new = as.integer(seq_len(640) %% 2 == 0))
  smaller <- tidy(fair_compare_models(reversed, c("old", "new"), "am", reference = 0))
  expect_equal(unlist(smaller[1, c("verdict", "direction")], use.names = FALSE), c("disparity shown", "smaller"))
  scores <- transform(cars, old = -wt, new = -qsec)
  for (compare in list(fair_compare_models, fair_alternatives)) {
    expect_error(compare(scores, c("old", "new"), "am", outcome = "vs"), "decisions must have two; .* \\(threshold = 0\\.5\\)")
  }
  cut <- tidy(fair_compare_models(transform(cars, old = -wt, new = -wt), c("old", "new"), "am", threshold = -3))
  expect_equal(cut$estimate[cut$contrast == "difference"][[1]], 0)
  expect_error(fair_compare_models(cars, c("old", "nobody"), "am"), "nobody")
  pairs <- tidy(fair_compare_models(transform(cars, third = 1 - old), c("old", "new", "third"), "am", versus = "all"))
  pairs <- pairs[pairs$contrast == "difference" & pairs$role == "main", ]
  expect_equal(paste(pairs$model, pairs$versus), c("new old", "third old", "third new"))
  expect_error(fair_compare_models(cars, 1:2, "am"), "models")
  expect_error(fair_compare_models(cars, c(a = "old", a = "new"), "am"), "models has a twice")
})

test_that("an alternative is chosen on one half and tested on the other, as in Python", {
  skip_without_python()
  people <- data.frame(sex = c("f", "m"), y = rep(c(0, 0, 1, 1), 100), old = c(0, 1), new = rep(c(0, 0, 1, 1), 100))
  people$first <- rep(c(1, 0), each = 200)
  sought <- fair_alternatives(people, c("old", "new"), "sex", outcome = "y", reference = "m", split = "first")
  expect_true(sought$found)
  rows <- tidy(sought)
  change <- rows[rows$role == "main" & rows$contrast == "difference", ]
  expect_equal(change$estimate, c(1, 0.5))
  expect_equal(unique(change$model), "new")
  expect_error(fair_alternatives(people, c("old", "new"), "sex", outcome = "y", split = "sex"), "split")
})

test_that("an audit passes by the metrics that are named", {
  skip_without_python()
  cell <- function(g, y, hired) data.frame(g = g, y = y, h = rep(c(1, 0), c(hired, 200 - hired)))
  people <- rbind(cell("a", 1, 160), cell("a", 0, 40), cell("b", 1, 160), cell("b", 0, 160))
  audit <- fair_audit(people, decision = "h", groups = "g", outcome = "y", margin = 0.15)
  expect_false(fair_passes(audit)$passes)
  expect_true(fair_passes(audit, "TPR")$passes)
  gate <- fair_passes(audit, c("TPR", "FPR"))
  expect_equal(gate$failures$metric, "FPR")
  row <- subset(tidy(audit, role = "all"), metric == "FPR" & contrast == "difference" & role == "main")
  expect_identical(as.list(gate$failures), as.list(row)[names(gate$failures)])
  expect_equal(gate$compared, 2)
  expect_identical(capture.output(print(gate)), strsplit(writable(gate$summary), "\n")[[1L]])
  expect_match(gate$summary, "FPR")
  expect_error(fair_passes(audit, "AUC"), "needs a score; this audit has none")
  expect_error(fair_passes(people), "fair_audit")
})

test_that("rows that withheld cells decide have their ends in tidy(), kable() and figures", {
  skip_without_python()
  skip_if_not_installed("knitr")
  skip_if_not_installed("ggplot2")
  sizes <- c(400, 100, 100, 29)
  people <- data.frame(g = rep(c("a", "a", "b", "b"), sizes), d = rep(c(1, 0, 1, 0), sizes))
  audit <- fair_audit(fair_suppress_cells(fair_tally(people, decision = "d", groups = "g"), min_n = 30))
  rates <- 100 / (100 + c(29, 1)) # one to 29 people of b were withheld
  rows <- subset(tidy(audit), group == "b" & metric == "selection rate")
  of <- function(name) unlist(rows[rows$contrast == name, c("bounds.low", "bounds.high")], use.names = FALSE)
  expect_identical(rows$estimate[rows$contrast == "none"], NA_real_)
  expect_equal(of("none"), rates)
  expect_equal(of("difference"), rates - 0.8)
  expect_match(knitr::kable(audit)[[1L]], "bounds.low.*bounds.high.*diff.bounds.low.*diff.bounds.high")
  drawn <- ggplot2::layer_data(ggplot2::autoplot(audit), 2L)
  expect_true(any(abs(drawn$xmin - rates[[1L]]) < 1e-9 & abs(drawn$xmax - rates[[2L]]) < 1e-9, na.rm = TRUE))
  expect_match(ggplot2::autoplot(audit, "ratios")$labels$caption, "no point: withheld people decide it")
  whole <- fair_audit(people, decision = "d", groups = "g")
  expect_false(any(grepl("bounds", c(names(tidy(whole)), knitr::kable(whole)))))
})

test_that("no caution asks whether the counts of a table are weights", {
  skip_without_python()
  asked <- function(audit) any(grepl("taken as counts", audit$notes, fixed = TRUE))
  expect_false(asked(fair_audit(Titanic, Survived ~ Sex, favorable = "Yes")))
  expect_false(asked(fair_audit(fair_tally(Titanic, Survived ~ Sex), favorable = "Yes")))
  rows <- as.data.frame(Titanic)
  expect_true(asked(fair_audit(rows, Survived ~ Sex, favorable = "Yes", weights = "Freq")))
})

test_that("a monitor of a tally needs no column named again, and print says where all its periods are", {
  skip_without_python()
  people <- data.frame(day = rep(1:60, each = 40), sex = c("f", "m"), hired = c(0, 1, 1, 1))
  counted <- fair_tally(people, "hired", "sex", strata = "day")
  watched <- fair_monitor(people, "hired", "sex", period = "day", reference = "m")
  expect_equal(tidy(fair_monitor(counted, reference = "m"), role = "all"), tidy(watched, role = "all"))
  expect_match(paste(format(watched), collapse = " "), "20 earlier: tidy(x, role = \"all\").", fixed = TRUE)
  expect_identical(nrow(tidy(watched)), 1L)
  gaps <- subset(tidy(watched, role = "all"), estimator == "of the period" & contrast == "difference")
  expect_equal(gaps$estimate, rep(-0.5, 60))
  expect_error(fair_monitor(people), "decision is missing; name one column of the data.", fixed = TRUE)
  several <- fair_tally(transform(people, site = sex), "hired", c("sex", "site"))
  expect_error(fair_monitor(several), "groups is missing; name one column of those counted", fixed = TRUE)
})

test_that("four fifths of counts by job are within the job, as in Python", {
  skip_without_python()
  counts <- data.frame(job = rep(c("Clerk", "Driver"), each = 2), sex = c("Women", "Men"), n = c(1000, 200, 200, 1000),
                       hires = c(100, 20, 80, 400))
  people <- fair_from_counts(counts, "sex", selected = "hires", total = "n", strata = "job")
  printed <- gsub("\\s+", " ", paste(capture.output(print(fair_audit(people, law = "employment"))), collapse = " "))
  expect_match(printed, "at the same rate (within the same job, all taken together): not below", fixed = TRUE)
  expect_match(printed, "at 0.43 of the rate of men, the highest (without regard to job: 15.0% against", fixed = TRUE)
})

test_that("columns of a search of proxies and of a monitor are formulas, too", {
  skip_without_python()
  one <- fair_proxies(mtcars, ~am, features = ~ wt + qsec, seed = 1)
  expect_identical(tidy(one), tidy(fair_proxies(mtcars, "am", features = c("wt", "qsec"), seed = 1)))
  people <- data.frame(sex = c("f", "m"), hired = rep(c(0, 1, 1, 0), 75), part = rep(1:3, each = 100))
  by_formula <- fair_monitor(people, "hired", "sex", period = ~part)
  expect_identical(tidy(by_formula), tidy(fair_monitor(people, "hired", "sex", period = "part")))
})
