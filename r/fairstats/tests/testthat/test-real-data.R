# Five data sets of R's own, audited and computed again by R: prop.test, fisher.test, wilcox.test, mantelhaen.test, pROC,
# epitools, survey.
of <- function(audit, metric, contrast = "none", role = "main", attribute = NULL) {
  rows <- tidy(audit, role = "all")
  kept <- rows$metric == metric & rows$contrast == contrast & rows$role == role
  if (!is.null(attribute)) kept <- kept & rows$attribute == attribute
  rows[kept, ]
}
limits <- function(rows) unname(as.matrix(rows[c("conf.low", "conf.high")]))

test_that("Mroz: women in the labor force by their and their husbands' college", {
  skip_without_python()
  for (package in c("carData", "pROC")) skip_if_not_installed(package)
  women <- carData::Mroz
  a <- fair_audit(women, outcome = "lfp", positive = "yes", score = "lwg", groups = c("wc", "hc"), p_adjust = "none")
  for (college in c("wc", "hc")) {
    rates <- of(a, "base rate", attribute = college)
    rates <- rates[match(c("no", "yes"), rates$group), ]
    counts <- table(women[[college]], women$lfp)
    for (level in 1:2) {
      wilson <- prop.test(counts[level, "yes"], sum(counts[level, ]), correct = FALSE)
      expect_equal(limits(rates)[level, ], as.vector(wilson$conf.int), tolerance = 1e-10)
    }
    gap <- of(a, "base rate", "difference", attribute = college)
    # the score interval: every difference that the score test of Miettinen and Nurminen does not reject
    own <- rates[match(gap$group, rates$group), ]
    base <- rates[match(gap$reference, rates$group), ]
    delta <- own$estimate - base$estimate
    n <- c(own$n, base$n)
    score <- function(shift) {
      loss <- function(p) -sum(dbinom(c(own$events, base$events), n, c(p + shift, p), log = TRUE))
      p <- optimize(loss, c(max(0, -shift) + 1e-9, min(1, 1 - shift) - 1e-9), tol = 1e-12)$minimum
      q <- c(p + shift, p)
      (delta - shift) / sqrt(sum(q * (1 - q) / n) * sum(n) / (sum(n) - 1))
    }
    low <- uniroot(function(d) score(d) - qnorm(0.975), c(delta - 0.5, delta), tol = 1e-12)$root
    high <- uniroot(function(d) score(d) + qnorm(0.975), c(delta, delta + 0.4), tol = 1e-12)$root
    expect_equal(c(gap$estimate, limits(gap)), c(delta, low, high), tolerance = 1e-6)
    pooled <- suppressWarnings(prop.test(counts[, "yes"], rowSums(counts), correct = FALSE))
    expect_equal(gap$statistic^2, unname(pooled$statistic), tolerance = 1e-10)
    ranks <- of(a, "score distribution", attribute = college)
    own <- women[[college]] == ranks$group
    wanted <- wilcox.test(women$lwg[own], women$lwg[!own], correct = TRUE, exact = FALSE)
    expect_equal(ranks$statistic, unname(wanted$statistic))
    expect_equal(ranks$p.value, wanted$p.value, tolerance = 1e-9)
    areas <- of(a, "AUC", attribute = college)
    for (level in areas$group) {
      curve <- pROC::roc(women$lfp[women[[college]] == level], women$lwg[women[[college]] == level], levels = c("no", "yes"),
        direction = "<", quiet = TRUE)
      row <- areas[areas$group == level, ]
      expect_equal(c(row$conf.low, row$estimate, row$conf.high), as.vector(pROC::ci.auc(curve)), tolerance = 1e-10)
    }
  }
})

test_that("TitanicSurvival: women and men within the classes", {
  skip_without_python()
  skip_if_not_installed("carData")
  people <- carData::TitanicSurvival
  a <- fair_audit(people, decision = "survived", favorable = "yes", groups = "sex", strata = "passengerClass", p_adjust = "none")
  counts <- table(people$sex, people$survived, people$passengerClass)[, c("yes", "no"), ]
  common <- mantelhaen.test(counts, correct = FALSE)
  row <- of(a, "common odds ratio", "ratio")
  expect_identical(c(row$group, row$reference), c("female", "male"))
  expect_equal(row$estimate, unname(common$estimate), tolerance = 1e-9)
  expect_identical(prod(log(limits(row))) > 0, common$p.value < 0.05) # limits of the exact test that gives the verdict
  exact <- mantelhaen.test(counts, exact = TRUE)
  expect_equal(of(a, "conditional odds ratio", "ratio")$estimate, unname(exact$estimate),
    tolerance = 1e-4) # R's own search ends there
  # Mantel and Haenszel's difference and ratio by their formulas
  n1 <- apply(counts["female", , ], 2, sum)
  n0 <- apply(counts["male", , ], 2, sum)
  r1 <- counts["female", "yes", ] / n1
  r0 <- counts["male", "yes", ] / n0
  weight <- n1 * n0 / (n1 + n0)
  expect_equal(of(a, "risk difference within strata", "difference")$estimate, sum(weight * (r1 - r0)) / sum(weight))
  expect_equal(of(a, "risk ratio within strata", "ratio")$estimate, sum(weight * r1) / sum(weight * r0))
  mixed <- fair_audit(people, decision = "survived", favorable = "yes", groups = "sex:passengerClass")
  rates <- of(mixed, "selection rate")
  wanted <- prop.table(table(interaction(people$sex, people$passengerClass, sep = ":"), people$survived), 1)[, "yes"]
  expect_equal(stats::setNames(rates$estimate, rates$group)[names(wanted)], c(wanted), tolerance = 1e-12)
})

test_that("WVS: degrees by gender within countries, beside epitools", {
  skip_without_python()
  for (package in c("carData", "epitools")) skip_if_not_installed(package)
  people <- carData::WVS
  a <- fair_audit(people, decision = "degree", favorable = "yes", groups = "gender", strata = "country", p_adjust = "none")
  counts <- table(people$gender, people$degree)
  rates <- of(a, "selection rate")
  wilson <- epitools::binom.wilson(counts[rates$group, "yes"], rowSums(counts)[rates$group])
  expect_equal(unname(cbind(rates$estimate, limits(rates))), unname(as.matrix(wilson[c("proportion", "lower", "upper")])),
    tolerance = 1e-9)
  ratio <- of(a, "selection rate", "ratio")
  table2 <- counts[c(ratio$reference, ratio$group), c("no", "yes")]
  risks <- suppressWarnings(epitools::riskratio.wald(table2))
  expect_equal(ratio$estimate, risks$measure[2, "estimate"], tolerance = 1e-12)
  expect_equal(2 * pnorm(-abs(of(a, "selection rate", "difference")$statistic)), risks$p.value[2, "chi.square"], tolerance = 1e-9)
  midp <- of(a, "selection rate", "difference", role = "sensitivity")
  expect_match(midp$method, "mid-p")
  # of all tables with these margins those that are less likely, and half of those as likely; epitools doubles one side
  chance <- dhyper(0:sum(table2[, "yes"]), rowSums(table2)[[1]], rowSums(table2)[[2]], sum(table2[, "yes"]))
  seen <- chance[table2[1, "yes"] + 1]
  alike <- abs(chance / seen - 1) < 1e-7
  expect_equal(midp$p.value, sum(chance[chance < seen & !alike]) + sum(chance[alike]) / 2, tolerance = 1e-9)
  expect_equal(midp$p.value, risks$p.value[2, "midp.exact"], tolerance = 0.02)
  strata <- table(people$gender, people$degree, people$country)
  row <- of(a, "common odds ratio", "ratio")
  common <- mantelhaen.test(strata[c(row$group, row$reference), c("yes", "no"), ], correct = FALSE)
  expect_equal(row$estimate, unname(common$estimate), tolerance = 1e-9)
  expect_equal(row$p.value, common$p.value, tolerance = 0.05) # of many people the exact test is close to it
  expect_equal(c(limits(row)), c(common$conf.int), tolerance = 0.01)
})

test_that("pbc: who dies, by sex, told by bilirubin", {
  skip_without_python()
  for (package in c("survival", "pROC", "epitools")) skip_if_not_installed(package)
  patients <- transform(survival::pbc, died = status == 2, high = bili > 2)
  a <- fair_audit(patients, outcome = "died", positive = TRUE, decision = "high", favorable = TRUE, positive_prediction = TRUE,
    score = "bili", groups = "sex", p_adjust = "none")
  curves <- lapply(c(m = "m", f = "f"), function(sex) {
    pROC::roc(died ~ bili, patients[patients$sex == sex, ], levels = c(FALSE, TRUE), direction = "<", quiet = TRUE)
  })
  for (sex in names(curves)) {
    row <- subset(of(a, "AUC"), group == sex)
    expect_equal(c(row$conf.low, row$estimate, row$conf.high), as.vector(pROC::ci.auc(curves[[sex]])), tolerance = 1e-10)
  }
  gap <- of(a, "AUC", "difference")
  wanted <- pROC::roc.test(curves[[gap$group]], curves[[gap$reference]], paired = FALSE)
  expect_equal(gap$estimate, unname(diff(rev(wanted$estimate))), tolerance = 1e-10)
  ranks <- of(a, "score distribution")
  own <- patients$sex == ranks$group
  ranked <- wilcox.test(patients$bili[own], patients$bili[!own], conf.int = TRUE, exact = FALSE)
  expect_equal(ranks$p.value, ranked$p.value, tolerance = 1e-9)
  shift <- of(a, "score shift", "difference")
  expect_equal(shift$estimate, unname(ranked$estimate), tolerance = 1e-3) # a root of R's, to 1e-4
  sensitivity <- of(a, "TPR")
  dead <- patients[patients$died, ]
  counts <- table(dead$sex, dead$high)[sensitivity$group, ]
  wilson <- epitools::binom.wilson(counts[, "TRUE"], rowSums(counts))
  expect_equal(limits(sensitivity), unname(as.matrix(wilson[c("lower", "upper")])), tolerance = 1e-9)
})

test_that("apiclus1: schools in districts, beside survey", {
  skip_without_python()
  skip_if_not_installed("survey")
  home <- new.env()
  utils::data("api", package = "survey", envir = home)
  schools <- transform(home$apiclus1, met = sch.wide == "Yes")
  design <- survey::svydesign(ids = ~dnum, weights = ~pw, data = schools)
  a <- fair_audit(design, decision = "met", favorable = TRUE, score = "api00", groups = c("comp.imp", "stype"), p_adjust = "none")
  for (attribute in c("comp.imp", "stype")) {
    rates <- of(a, "selection rate", attribute = attribute)
    by <- survey::svyby(~ as.numeric(met), stats::reformulate(attribute), design, survey::svymean, covmat = TRUE)
    expect_equal(rates$estimate, unname(stats::coef(by)[rates$group]), tolerance = 1e-12)
    own <- sqrt(diag(stats::vcov(by)))[match(rates$group, names(stats::coef(by)))]
    expect_equal(rates$std.error, unname(own), tolerance = 1e-12)
    for (i in seq_len(nrow(gaps <- of(a, "selection rate", "difference", attribute = attribute)))) {
      contrast <- (names(stats::coef(by)) == gaps$group[i]) - (names(stats::coef(by)) == gaps$reference[i])
      wanted <- survey::svycontrast(by, contrast)
      expect_equal(gaps$std.error[i], unname(survey::SE(wanted))[1], tolerance = 1e-12)
    }
  }
})
