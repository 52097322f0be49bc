x <- people[c("age", "priors", "income")]
results <- function() {
  fit <- og(x, people$sex, k = 2)
  graph <- exp(-as.matrix(stats::dist(scale(x[1:40, ])))^2)
  held <- fair_crossfit(fit, x, people$sex)
  list(
    audit = fair_audit(people, outcome = "y", decision = "yhat", score = "score", groups = "group"), fit = fit,
    kernel = fair_kernel_pca(x, people$sex, k = 2, scale = TRUE), eraser = leace(x, people$sex),
    map = residualize(x, people$sex),
    held = held, leakage = fair_leakage(held, permutations = 9), losses = fair_reconstruction_error_by_group(fit, x, people$sex),
    tests = fair_component_tests(held), extra = fair_extra_error(fit, permutations = 0),
    compared = fair_compare(people, "y", "sex", names(x), methods = c("none", "og"), k = 1, n_repeats = 2),
    partition = fair_spectral_clustering(graph, people$sex[1:40], k = 2)
  )
}

test_that("every result has a picture, by base graphics and by ggplot2", {
  skip_without_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  made <- results()
  for (name in names(made)) {
    expect_s3_class(plot(made[[name]]), "data.frame")
    skip_if_not_installed("ggplot2")
    drawn <- ggplot2::autoplot(made[[name]])
    expect_s3_class(drawn, "ggplot")
    expect_gt(nrow(ggplot2::layer_data(drawn, length(drawn$layers))), 0)
  }
  audit <- made$audit
  for (kind in c("roc", "ecdf", "calibration", "differences", "ratios")) {
    expect_s3_class(plot(audit, kind = kind), "data.frame")
    expect_s3_class(ggplot2::autoplot(audit, kind = kind), "ggplot")
  }
  compared <- ggplot2::autoplot(made$compared)
  expect_identical(levels(compared$data$whom), c("male", "female", "everybody")) # from the foot
  expect_identical(ggplot2::autoplot(made$compared, kind = "changes")$labels$x, "positive rate, difference from none")
  for (kind in c("changes", "differences")) expect_s3_class(ggplot2::autoplot(made$compared, kind = kind), "ggplot")
})

test_that("a figure that is named is the one that is drawn", {
  skip_without_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  audit <- fair_audit(people, outcome = "y", decision = "yhat", score = "score", groups = "group")
  expect_identical(plot(audit, "rates"), plot(audit))
  expect_identical(unique(plot(audit, "differences")$contrast), "difference")
  expect_identical(plot(audit, "rates", "FPR"), plot(audit, metric = "FPR"))
  expect_identical(unique(plot(audit, "roc")$kind), "roc")
  expect_error(plot(audit, type = "rates"), "it is called kind here", class = "fairstats_input_error")
  expect_false(any(vapply(plot(audit), function(column) all(is.na(column)), NA)))
  fit <- og(x, people$sex, k = 2)
  expect_identical(plot(fit, "scree"), plot(fit))
  expect_error(plot(fit, "rates"), "kind = \"rates\" is none of scree")
  expect_error(plot(fair_leakage(fit, x, people$sex, permutations = 9), "rates"), "none of estimates, .*fair_figure\\(\\)")
  skip_if_not_installed("ggplot2")
  expect_identical(unique(ggplot2::autoplot(audit, "ratios")$data$contrast), "ratio")
  expect_error(ggplot2::autoplot(audit, metrc = "FPR"), "autoplot.* has no argument 'metrc'.*Did you mean 'metric'")
})

test_that("curves are those that R computes, and the reference is marked", {
  skip_without_python()
  audit <- fair_audit(people, outcome = "y", decision = "yhat", score = "score", groups = "group")
  for (name in unique(people$group)) {
    own <- people$score[people$group == name]
    points <- subset(audit$curves, kind == "ecdf" & group == name)
    expect_equal(points$y, stats::ecdf(own)(points$x), label = name)
  }
  roc <- subset(audit$curves, kind == "roc" & group == "a")
  area <- sum(diff(roc$x) * (head(roc$y, -1) + tail(roc$y, -1)) / 2)
  auc <- subset(tidy(audit), metric == "AUC" & group == "a" & contrast == "none")$estimate
  expect_equal(area, auc, tolerance = 0.01)
  skip_if_not_installed("ggplot2")
  labels <- levels(ggplot2::autoplot(audit)$data$label)
  expect_identical(sum(grepl("(reference)", labels, fixed = TRUE)), 1L)
})

# What a picture is made of, without the day of its file.
commands <- function(drawing) {
  file <- withr_tempfile(".pdf")
  grDevices::pdf(file, compress = FALSE)
  tryCatch(force(drawing), finally = grDevices::dev.off())
  grep("CreationDate|ModDate|Producer", readLines(file, warn = FALSE, encoding = "latin1"), value = TRUE, invert = TRUE)
}

test_that("arguments of graphics take the place of ours, and nothing else changes", {
  skip_without_python()
  x <- people[c("age", "priors")]
  fit <- og(x, people$sex, k = 2)
  audit <- fair_audit(people, "yhat", "sex", outcome = "y", score = "score")
  ours <- commands(plot(audit))
  expect_identical(commands(plot(audit, main = "sex", pch = 19, xlab = "selection rate")), ours)
  titled <- commands(plot(audit, main = "Sexes"))
  expect_identical(sub("(Sexes)", "(sex)", titled[grepl(" Tj$", titled)], fixed = TRUE)[-1L], ours[grepl(" Tj$", ours)][-1L])
  expect_identical(sum(grepl("^/F", titled)), sum(grepl("^/F", ours))) # symbols and labels, as many as before
  drawn <- list(
    quote(plot(audit, main = "M", xlim = c(-1, 2), ylim = c(0, 9), xlab = "X", ylab = "Y", pch = 3, col = "red")),
    quote(plot(audit, "differences", main = "M", xlim = c(-1, 2), xlab = "X", ylab = "Y")),
    quote(plot(audit, "roc", main = "M", xlim = c(-1, 2), ylim = c(0, 9), xlab = "X", ylab = "Y", col = c("red", "blue"))),
    quote(plot(fit, main = "M", xlab = "X", ylab = "Y", ylim = c(0, 200), col = c("red", "blue"), names.arg = c("one", "two"))),
    quote(plot(fair_reconstruction_error_by_group(fit, x, people$sex), main = "M", xlim = c(-1, 2), xlab = "X", ylab = "Y"))
  )
  for (call in drawn) {
    labels <- commands(eval(call))
    for (word in c("(M)", "(X)", "(Y)")) expect_true(any(grepl(word, labels, fixed = TRUE)), label = paste(deparse1(call), word))
  }
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  rows <- plot(audit, ylim = c(0, 9))
  ticks <- range(graphics::axTicks(1L)) # to which the line of the axis goes
  expect_true(ticks[[1L]] <= min(rows$conf.low) && max(rows$conf.high) <= ticks[[2L]])
  plot(audit, xlim = c(-1, 2), ylim = c(0, 9))
  expect_equal(graphics::par("usr"), c(-1.12, 2.12, -0.36, 9.36), tolerance = 1e-9)
  expect_identical(plot(audit, main = "M"), plot(audit))
})

test_that("what graphics can draw acts on what it names, or is refused", {
  skip_without_python()
  strata <- transform(people, priors = pmin(priors, 1))
  audit <- fair_audit(strata, outcome = "y", decision = "yhat", score = "score", groups = "group", strata = "priors")
  # "w" sets the width of lines, "[" their dashes; of both there is one more with it than without
  of <- function(drawn, pattern) sum(grepl(pattern, drawn))
  for (kind in c("differences", "roc")) {
    more <- commands(plot(audit, kind, lwd = 5, lty = 3, sub = "beneath", col.axis = "blue"))
    expect_gt(of(more, "^3.75 w"), 0)
    expect_gt(of(more, "^0.000 0.000 1.000 scn"), 0)
    expect_gt(of(more, "Tm"), of(commands(plot(audit, kind)), "Tm")) # what stands beneath
  }
  for (kind in c("differences", "roc")) {
    expect_gt(of(commands(plot(audit, kind, lty = 3)), "[0-9]\\] 0 d"), of(commands(plot(audit, kind)), "[0-9]\\] 0 d"))
  }
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_error(plot(audit, "roc", pch = 2), "pch is of points, and curves have none", class = "fairstats_input_error")
  expect_error(plot(audit, panel.first = stop("drawn")), "panel.first would be drawn before", class = "fairstats_input_error")
  expect_error(plot(audit, yaxp = c(0, 1, 2)), "yaxp is of the ticks", class = "fairstats_input_error")
  expect_error(plot(audit, colour = "red"), "it is called col here", class = "fairstats_input_error")
  expect_error(ggplot2::autoplot(audit, main = "x"), "add ggplot2::labs\\(title = \\)", class = "fairstats_input_error")
  expect_error(plot(audit, srt = 90), "no argument 'srt'", class = "fairstats_input_error")
  expect_error(plot(og(x, people$sex, k = 2), col = 1:3), "col has 3 colors", class = "fairstats_input_error")
  before <- graphics::par("mar", "lab", "fg")
  plot(audit, lab = c(3, 3, 3), fg = "red", ann = FALSE, axes = FALSE)
  expect_identical(graphics::par("mar", "lab", "fg"), before)
})

test_that("one color of a bar leaves the part that groups explain its own", {
  skip_without_python()
  drawn <- commands(plot(og(x, people$sex, k = 2), "scree", col = "tomato"))
  expect_true(all(c("1.000 0.388 0.278 scn", "0.702 0.361 0.118 scn") %in% drawn))
})

test_that("the legend of a scree plot stands above its bars in one line, and the axis ends at a share that there is", {
  skip_without_python()
  fit <- og(x, people$sex, k = 2)
  for (size in list(c(5, 3), c(6, 3), c(7, 3.2), c(7, 5))) {
    for (given in list(list(), list(main = "A title", ylim = c(0, 100)), list(main = "A title", horiz = TRUE))) {
      file <- withr_tempfile(".pdf")
      grDevices::pdf(file, size[[1L]], size[[2L]], compress = FALSE)
      do.call(plot, c(list(fit), given))
      usr <- graphics::par("usr")
      top <- 72 * (graphics::grconvertY(usr[[4L]], "user", "inches"))
      grDevices::dev.off()
      lines <- grep("Tj$|TJ$", readLines(file, warn = FALSE), value = TRUE, useBytes = TRUE)
      lines <- gsub("\\) -?[0-9]+ \\(", "", lines, useBytes = TRUE)
      with_text <- function(text) grep(text, lines, value = TRUE, fixed = TRUE, useBytes = TRUE)
      place <- function(text) as.numeric(sub("^.* ([0-9.]+) Tm .*$", "\\1", with_text(text)))
      expect_gte(place("(of it, explained by the groups)"), top)
      expect_identical(place("(variation)"), place("(of it, explained by the groups)"))
      if (length(given)) expect_gt(place("A title"), place("(variation)") + 8)
      expect_lte(max(usr[if (isTRUE(given$horiz)) 1:2 else 3:4]), 104)
    }
  }
  drawn <- commands(plot(fit))
  expect_true(any(grepl("adjustment", gsub("\\) -?[0-9]+ \\(", "", drawn))))
})

test_that("differences have the declared margin as lines, and those of methods say that intervals are not adjusted", {
  skip_without_python()
  audit <- fair_audit(people, "yhat", "group", margin = 0.07)
  drawn <- commands(rows <- plot(audit, "differences"))
  expect_equal(unique(rows$allowed.high), 0.07)
  expect_equal(unique(rows$allowed.low), -0.07)
  expect_true(any(grepl("dotted: the margin", gsub("\\) -?[0-9.]+ \\(", "", drawn), fixed = TRUE)))
  expect_null(audit_rows(fair_audit(people, "yhat", "group"), NULL, NULL, "differences")$allowed.high)
  compared <- fair_compare(people, "y", "group", c("age", "priors", "income"), methods = c("none", "og", "leace"), k = 2,
    n_repeats = 2)
  expect_identical(unique(compared_rows(compared, NULL, NULL, "rates")$metric), "positive rate") # as print() speaks of
  expect_identical(level_note(compared_rows(compared, "AUC", NULL, "changes")),
    "each interval by itself, not adjusted for 2 comparisons")
})

test_that("titles and long names fit the panel that they stand in", {
  skip_without_python()
  long <- transform(people, sex = paste("people who are recorded as", sex, "in the files of the court"))
  audit <- fair_audit(long, "yhat", "sex")
  drawn <- commands({
    graphics::par(mfrow = c(1, 2))
    plot(audit, "differences", main = "A title that is much longer than half of the page is wide", sub = strrep("beneath ", 9))
  })
  # each line of text has its size, where it begins, and its letters, between which kerning stands
  of <- regmatches(drawn, regexec("Tf ([0-9.]+) 0.00 -?0.00 [0-9.]+ ([0-9.-]+) [0-9.-]+ Tm (.*) T[jJ]$", drawn))
  of <- do.call(rbind, of[lengths(of) > 0L])
  letters <- nchar(gsub("\\) -?[0-9]+ \\(|[][()]", "", of[, 4L]))
  expect_gt(nrow(of), 10)
  expect_gt(min(as.numeric(of[, 3L])), 0)
  expect_lt(max(as.numeric(of[, 3L]) + 0.5 * as.numeric(of[, 2L]) * letters), 504 / 2)
})

test_that("what cannot be drawn is one error that says what can", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", groups = "sex")
  expect_match(message_of(plot(audit, kind = "roc")), "needs a score and an outcome")
  expect_match(message_of(plot(audit, "hist")), "none of rates, differences, ratios, which") # as it has no score
  expect_match(message_of(plot(audit, metric = "selection rat")), "Did you mean 'selection rate'")
  expect_match(message_of(plot(spectral_clustering(matrix(1, 4, 4) - diag(4), k = 2))), "without groups")
})

test_that("the report's own figure is drawn, written and shown in documents", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", groups = "group")
  drawn <- fair_figure(audit, "differences")
  expect_true(startsWith(drawn$svg, "<svg "))
  expect_true("rates" %in% drawn$kinds)
  expect_output(print(drawn), "Figure\\.")
  expect_identical(drawn$png[1:4], as.raw(c(0x89, 0x50, 0x4e, 0x47)))
  file <- withr_tempfile(".png")
  fair_figure(audit, to = file)
  expect_identical(readBin(file, "raw", 4L), as.raw(c(0x89, 0x50, 0x4e, 0x47)))
  expect_match(fair_figure(audit, "differences", language = "de")$caption, "Intervalle: 95\u00a0%", fixed = TRUE)
  expect_error(fair_figure(audit, "roc"), "rates", class = "fairstats_input_error")
  skip_if_not_installed("knitr")
  # beside a page: a picture in the document's folder of figures
  folder <- withr_tempfile()
  options <- list(fig.path = paste0(folder, "/"), label = "rates", fig.cur = 1L, fig.num = 1L)
  shown <- knitr::knit_print(drawn, options = options)
  picture <- list.files(folder, full.names = TRUE)
  expect_match(picture, "rates-fairstats-[0-9]+.png$")
  expect_identical(readBin(picture, "raw", length(drawn$png) + 1L), drawn$png)
  expect_match(shown, picture, fixed = TRUE)
  knitr::knit_print(fair_figure(audit, "rates"), options = options) # a file of its own in the same chunk
  expect_length(list.files(folder), 2L)
  skip_if_not_installed("rmarkdown")
  skip_if_not(rmarkdown::pandoc_available())
  skip_in_another_session()
  source <- withr_tempfile(".Rmd")
  writeLines(c("---", "title: A", "output: html_document", "---", "", "```{r, echo=FALSE}",
    "fairstats::fair_figure(fairstats::fair_audit(mtcars, decision = 'vs', groups = c('am', 'gear')))", "```", "",
    "```{r, echo=FALSE, fig.cap='A caption of mine', fig.alt='A text of mine'}",
    "fairstats::fair_figure(fairstats::fair_audit(mtcars, decision = 'vs', groups = 'am'), 'differences')", "```"), source)
  page <- rmarkdown::render(source, quiet = TRUE, envir = new.env())
  text <- paste(readLines(page, warn = FALSE, encoding = "UTF-8"), collapse = " ")
  for (part in c("A caption of mine", 'alt="A text of mine"', 'alt="Dot plot', "Selection rate from", "data:image/svg")) {
    expect_match(text, part, fixed = TRUE)
  }
  expect_no_match(text, "attribute=", fixed = TRUE) # how others are had is for a console
  unlink(page)
  in_github <- rmarkdown::render(source, rmarkdown::github_document(html_preview = FALSE), quiet = TRUE, envir = new.env())
  text <- paste(readLines(in_github, warn = FALSE), collapse = " ")
  expect_match(text, "figure-gfm/[^ ]*-fairstats-[0-9].png")
  expect_no_match(text, "data:image", fixed = TRUE)
  unlink(in_github)
})

test_that("what covariates answer stands before crude differences of amounts, which have no verdict", {
  skip_without_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  audit <- fair_audit(mtcars, amount = "hp", groups = "am", adjust_for = ~ wt + qsec)
  all <- tidy(audit)
  adjusted <- all[all$metric == "adjusted gap", ]
  crude <- all[all$metric == "mean amount" & all$contrast == "difference", ]
  expect_match(crude$reason, "not adjusted for the covariates")
  rows <- plot(audit, "differences")
  expect_identical(rows$label, paste0(adjusted$group, c(", adjusted for wt and qsec", ", crude")))
  expect_identical(rows$estimate, c(adjusted$estimate, crude$estimate))
  expect_identical(rows$verdict, c(adjusted$verdict, NA))
  expect_identical(plot(audit, metric = "adjusted gap"), rows)
  expect_identical(unique(plot(audit, "ratios")$metric), "geometric mean")
  expect_identical(figure_note(rows, audit, "differences"), "open: crude, not adjusted for wt and qsec")
  short <- rows_in_short(audit)
  expect_identical(c(short$verdict[[2L]], adjusted$verdict), c("not settled", "inconclusive"))
  expect_equal(short$`adjusted for wt and qsec`[[2L]], adjusted$estimate)
  expect_equal(short$`crude difference`[[2L]], crude$estimate)
  audit$within <- audit$first_rates <- NULL # a result of before these were sent
  expect_identical(plot(audit, "differences")$metric, "mean amount")
  expect_identical(plot(audit, metric = "adjusted gap")$estimate, adjusted$estimate)
  expect_equal(rows_in_short(audit)$difference[[2L]], crude$estimate)
})

test_that("figures and kable() have within strata what Python says that answers", {
  skip_without_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  audit <- fair_audit(mtcars, decision = "vs", amount = "hp", groups = "am", strata = "gear")
  answer <- subset(audit$within, !is.na(metric))
  expect_identical(answer$crude, c("selection rate", "mean amount"))
  expect_identical(answer$metric, c("risk difference within strata", "mean difference within strata"))
  expect_identical(unique(answer$heading), "within gear")
  audit$within$metric[audit$within$crude == "selection rate"] <- "mean difference within strata"
  audit$within$heading <- "as Python says"
  rows <- plot(audit, "differences")
  expect_identical(rows$metric, c("mean difference within strata", "selection rate"))
  expect_match(rows$label[[1L]], "as Python says")
  expect_equal(rows_in_short(audit)$`as Python says`[[2L]], rows$estimate[[1L]])
})

test_that("figures are of the metric of the answer, with declared names, and say who is withheld", {
  skip_without_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  names <- list(groups = list(sex = list(female = "women", male = "men")))
  audit <- fair_audit(people, decision = "yhat", outcome = "y", groups = "sex", labels = names)
  drawn <- plot(audit)
  expect_identical(unique(drawn$metric), "selection rate")
  expect_setequal(drawn$group, c("Women", "Men")) # as print() has them
  expect_identical(plot(audit, "differences")$reference, setdiff(c("Women", "Men"), plot(audit, "differences")$group))
  expect_setequal(rows_in_short(audit)$group, c("Women", "Men"))
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    scored <- fair_audit(people, outcome = "y", score = "score", groups = "sex", labels = list(attributes = list(sex = "Sex")))
    legend <- ggplot2::autoplot(scored, "roc")
    expect_setequal(levels(legend$data$group), c("Women", "Men"))
    expect_identical(legend$labels$colour, "Sex")
    expect_identical(ggplot2::autoplot(scored)$labels$y, "Sex")
  }
  expect_false(any(tidy(audit)$group %in% c("women", "men"))) # tidy() has the labels of the data
  few <- transform(people, group = replace(as.character(group), 1:3, "few"))
  expect_message(plot(fair_audit(few, decision = "yhat", groups = "group", min_n = 5)), "since they are withheld: .*few")
})

test_that("the pictures that the README names are there", {
  skip_without_python()
  skip_if_not_installed("ggplot2")
  scored <- fair_audit(people, outcome = "y", decision = "yhat", score = "score", groups = "sex")
  for (kind in c("rates", "differences", "ratios", "roc", "ecdf", "calibration")) {
    expect_s3_class(ggplot2::autoplot(scored, kind), "ggplot")
  }
  expect_true(all(c("rates", "differences", "ratios", "hundred") %in% fair_figure(scored)$kinds))
})

plot_of_differences <- function(audit, page) {
  grDevices::pdf(page, compress = FALSE, useKerning = FALSE)
  on.exit(grDevices::dev.off())
  plot(audit, "differences")
}

test_that("a message, and not the figure of one attribute, names those that it leaves out", {
  skip_without_python()
  skip_if_not_installed("ggplot2")
  both <- fair_audit(transform(people, half = rep_len(c("a", "b"), nrow(people))), decision = "yhat",
    groups = c("sex", "half"), intersections = FALSE)
  expect_message(drawn <- ggplot2::autoplot(both), "Not drawn: half; give it as attribute", fixed = TRUE)
  expect_null(drawn$labels$caption)
  expect_no_message(ggplot2::autoplot(both, attribute = "half"))
  expect_no_message(ggplot2::autoplot(fair_audit(people, decision = "yhat", groups = "sex")))
  page <- tempfile(fileext = ".pdf")
  expect_message(drawn <- plot_of_differences(both, page), "Not drawn: half")
  expect_identical(unique(drawn$attribute), "sex")
  expect_false(any(grepl("Not drawn", readLines(page, warn = FALSE), useBytes = TRUE)))
  within <- fair_audit(transform(people, half = rep_len(c("a", "b"), nrow(people))), decision = "yhat", groups = "sex",
    strata = "half")
  expect_no_message(plot_of_differences(within, page))
  lines <- readLines(page, warn = FALSE, encoding = "latin1")
  number <- function(line, place) as.numeric(strsplit(line, " ", fixed = TRUE)[[1L]][[place]])
  dashed <- lines[[grep("^\\[ .* 0 d$", lines)[[1L]] + 1L]]
  note <- grep("not adjusted for half", lines, fixed = TRUE, useBytes = TRUE, value = TRUE)
  expect_gt(number(note, 9L), number(dashed, 5L)) # the note stands above the upper end of the dashed line
  unlink(page)
})

test_that("groups have one order and one color in all figures, by base graphics and by ggplot2", {
  skip_without_python()
  skip_if_not_installed("ggplot2")
  ordered <- transform(people, group = factor(group, c("c", "a", "b")))
  audit <- fair_audit(ordered, "yhat", "group", outcome = "y", score = "score")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (kind in c("roc", "ecdf", "calibration")) {
    expect_identical(unique(plot(audit, kind)$group), c("c", "a", "b"), label = kind)
    drawn <- ggplot2::ggplot_build(ggplot2::autoplot(audit, kind))
    expect_identical(drawn$plot$scales$get_scales("colour")$get_limits(), c("c", "a", "b"), label = kind)
  }
  compared <- fair_compare(people, "y", "sex", c("age", "priors"), methods = c("none", "og"), k = 1, n_repeats = 2)
  built <- ggplot2::ggplot_build(ggplot2::autoplot(compared))
  points <- built$data[[length(built$data)]]
  expect_identical(points$colour[points$y == max(points$y)], "#000000") # everybody is first from the top
  near <- exp(-as.matrix(stats::dist(scale(people[1:40, c("age", "priors", "income")])))^2)
  shares <- fair_spectral_clustering(near, people$sex[1:40], k = 2)
  bars <- ggplot2::layer_data(ggplot2::autoplot(shares))
  expect_identical(unique(bars$fill[bars$ymin == 0]), shades(2)[[1L]]) # the first group at the foot
})

test_that("a figure of rates, differences and ratios draws what has one axis", {
  skip_without_python()
  beside <- fair_representation(people, "sex", benchmark = c(female = 0.5, male = 0.5))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(unique(plot(beside)$contrast), "difference")
})

test_that("gaps that are watched are drawn by period", {
  skip_without_python()
  cases <- data.frame(month = rep(1:4, each = 100), sex = c("f", "m"), hired = c(0, 1, 1, 1))
  watched <- fair_monitor(hired ~ sex, cases, reference = "m")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  drawn <- plot(watched)
  expect_identical(drawn$given, as.character(1:4))
  expect_equal(drawn$estimate, rep(-0.5, 4))
  expect_false(anyNA(drawn[c("conf.low", "conf.high")]))
  expect_identical(plot(watched, "periods"), drawn)
  expect_equal(nrow(plot(watched, "estimates")), 1L)
  expect_error(plot(watched, metric = "FPR"), "there is no metric 'FPR' here")
  skip_if_not_installed("ggplot2")
  expect_equal(nrow(ggplot2::layer_data(ggplot2::autoplot(watched), 2L)), 4L)
})

test_that("the gap so far, the margin and the baseline are drawn beside the gaps of periods, as fair_figure() has them", {
  skip_without_python()
  cases <- data.frame(month = rep(1:6, each = 40), sex = c("f", "m"), hired = rep(c(0, 1, 1, 1, 0, 1, 1, 0), 30))
  watched <- fair_monitor(hired ~ sex, cases, reference = "m", margin = 0.1)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  drawn <- plot(watched)
  so_far <- subset(tidy(watched, role = "all"), estimator == "periods so far")
  expect_identical(list(drawn$so.far.low, drawn$so.far.high), list(so_far$conf.low, so_far$conf.high))
  expect_equal(unique(unlist(drawn[c("allowed.low", "allowed.high")], use.names = FALSE)), c(-0.1, 0.1))
  expect_match(fair_figure(watched)$alt, "Lines of the margin: at \u221210.0 and +10.0 points", fixed = TRUE)
  later <- fair_monitor(hired ~ sex, cases, reference = "m", baseline = "2")
  before <- subset(tidy(later, role = "all"), name == "baseline")
  rows <- plot(later)
  limits <- unlist(unique(rows[c("baseline", "allowed.low", "allowed.high")]), use.names = FALSE)
  expect_identical(limits, c(before$estimate, before$conf.low, before$conf.high))
  expect_match(periods_note(rows), "dotted: beyond them a change counts", fixed = TRUE)
  skip_if_not_installed("ggplot2")
  chart <- ggplot2::autoplot(watched)
  expect_equal(ggplot2::layer_data(chart, 2L)$xmin, so_far$conf.low)
  expect_setequal(round(ggplot2::layer_data(chart, 4L)$x, 6), c(-0.1, 0.1))
  expect_identical(chart$labels$caption, "bar: limits of the gap so far, if it never changed; dotted: the margin")
  expect_setequal(ggplot2::layer_data(ggplot2::autoplot(later), 4L)$linetype, 2:3)
})

test_that("every interval of a long table has its name", {
  written <- function(n) {
    file <- withr_tempfile(".pdf")
    grDevices::pdf(file, compress = FALSE)
    rows <- data.frame(estimate = seq_len(n) / n, conf.low = 0, conf.high = 1)
    plot_forest(rows, paste0("row", seq_len(n), "x"), 0, "", "", NULL)
    grDevices::dev.off()
    text <- readLines(file, warn = FALSE, encoding = "latin1")
    # kerning splits a text into pieces: (ro) 10 (w1x)
    texts <- gsub("\\)[^(]*\\(", "", grep("TJ|Tj", text, value = TRUE, useBytes = TRUE), useBytes = TRUE)
    c(labels = sum(grepl("row[0-9]+x", texts, useBytes = TRUE)),
      pages = sum(grepl("/Type /Page ", text, fixed = TRUE, useBytes = TRUE)))
  }
  expect_equal(written(38L)[["labels"]], 38)
  expect_equal(written(38L)[["pages"]], 1)
  expect_equal(written(200L)[["labels"]], 200)
  expect_gt(written(200L)[["pages"]], 1)
})

test_that("differences within declared strata stand first, and crude ones are called so", {
  skip_without_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  six <- as.data.frame(datasets::UCBAdmissions)
  audit <- fair_audit(six, "Admit", "Gender", favorable = "Admitted", reference = "Male", strata = "Dept", weights = "Freq",
    labels = list(attributes = list(Dept = "department")))
  rows <- plot(audit, "differences")
  expect_identical(rows$label, c("Women within department", "Women, crude"))
  expect_identical(rows$verdict, c("inconclusive", NA))
  expect_identical(figure_note(rows, audit, "differences"), "open: crude, not adjusted for department")
  for (name in c("risk difference within strata", "Difference within strata")) {
    expect_identical(plot(audit, metric = name), rows)
  }
  without <- fair_audit(six, "Admit", "Gender", favorable = "Admitted", weights = "Freq")
  expect_error(plot(without, metric = "risk difference within strata"), "has no strata; give the names of their columns")
  expect_null(figure_note(plot(without, "differences"), without, "differences"))
  paid <- fair_audit(transform(mtcars, part = rep(1:2, 16)), amount = "hp", groups = "am", strata = "part")
  expect_error(plot(paid, metric = "risk difference within strata"), "needs a decision or a score, and this audit has none",
    class = "fairstats_input_error")
  for (draw in list(plot, fair_figure, fair_table)) { # by its heading, which is that of decisions
    expect_error(draw(paid, metric = "Difference within strata"), "needs a decision", class = "fairstats_input_error")
  }
  expect_identical(plot(paid, metric = "Difference of means within strata"), plot(paid, metric = "mean difference within strata"))
  short <- rows_in_short(audit)
  expect_identical(names(short)[3:7], c("within department", "diff.low", "diff.high", "adj.p.value", "verdict"))
  expect_equal(short$`within department`[[2L]], rows$estimate[[1L]])
  expect_equal(short$`crude difference`[[2L]], rows$estimate[[2L]])
  expect_match(fair_table(audit, "differences")$caption, "within department, and crude")
  skip_if_not_installed("ggplot2")
  expect_match(ggplot2::autoplot(audit, "differences")$labels$caption, "crude, not adjusted for department")
})
