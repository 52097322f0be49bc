# Designs of package survey, and objects of srvyr, which are such designs with one more class.
api <- function(name) {
  skip_if_not_installed("survey")
  home <- new.env()
  utils::data("api", package = "survey", envir = home)
  transform(get(name, home), ok = awards == "Yes")
}
audited <- function(data, ...) fair_audit(data, decision = "ok", favorable = TRUE, group = "stype", adjust = "none", ...)
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
  expect_warning(a <- audited(design), "strata and finite population correction of the design are not used",
    class = "fairstats_warning")
  # and without them errors are larger
  expect_true(all(rates(a)$std.error > survey::SE(survey::svyby(~ok, ~stype, design, survey::svymean))[, 2]))
  replicates <- suppressWarnings(survey::as.svrepdesign(survey::svydesign(ids = ~dnum, weights = ~pw, data = api("apiclus1"))))
  expect_error(audited(replicates), "class svyrep.design; give the design", class = "fairstats_input_error")
  expect_error(audited(design, weights = "pw"), "weights is given and data is a design", class = "fairstats_input_error")
})

test_that("a list or a file declares what a design does not", {
  skip_without_python()
  design <- survey::svydesign(ids = ~dnum, weights = ~pw, data = api("apiclus1"))
  a <- fair_audit(design, protocol = list(group = "stype", decision = "ok", favorable = TRUE, adjust = "none"))
  expect_equal(tidy(a), tidy(audited(design)))
})
