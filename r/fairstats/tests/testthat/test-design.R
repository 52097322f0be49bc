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

test_that("degrees of freedom are degf() of units of one size, and fewer of units that differ, as the help says", {
  skip_without_python()
  people <- api("apiclus1")
  whole <- survey::svydesign(ids = ~dnum, weights = ~pw, fpc = ~fpc, data = people)
  of_groups <- vapply(rates(audited(whole))$group, function(type) survey::degf(whole[people$stype == type, ]), 0)
  for (design in list(whole, survey::svydesign(ids = ~dnum, weights = ~pw, data = people))) {
    expect_true(all(rates(audited(design))$df < of_groups))
  }
  people <- people[stats::ave(people$snum, people$dnum, FUN = seq_along) <= 2, ]
  people <- people[stats::ave(people$snum, people$dnum, FUN = length) == 2, ]
  people$half <- rep(c("a", "b"), nrow(people) / 2)
  even <- survey::svydesign(ids = ~dnum, weights = ~pw, fpc = ~fpc, data = people)
  row <- tidy(fair_audit(even, decision = "sch.wide", groups = "half", favorable = "Yes"))[1, ]
  expect_equal(row$df, survey::degf(even))
})

# Standard errors of an audit are those of survey, in the order of the groups.
expect_errors <- function(design, ...) {
  a <- audited(design)
  by <- survey::svyby(~ as.numeric(ok), ~stype, design, survey::svymean)
  expect_equal(rates(a)$estimate, unname(stats::coef(by)), tolerance = 1e-10)
  expect_equal(rates(a)$std.error, unname(as.numeric(survey::SE(by))), tolerance = 1e-8)
  a
}

test_that("strata, finite populations, subsets and single units are those of survey", {
  skip_without_python()
  design <- survey::svydesign(ids = ~1, strata = ~stype, weights = ~pw, data = api("apistrat"), fpc = ~fpc)
  expect_silent(a <- expect_errors(design))
  labels <- gsub("\\s+", " ", paste(format(a), collapse = " "))
  expect_match(labels, "Audit of the survey design data: 200 rows", fixed = TRUE)
  expect_match(labels, "whole sampling design: 200 units drawn in 3 strata, 197 degrees of freedom")
  expect_match(labels, "Rows behind them, by stype: E (100), H (50), M (50)", fixed = TRUE)
  expect_match(labels, "Standard errors are smaller by the shares")
  page <- withr_tempfile(".html")
  fair_report(a, to = page)
  expect_in_page(page, "200 units drawn in 3 strata")
  kept <- withr_tempfile(".json")
  fair_report(a, to = kept)
  expect_true(fair_verify_report(kept, design)$ok)
  expect_error(fair_verify_report(kept, design$variables), "the report is of a survey's design; give the design")
  expect_errors(subset(design, api00 > 600))
  by_hand <- audited(api("apistrat"), design = list(weights = "pw", strata = "stype", fpc = "fpc"))
  expect_equal(rates(by_hand)$std.error, rates(a)$std.error, tolerance = 1e-12)
  high <- transform(api("apistrat"), high = api00 > 600)
  named <- audited(high, design = list(weights = "pw", strata = "stype", fpc = "fpc", domain = "high"))
  expect_equal(tidy(named), tidy(audited(subset(design, api00 > 600))))
  # districts within the strata of a made column, the first of which holds one district
  people <- transform(api("apiclus1"), half = ifelse(dnum == dnum[1], "one", ifelse(dnum > 400, "high", "low")))
  nested <- survey::svydesign(ids = ~dnum, strata = ~half, weights = ~pw, data = people)
  expect_error(audited(nested),
    "one drawn unit in stratum one, .* subset\\(\\) of the design; .* name a rule .*options\\(survey.lonely.psu = \"adjust\"\\)",
    class = "fairstats_input_error")
  expect_error(audited(people, design = list(weights = "pw", strata = "half", clusters = "dnum")),
    "one drawn unit in stratum one; if the table was cut .* domain; .* name a rule for such strata: single_units",
    class = "fairstats_input_error")
  for (rule in c("remove", "certainty", "adjust", "average")) {
    before <- options(survey.lonely.psu = rule)
    if (rule == "average") expect_warning(a <- audited(nested), "svyby() averages", fixed = TRUE) else a <- audited(nested)
    y <- with(people, vapply(sort(unique(as.character(stype))), function(g) {
      inside <- stype == g
      pw * inside * (ok - sum((pw * ok)[inside]) / sum(pw[inside])) / sum(pw[inside])
    }, numeric(nrow(people))))
    wanted <- survey::svyrecvar(y, nested$cluster, nested$strata, nested$fpc)
    options(before)
    expect_equal(rates(a)$std.error, unname(sqrt(diag(wanted))), tolerance = 1e-8)
  }
})

test_that("designs of replicate weights are taken with their scales", {
  skip_without_python()
  design <- survey::svydesign(ids = ~dnum, weights = ~pw, data = api("apiclus1"))
  a <- expect_errors(survey::as.svrepdesign(design))
  labels <- gsub("\\s+", " ", paste(format(a), collapse = " "))
  expect_match(labels, "the weights of 15 replicates (JK1), 14 degrees", fixed = TRUE)
  expect_errors(survey::as.svrepdesign(design, type = "bootstrap", replicates = 30))
  strata <- survey::svydesign(ids = ~1, strata = ~stype, weights = ~pw, data = api("apistrat"))
  expect_errors(survey::as.svrepdesign(strata, type = "JKn", mse = TRUE))
  people <- api("apistrat")
  people[paste0("rw", 1:10)] <- stats::weights(survey::as.svrepdesign(strata, type = "bootstrap", replicates = 10), "analysis")
  by_hand <- audited(people, design = list(weights = "pw", replicate_weights = "rw*", kind = "bootstrap"))
  expect_identical(by_hand$protocol$design$kind, "bootstrap")
})

test_that("scores, adjusted gaps and strata of a factor have the errors of survey", {
  skip_without_python()
  people <- transform(api("apistrat"), growth = growth + seq_along(growth) / 1e6) # no ties
  design <- survey::svydesign(ids = ~1, strata = ~stype, weights = ~pw, data = people, fpc = ~fpc)
  jackknife <- survey::as.svrepdesign(design, type = "JKn")
  calibrated <- survey::calibrate(design, ~ stype + api99, c(`(Intercept)` = 6194, stypeH = 755, stypeM = 1018, api99 = 3914069))
  for (one in list(design, jackknife, calibrated)) {
    test <- survey::svyranktest(growth ~ awards, one)
    rows <- tidy(fair_audit(one, score = "growth", groups = "awards", reference = "No", strata = "stype"))
    row <- rows[rows$metric == "score distribution" & rows$role == "main", ]
    expect_equal(row$p.value, as.numeric(test$p.value), tolerance = 1e-8)
    expect_true(is.finite(rows$estimate[rows$metric == "P(X>Y) within strata"]))
    fit <- survey::svyglm(api00 ~ awards + meals + ell, one)
    rows <- tidy(fair_audit(one, amount = "api00", groups = "awards", reference = "No", adjust_for = ~ meals + ell), role = "all")
    row <- rows[rows$metric == "group coefficient", ]
    expect_equal(c(row$estimate, row$std.error), unname(c(stats::coef(fit)[[2]], survey::SE(fit)[[2]])), tolerance = 1e-8)
    expect_identical(row$df, as.numeric(fit$df.residual))
  }
})

test_that("later stages add to the variance as in survey, also of a subset", {
  skip_without_python()
  two <- survey::svydesign(ids = ~ dnum + snum, fpc = ~ fpc1 + fpc2, weights = ~pw, data = api("apiclus2"))
  for (design in list(two, subset(two, api99 > 500))) {
    rows <- tidy(fair_audit(design, "both", "stype", favorable = "Yes"))
    rows <- rows[rows$contrast == "none" & rows$metric == "selection rate" & !is.na(rows$estimate), ]
    theirs <- survey::svyby(~ I(both == "Yes"), ~stype, design, survey::svymean)
    theirs <- theirs[match(rows$group, theirs$stype), ]
    expect_equal(rows$estimate, theirs[["I(both == \"Yes\")TRUE"]], tolerance = 1e-8)
    expect_equal(rows$std.error, theirs[["se.I(both == \"Yes\")TRUE"]], tolerance = 1e-8)
  }
  before <- options(survey.ultimate.cluster = TRUE) # the first stage alone
  on.exit(options(before))
  expect_errors(two)
})

test_that("rows say how many rows are behind weights, and means have the limits of survey on these degrees of freedom", {
  skip_without_python()
  people <- api("apistrat")
  design <- survey::svydesign(ids = ~1, strata = ~stype, weights = ~pw, data = people, fpc = ~fpc)
  rows <- tidy(fair_audit(design, amount = "api00", groups = "awards"))
  counted <- rows[rows$role == "main" & rows$group %in% "Yes", ]
  expect_equal(unique(counted$n.unweighted), sum(people$awards == "Yes"))
  expect_equal(unique(counted$n), sum(people$pw[people$awards == "Yes"]))
  for (group in c("Yes", "No")) {
    row <- rows[rows$metric == "mean amount" & rows$contrast == "none" & rows$group %in% group & rows$role == "main", ]
    part <- design[people$awards == group, ]
    expect_lt(row$df, survey::degf(part)) # schools of unequal weight, for which degf() is too many
    limits <- stats::confint(survey::svymean(~api00, part), df = row$df)
    expect_equal(c(row$conf.low, row$conf.high), as.numeric(limits), tolerance = 1e-8)
    expect_match(row$method, "variance of the survey's design, t")
  }
  expect_true(all(rates(audited(design))$n.unweighted == c(100, 50, 50)))
  expect_false("n.unweighted" %in% names(tidy(audited(people))))
})

test_that("designs whose variance would be another are refused", {
  skip_without_python()
  refused <- function(data, ...) expect_error(audited(data), ..., class = "fairstats_input_error")
  within <- survey::svydesign(ids = ~ dnum + snum, strata = ~ I(dnum > 400) + I(snum %% 2), fpc = ~ fpc1 + fpc2, nest = TRUE,
    data = api("apiclus2"))
  refused(within, "later stages have strata of their own.*mrbbootstrap")
  plain <- survey::svydesign(ids = ~dnum, weights = ~pw, data = api("apiclus1"))
  population <- data.frame(stype = c("E", "H", "M"), Freq = c(4421, 755, 1018))
  totals <- c(`(Intercept)` = 6194, stypeH = 755, stypeM = 1018)
  twice <- survey::postStratify(survey::calibrate(plain, ~api99, c(`(Intercept)` = 6194, api99 = 3914069)), ~stype, population)
  refused(twice, "calibrated more than once.*calibrate\\(as.svrepdesign")
  within <- survey::calibrate(plain, ~1, lapply(1:15, function(i) c(`(Intercept)` = 400)), stage = 1)
  refused(within, "calibrated within its units")
  expect_errors(survey::calibrate(survey::as.svrepdesign(plain), ~stype, totals)) # the way out
  expect_errors(survey::postStratify(survey::as.svrepdesign(plain), ~stype, population))
  design <- survey::svydesign(ids = ~1, strata = ~stype, weights = ~pw, data = api("apistrat"), fpc = ~fpc)
  for (asked in list(fair_tally, fair_subgroup_scan)) {
    expect_error(asked(design, "ok", "stype"), "fair_audit\\(\\) alone takes one", class = "fairstats_input_error")
  }
  expect_error(audited(design, weights = "pw"), "weights is given and data is a design", class = "fairstats_input_error")
})

test_that("calibrated designs have the standard errors of survey, of rates, differences and means", {
  skip_without_python()
  clustered <- survey::svydesign(ids = ~dnum, weights = ~pw, data = api("apiclus1"), fpc = ~fpc)
  stratified <- survey::svydesign(ids = ~1, strata = ~stype, weights = ~pw, data = api("apistrat"), fpc = ~fpc)
  staged <- survey::svydesign(ids = ~ dnum + snum, fpc = ~ fpc1 + fpc2, data = api("apiclus2"))
  plain <- survey::svydesign(ids = ~dnum, weights = ~pw, data = api("apiclus1"))
  types <- data.frame(stype = c("E", "H", "M"), Freq = c(4421, 755, 1018))
  wide <- data.frame(sch.wide = c("No", "Yes"), Freq = c(1072, 5122))
  totals <- c(`(Intercept)` = 6194, stypeH = 755, stypeM = 1018)
  scored <- c(totals, api99 = 3914069)
  exact <- list(maxit = 50, epsilon = 1e-9) # by default rake() stops at rates that are right to six digits
  designs <- list(
    survey::calibrate(clustered, ~stype, totals), survey::calibrate(plain, ~ stype + api99, scored),
    survey::calibrate(clustered, ~ stype + api99, scored, calfun = "raking"),
    survey::calibrate(clustered, ~ stype + api99, scored, calfun = "logit", bounds = c(0.3, 3)),
    survey::calibrate(clustered, ~ api99 - 1, 3914069, variance = 1),
    survey::calibrate(clustered, ~stype, totals, aggregate.stage = 1), survey::calibrate(stratified, ~ stype + api99, scored),
    survey::calibrate(staged, ~stype, totals), survey::postStratify(clustered, ~stype, types),
    survey::rake(clustered, list(~stype, ~sch.wide), list(types, wide), control = exact)
  )
  designs <- c(designs, lapply(designs[c(2L, 9L, 10L)], function(design) subset(design, api99 > 500)))
  for (design in designs) {
    rows <- tidy(fair_audit(design, decision = "ok", groups = "stype", amount = "api00", favorable = TRUE))
    rows <- rows[rows$role == "main" & rows$group %in% c("E", "H", "M"), ]
    for (metric in c("selection rate", "mean amount")) {
      y <- if (metric == "mean amount") ~api00 else ~ I(as.numeric(ok))
      found <- rows[rows$metric == metric & rows$contrast == "none", ]
      wanted <- survey::svyby(y, ~stype, design, survey::svymean)[found$group, ]
      expect_equal(found$estimate, wanted[[2L]], tolerance = 1e-10)
      expect_equal(found$std.error, wanted$se, tolerance = 1e-8)
    }
    gap <- rows[rows$metric == "selection rate" & rows$contrast == "difference" & rows$group == "H", ]
    fit <- suppressWarnings(survey::svyglm(as.numeric(ok) ~ stype, design), classes = "warning")
    expect_identical(gap$reference, "E")
    expect_equal(gap$std.error, suppressWarnings(unname(survey::SE(fit)[["stypeH"]])), tolerance = 1e-8)
  }
  a <- audited(designs[[1L]])
  expect_match(gsub("\\s+", " ", paste(format(summary(a)), collapse = " ")), fixed = TRUE,
    "Weights were calibrated to (Intercept), stypeH, stypeM")
  # the same, said by hand
  people <- api("apiclus1")
  people$post <- stats::weights(designs[[9L]])
  by_hand <- audited(people, design = list(weights = "post", clusters = "dnum", fpc = "fpc", calibration = "stype",
    base_weights = "pw"))
  expect_equal(rates(by_hand)$std.error, rates(audited(designs[[9L]]))$std.error, tolerance = 1e-12)
})

test_that("a list or a file declares what a design does not", {
  skip_without_python()
  design <- survey::svydesign(ids = ~dnum, weights = ~pw, data = api("apiclus1"))
  a <- fair_audit(design, protocol = list(groups = "stype", decision = "ok", favorable = TRUE, p_adjust = "none"))
  expect_equal(tidy(a), tidy(audited(design)))
})

test_that("replicate weights of a two-stage design with fpc give survey's standard error", {
  skip_without_python()
  skip_if_not_installed("survey")
  design <- survey::svydesign(ids = ~ dnum + snum, fpc = ~ fpc1 + fpc2, data = api("apiclus2"))
  drawn <- survey::as.svrepdesign(design, type = "mrbbootstrap", replicates = 60)
  rows <- tidy(fair_audit(drawn, decision = "sch.wide", groups = "stype", favorable = "Yes"))
  found <- rows[rows$contrast == "none" & rows$group %in% "E" & rows$role == "main", ]
  wanted <- survey::svymean(~ I(sch.wide == "Yes"), subset(drawn, stype == "E"))
  expect_equal(found$estimate, unname(coef(wanted)[[2L]]), tolerance = 1e-10)
  expect_equal(found$std.error, unname(survey::SE(wanted)[[2L]]), tolerance = 1e-8)
})

test_that("notes on a design are printed whole, and every group of the tables after them", {
  skip_without_python()
  design <- survey::svydesign(ids = ~1, strata = ~stype, weights = ~pw, fpc = ~fpc, data = api("apistrat"))
  shown <- format(fair_audit(design, "sch.wide", c("yr.rnd", "stype"), favorable = "Yes"))
  text <- paste(shown, collapse = " ")
  expect_match(text, "200 units drawn in 3 strata, 197 degrees of freedom (units less strata).", fixed = TRUE)
  expect_no_match(text, "has the whole answer|not printed")
  expect_true(all(c("E", "H", "M", "No", "Yes") %in% sub("^  (\\S+) .*", "\\1", grep("^  \\S", shown, value = TRUE))))
})

test_that("a long answer points to where R has all of it", {
  skip_without_python()
  design <- survey::svydesign(ids = ~dnum, weights = ~pw, data = api("apiclus1"))
  words <- "met both of the targets that the state had set for the whole school and for each of its larger groups of pupils"
  words <- paste(words, "in the year before and in each of the three years that the board had looked at since then")
  words <- paste(words, sub("^met", "and", words), sub("^met", "and", words))
  audit <- fair_audit(design, "ok", c("stype", "awards", "yr.rnd", "comp.imp"), favorable = TRUE,
    labels = list(unit = "schools", favorable = words, unfavorable = paste("have not", words)))
  shown <- paste(format(audit), collapse = " ")
  expect_match(shown, "$finding has the whole answer", fixed = TRUE)
})
