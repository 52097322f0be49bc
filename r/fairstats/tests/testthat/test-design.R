# Designs of package survey, and objects of srvyr, which are such designs with one more class.
api <- function(name) {
  skip_if_not_installed("survey")
  home <- new.env()
  utils::data("api", package = "survey", envir = home)
  transform(get(name, home), ok = awards == "Yes")
}
audited <- function(data, ...) fair_audit(data, decision = "ok", favorable = TRUE, groups = "stype", p_adjust = "none", ...)
rates <- function(a) {
  rows <- tidy(a)
  rows <- rows[rows$metric == "selection rate" & rows$contrast == "none" & rows$role == "main", ]
  rows[order(rows$group), ]
}

test_that("a clustered design has survey's rates, errors and covariances", {
  skip_without_python()
  people <- api("apiclus1")
  design <- survey::svydesign(ids = ~dnum, weights = ~pw, data = people)
  expect_silent(a <- audited(design))
  by <- survey::svyby(~ok, ~stype, design, survey::svymean, covmat = TRUE)
  expect_equal(rates(a)$estimate, unname(stats::coef(by)[4:6]), tolerance = 1e-12)
  expect_equal(rates(a)$std.error, unname(survey::SE(by)[, 2]), tolerance = 1e-12)
  expect_identical(a$protocol$clusters, "sampling unit")
  expect_identical(a$protocol$weight_type, "probability")
  gap <- tidy(a)
  gap <- gap[gap$metric == "selection rate" & gap$contrast %in% "difference" & gap$group == "M" & gap$role == "main", ]
  wanted <- survey::svycontrast(by, list(gap = c(0, 0, 0, if (gap$reference == "E") c(-1, 0, 1) else c(0, -1, 1))))
  expect_equal(gap$std.error, unname(survey::SE(wanted))[1], tolerance = 1e-12)
  # the same, said by hand
  by_hand <- audited(people, weights = "pw", weight_type = "probability", clusters = "dnum")
  expect_equal(tidy(a), tidy(by_hand))
  like_srvyr <- structure(design, class = c("tbl_svy", class(design)))
  expect_equal(tidy(audited(like_srvyr)), tidy(a))
})

test_that("people drawn one by one are no clusters, and subsets keep their people", {
  skip_without_python()
  design <- survey::svydesign(ids = ~1, weights = ~pw, data = api("apisrs"))
  a <- audited(design)
  expect_identical(a$protocol$clusters, "")
  expect_equal(rates(a)$std.error, unname(survey::SE(survey::svyby(~ok, ~stype, design, survey::svymean))[, 2]),
    tolerance = 1e-12)
  half <- audited(subset(design, cname != "Los Angeles"))
  by <- survey::svyby(~ok, ~stype, subset(design, cname != "Los Angeles"), survey::svymean)
  expect_equal(rates(half)$estimate, unname(stats::coef(by)[4:6]), tolerance = 1e-12)
})

test_that("what a design has beyond weights and clusters is said, and other designs are refused", {
  skip_without_python()
  design <- survey::svydesign(ids = ~1, strata = ~stype, weights = ~pw, data = api("apistrat"), fpc = ~fpc)
  expect_warning(a <- audited(design), paste("the strata and finite population correction of the design are not used, only",
    "its weights and clusters: the standard errors of the selection rates here are 1.01 to 1.03 times those of survey"),
    class = "fairstats_warning")
  whole <- survey::SE(survey::svyby(~ok, ~stype, design, survey::svymean))[, 2]
  expect_equal(sort(error_ratios(design, a)), sort(unname(rates(a)$std.error / whole)), tolerance = 1e-12)
  # the result says so as long as it lives: printed, reported, saved; with the rows behind the weighted numbers
  labels <- paste(c(gsub("\\s+", " ", paste(format(a), collapse = " ")), a$notes), collapse = " ")
  expect_match(labels, "Not used: strata, finite population correction. Intervals and tests do without.*Not used: strata")
  expect_match(labels, "Rows behind them, by stype: E (100), H (50), M (50)", fixed = TRUE)
  expect_identical(unlist(a$protocol$unused), c("strata", "finite population correction"))
  page <- withr_tempfile(".html")
  fair_report(a, to = page)
  expect_in_page(page, "Not used: strata, finite population correction")
  kept <- withr_tempfile(".json")
  fair_report(a, to = kept)
  expect_true(fair_verify_report(kept, design)$ok)
  # two stages: what the second adds to a corrected first can be more than the correction takes
  two <- survey::svydesign(ids = ~ dnum + snum, fpc = ~ fpc1 + fpc2, data = api("apiclus2"))
  expect_warning(a <- audited(two), "correction of the design is not used.*are 0.96 to 1.02 times those of survey.*without it")
  whole <- survey::SE(survey::svyby(~ok, ~stype, two, survey::svymean))[, 2]
  expect_equal(sort(error_ratios(two, a)), sort(unname(rates(a)$std.error / whole)), tolerance = 1e-12)
  calibrated <- survey::calibrate(survey::svydesign(ids = ~dnum, weights = ~pw, data = api("apiclus1")), ~stype,
    c(`(Intercept)` = 6194, stypeH = 755, stypeM = 1018))
  expect_warning(a <- audited(calibrated), "calibration of the design is not used")
  whole <- survey::SE(survey::svyby(~ok, ~stype, calibrated, survey::svymean))[, 2]
  expect_equal(sort(error_ratios(calibrated, a)), sort(unname(rates(a)$std.error / whole)), tolerance = 1e-9)
  # a score has no selection rate, and survey refuses a stratum of one unit
  expect_warning(fair_audit(design, score = "api00", groups = "stype"), "its weights and clusters. Intervals and tests do")
  lonely <- survey::svydesign(ids = ~1, strata = ~one, weights = ~pw,
    data = transform(api("apistrat"), one = seq_along(pw) == 1L))
  expect_warning(audited(lonely), "the strata of the design are not used, only its weights and clusters. Intervals")
  replicates <- suppressWarnings(survey::as.svrepdesign(survey::svydesign(ids = ~dnum, weights = ~pw, data = api("apiclus1"))))
  expect_error(audited(replicates), "replicate weights.*give the design that it was made of", class = "fairstats_input_error")
  expect_error(audited(design, weights = "pw"), "weights is given and data is a design", class = "fairstats_input_error")
})

test_that("a list or a file declares what a design does not", {
  skip_without_python()
  design <- survey::svydesign(ids = ~dnum, weights = ~pw, data = api("apiclus1"))
  a <- fair_audit(design, protocol = list(groups = "stype", decision = "ok", favorable = TRUE, p_adjust = "none"))
  expect_equal(tidy(a), tidy(audited(design)))
})
