x <- people[c("age", "priors", "income")]

test_that("pca() is prcomp()", {
  skip_without_python()
  ours <- pca(x, k = 3, scale = TRUE)
  theirs <- stats::prcomp(x, scale. = TRUE)
  expect_equal(ours$sdev, theirs$sdev, tolerance = 1e-12)
  expect_equal(abs(ours$rotation), abs(theirs$rotation), tolerance = 1e-10)
  expect_equal(ours$center, theirs$center, tolerance = 1e-12)
  expect_equal(abs(unname(ours$x)), abs(unname(theirs$x)), tolerance = 1e-10)
  expect_s3_class(ours, "prcomp")
})

test_that("scores of og() are orthogonal to the groups, and those of pca() are not", {
  skip_without_python()
  Z <- stats::model.matrix(~group, people)[, -1]
  expect_lt(max(abs(cor(og(x, "group", k = 2, data = people)$x, Z))), 1e-10)
  expect_gt(max(abs(cor(pca(x, k = 2)$x, Z))), 0.1)
})

test_that("og() is the residual of a regression, as R computes it", {
  skip_without_python()
  centered <- scale(as.matrix(x), scale = FALSE)
  s <- svd(centered, nu = 2, nv = 2)
  scores <- stats::residuals(stats::lm(centered %*% s$v ~ people$group))
  expect_equal(abs(unname(og(x, people$group, k = 2)$x)), abs(unname(scores)), tolerance = 1e-9)
})

test_that("R makes the features of a formula", {
  skip_without_python()
  fit <- og(~ (age + priors + sex)^2, groups = "group", k = 3, data = people)
  by_hand <- stats::model.matrix(~ (age + priors + sex)^2, people)[, -1]
  expect_identical(rownames(fit$rotation), colnames(by_hand))
  expect_equal(fit$x, og(by_hand, people$group, k = 3)$x, tolerance = 1e-12)
  old <- options(contrasts = c("contr.sum", "contr.poly"))
  on.exit(options(old))
  sums <- og(~ sex + age, groups = "group", k = 2, data = people)
  expect_identical(rownames(sums$rotation), c("sex1", "age"))
  options(old) # new rows are coded as those of the fit were, whatever the session says by then
  expect_equal(predict(sums, people), sums$x, tolerance = 1e-12)
})

test_that("predict() gives the scores of the fit, knows levels of few rows, and needs no Python", {
  skip_without_python()
  fit <- og(~ age * income + log1p(priors), groups = c("group", "sex"), k = 3, data = people)
  expect_equal(predict(fit, people), fit$x, tolerance = 1e-12)
  expect_equal(predict(fit, people[7, ]), fit$x[7, , drop = FALSE], tolerance = 1e-12)
  expect_equal(predict(fit, people), fs_call("rows_of", list(X = unname(new_features(fit, people)),
    groups = people[c("group", "sex")], on_unknown = "raise"), list(fit = attr(fit, "python"))),
    tolerance = 1e-12, ignore_attr = TRUE)
  file <- withr_tempfile()
  saveRDS(fit, file)
  again <- readRDS(file)
  expect_equal(predict(again, people), fit$x, tolerance = 1e-12)
  expect_output(print(again), "Orthogonal to groups")
  expect_match(fair_report(again, to = withr_tempfile(".json")), "[.]json$")
})

test_that("groups may be names, a formula, a vector, a factor, a frame or an intersection", {
  skip_without_python()
  wanted <- og(x, people$group, k = 2)$x
  expect_equal(og(x, factor(people$group), k = 2)$x, wanted)
  expect_equal(og(x, "group", k = 2, data = people)$x, wanted)
  expect_equal(og(x, ~group, k = 2, data = people)$x, wanted)
  expect_equal(og(x, people["group"], k = 2)$x, wanted)
  crossed <- og(x, "sex:group", k = 2, data = people)
  expect_equal(crossed$x, og(x, paste(people$sex, people$group, sep = ":"), k = 2)$x)
  expect_equal(predict(crossed, people), crossed$x)
  numbers <- og(x, c("group", "score"), k = 2, data = people, continuous = "score")
  expect_lt(max(abs(cor(numbers$x, people$score))), 1e-10)
  expect_equal(predict(numbers, people), numbers$x, tolerance = 1e-12)
})

test_that("a dot in a formula leaves the groups out", {
  skip_without_python()
  fit <- og(~., groups = "group", k = 2, data = people[c("age", "priors", "group")])
  expect_identical(rownames(fit$rotation), c("age", "priors"))
})

test_that("formula() has what a dot stood for, so that update() can take terms away", {
  skip_without_python()
  fit <- og(~., groups = "group", k = 1, data = people[c("age", "priors", "income", "group")])
  expect_identical(deparse1(formula(fit)), "~age + priors + income")
  expect_identical(rownames(update(fit, ~ . - age)$rotation), c("priors", "income"))
  by_label <- og(~., groups = people$group, k = 1, data = people[c("age", "priors")])
  expect_identical(deparse1(formula(by_label)), "~age + priors")
})

test_that("levels without rows make no features, as in lm()", {
  skip_without_python()
  some <- people
  some$kind <- factor(rep_len(c("b", "c"), nrow(some)), levels = c("a", "b", "c"))
  fit <- og(~ age * kind, "sex", k = 2, data = some, scale = TRUE)
  expect_identical(rownames(fit$rotation), names(coef(stats::lm(priors ~ age * kind, some)))[-1])
  expect_equal(fit$x, og(~ age * kind, "sex", k = 2, data = droplevels(some), scale = TRUE)$x)
  expect_equal(predict(fit, some[1:3, ]), fit$x[1:3, , drop = FALSE])
  some$kind[[1]] <- "a"
  expect_error(predict(fit, some[1:3, ]), "new level", class = "fairstats_input_error")
})

test_that("leace() says where it leaves nothing, and all rows are exactly the same then", {
  skip_without_python()
  expect_warning(fit <- leace(~age, "sex", data = people), "leaves nothing of the features")
  expect_output(print(fit), "1 feature, 1 direction erased, none left", fixed = TRUE)
  expect_identical(unique(as.vector(predict(fit, people))), unname(fit$center))
  tests <- tidy(fair_component_tests(fair_crossfit(fit, data = people)))
  expect_true(all(tests$estimate == 0.5 & tests$p.value == 1))
})

test_that("a sparse matrix gives what the dense one gives", {
  skip_without_python()
  skip_if_not_installed("Matrix")
  dense <- as.matrix(x)
  sparse <- methods::as(dense, "dgCMatrix")
  expect_equal(og(sparse, people$group, k = 2)$x, og(dense, people$group, k = 2)$x, tolerance = 1e-9, ignore_attr = TRUE)
  expect_identical(rownames(og(sparse, people$group, k = 2)$rotation), names(x))
})

test_that("the other fits keep their promises", {
  skip_without_python()
  means <- function(fit) apply(fit$x, 2, function(s) diff(range(tapply(s, people$sex, mean))))
  expect_lt(max(means(fair_pca(x, "sex", k = 2, data = people))), 1e-9)
  expect_lt(max(abs(cor(leace_pca(x, "sex", k = 2, data = people)$x, people$sex == "male"))), 1e-9)
  losses <- tidy(fair_reconstruction_error_by_group(minimax_pca(x, "sex", k = 1, data = people), x, people$sex))
  expect_true(all(is.finite(losses$estimate)))
  expect_lt(max(colSums(abs(sog(x, "sex", k = 2, t = 1.2, data = people)$rotation))), 1.2 + 1e-9)
  balanced <- disparity_pca(x, "sex", k = 1, lam = 0.5, advantaged = "male", disadvantaged = "female", data = people)
  expect_s3_class(balanced, "fairstats_fit")
  erased <- predict(leace(x, people$sex), x)
  expect_lt(max(abs(cor(erased, people$sex == "male"))), 1e-9)
  kernel <- fair_kernel_pca(x[1:80, ], people$sex[1:80], k = 2)
  expect_equal(dim(predict(kernel, x[1:5, ])), c(5L, 2L))
})

test_that("paths come as tibbles", {
  skip_without_python()
  path <- sog_path(scale(x), people$sex, k = 1, ts = c(1, 1.3))
  expect_equal(path$t, c(1, 1.3))
  fit <- disparity_pca(x, "sex", k = 1, lam = 0.5, advantaged = "male", disadvantaged = "female", data = people)
  expect_true("lam" %in% names(disparity_path(fit, x, people$sex, lams = c(0, 0.5))))
  expect_identical(disparity_path(fit, data = people, lams = c(0, 0.5)), disparity_path(fit, x, people$sex, lams = c(0, 0.5)))
})

test_that("comparators fit, predict and say what they are", {
  skip_without_python()
  few <- function(f, ...) f(x, "sex", data = people, ...)
  for (f in list(inlp_pca, rlace_pca)) expect_s3_class(few(f, k = 2), "fairstats_fit")
  male <- people$sex == "male"
  for (f in list(inlp, rlace)) expect_equal(dim(predict(few(f), x)), dim(x))
  # one round, or one direction, takes one dimension away
  rank_of <- function(values) qr(scale(values, scale = FALSE), tol = 1e-8)$rank
  expect_identical(rank_of(predict(few(inlp, rounds = 1), x)), 2L)
  expect_identical(rank_of(predict(few(rlace, rank = 1), x)), 2L)
  left <- predict(few(residualize), people)
  expect_equal(unname(left[, "age"]),
    unname(stats::residuals(stats::lm(age ~ sex, people)) + mean(people$age)), tolerance = 1e-10)
  even <- predict(few(location_scale), x, groups = people$sex)
  expect_equal(stats::sd(even[male, 1]), stats::sd(even[!male, 1]), tolerance = 1e-10)
  expect_output(print(few(residualize)), "Residuals on the groups")
  # means and covariances of the groups are one
  same <- predict(few(quadratic_leace), x, groups = people$sex)
  expect_equal(colMeans(same[male, ]), colMeans(same[!male, ]), tolerance = 1e-8)
  expect_equal(cov(same[male, ]) * (sum(male) - 1) / sum(male), cov(same[!male, ]) * (sum(!male) - 1) / sum(!male),
    tolerance = 1e-6)
})

test_that("the components of mbf_pca() are orthonormal, and of fpca() where its solver is there", {
  skip_without_python()
  made <- list(suppressWarnings(mbf_pca(x, people$sex, k = 2, n_init = 1, max_iter = 3))) # which do not get it to the end
  if (reticulate::py_module_available("cvxpy")) made$fpca <- fpca(scale(x), people$sex, k = 2)
  for (fit in made) {
    expect_s3_class(fit, "fairstats_fit")
    expect_equal(unname(crossprod(fit$rotation)), diag(2), tolerance = 1e-6)
  }
})

test_that("labels of an outcome may be TRUE and FALSE, counts whole numbers", {
  skip_without_python()
  x <- people[c("age", "priors", "income")]
  numbers <- fair_pca(x, people$sex, k = 1, y = people$y, target = "equal_opportunity", positive = 1)
  labels <- fair_pca(x, people$sex, k = 1, y = people$y == 1, target = "equal_opportunity", positive = TRUE)
  expect_equal(labels$rotation, numbers$rotation)
  few <- 1:60
  kernel <- function(y, positive) {
    fair_kernel_pca(x[few, ], people$sex[few], k = 1, y = y[few], target = "equal_opportunity", positive = positive)
  }
  expect_equal(predict(kernel(people$y == 1, TRUE), x[1:5, ]), predict(kernel(people$y, 1), x[1:5, ]))
  # the components keep the groups' difference of means out, and one direction of the difference of covariances
  one <- fair_pca(x, people$sex, k = 1, equalize = "covariance", directions = 1)
  scores <- as.matrix(x) %*% one$rotation
  expect_equal(mean(scores[people$sex == "male"]), mean(scores[people$sex != "male"]), tolerance = 1e-8)
  expect_error(minimax_pca(x, people$sex, k = 1, max_iter = 1.5), "^max_iter = 1.5 is not a whole number")
  expect_error(fair_select_k(x, people$sex, max_k = 1.5), "^max_k = 1.5 is not a whole number")
  expect_equal(sog_path(people[c("age", "priors", "income", "sex")], "sex", k = 1, ts = 1.3, scale = TRUE),
    sog_path(x, people$sex, k = 1, ts = 1.3, scale = TRUE))
})

test_that("a fit that Python made with a formula is R's, with its formula and its factors", {
  skip_without_python()
  python <- reticulate::import("fairstats", convert = FALSE)
  file <- withr_tempfile(".npz")
  invisible(python$og("~ (age + group)**2", groups = "sex", k = 2L, data = reticulate::r_to_py(people))$save(file))
  theirs <- fair_load(file)
  ours <- og(~ (age + group)^2, groups = "sex", k = 2, data = people)
  expect_identical(attr(stats::terms(formula(theirs)), "term.labels"), c("age", "group", "age:group"))
  expect_equal(abs(theirs$rotation), abs(ours$rotation), tolerance = 1e-8)
  expect_equal(abs(predict(theirs, people[1:9, ])), abs(predict(ours, people[1:9, ])), tolerance = 1e-8)
})

test_that("weights count as copies of rows", {
  skip_without_python()
  w <- rep(1:3, length.out = nrow(people))
  rows <- rep(seq_len(nrow(people)), w)
  weighted <- og(x, people$group, k = 2, weights = w)
  copied <- og(x[rows, ], people$group[rows], k = 2)
  expect_equal(abs(weighted$rotation), abs(copied$rotation), tolerance = 1e-9)
})

test_that("prcomp's figures work on a fit", {
  skip_without_python()
  fit <- og(x, people$group, k = 2)
  file <- withr_tempfile()
  grDevices::pdf(file)
  on.exit(grDevices::dev.off())
  expect_silent(stats::screeplot(fit))
  expect_silent(stats::biplot(fit))
  shares <- plot(fit)
  expect_named(shares, c("component", "share", "by_groups"))
  if (requireNamespace("ggplot2", quietly = TRUE)) expect_s3_class(ggplot2::autoplot(fit), "ggplot")
})

test_that("bad input gets one clear error", {
  skip_without_python()
  expect_error(og(x, "nope", k = 2, data = people), "'nope'.*columns are")
  expect_error(og(x, people$group, k = 9), "k has 9")
  expect_error(og(age ~ priors, "group", data = people), "left-hand side.*~priors")
  expect_error(og(x, y ~ group, data = people), "left-hand side.*~group")
  expect_error(og(x, replace(people$group, 3, NA), k = 2), "missing value.*rows 2|missing value")
  expect_error(og(x[0, ], character(), k = 2), "no rows")
  expect_error(og(mean, people$group), "^x = mean is a function")
  expect_error(predict(og(x, people$group, k = 2), x["age"]), "lacks the columns priors")
  expect_error(predict(og(x, people$group, k = 2), x), "groups is missing|group lacks")
  expect_error(predict(og(x, people$group, k = 2), x, groups = rep("new", nrow(x))), "level that the fit has not seen")
  problem <- tryCatch(og(x, people$group, k = 9), error = identity)
  expect_s3_class(problem, "fairstats_input_error")
  expect_s3_class(problem, "fairstats_error")
})

test_that("fair_reconstruct() says what gives the adjusted features of an eraser", {
  skip_without_python()
  for (map in list(leace(x, people$sex), residualize(x, people$sex))) {
    expect_error(fair_reconstruct(map, x), "give a linear fit\\. Its adjusted features are those of predict\\(\\)\\.")
  }
})

test_that("a matrix with other names than the fit is taken by position with a warning", {
  skip_without_python()
  named <- as.matrix(x)
  fit <- pca(unname(named), k = 2)
  expect_warning(scores <- predict(fit, named), "newdata has the columns age, .* and the fit x1, .*; they are taken by position")
  expect_equal(scores, fit$x, ignore_attr = TRUE)
  expect_no_warning(predict(fit, unname(named)))
  by_name <- pca(named, k = 2)
  expect_no_warning(expect_equal(predict(by_name, named[, rev(colnames(named))]), by_name$x, ignore_attr = TRUE))
})

test_that("held-out scores tell of a column that is constant outside a fold", {
  skip_without_python()
  rare <- transform(people, job = ifelse(seq_along(sex) == 1L, "rare", rep_len(c("one", "two"), length(sex))))
  for (formula in list(~ age + priors + job, ~ poly(age, 2) + job)) { # terms that learn from rows are made for each fold
    fit <- og(formula, "sex", k = 2, data = rare, scale = TRUE)
    said <- testthat::capture_warnings(held <- fair_crossfit(fit, data = rare))
    said <- grep("constant in", said, value = TRUE)
    expect_length(said, 1L)
    expect_match(said, sprintf("outside fold %d: jobrare\\. The fit that scores this fold learned nothing", held$folds[[1L]]))
  }
})

test_that("what the groups explain of uncentered components is that of lm()", {
  skip_without_python()
  fit <- og(x, people$sex, k = 2, center = FALSE)
  scores <- as.matrix(x) %*% fit$rotation
  wanted <- vapply(1:2, function(j) summary(stats::lm(scores[, j] ~ people$sex))$r.squared, 0)
  expect_equal(tidy(fit)$estimate[tidy(fit)$metric == "R2"], wanted)
  spread <- colSums(sweep(scores, 2L, colMeans(scores))^2)
  expect_equal(component_shares(fit)$by_groups, unname(wanted * spread / colSums(scores^2)))
})

test_that("fair_reconstruct() gives the data whose loss the fit reports, where each group has its own center", {
  skip_without_python()
  fit <- minimax_pca(x, "sex", k = 1, data = people)
  lost <- tapply(rowSums((as.matrix(x) - fair_reconstruct(fit))^2), people$sex, mean)
  losses <- tidy(fair_reconstruction_error_by_group(fit, x, people$sex))
  losses <- losses[losses$fit == "minimax_pca" & losses$contrast == "none", ]
  expect_equal(as.vector(lost[losses$group]), losses$estimate, tolerance = 1e-10)
  expect_equal(fair_reconstruct(fit, people), fair_reconstruct(fit), tolerance = 1e-12)
  expect_equal(fair_reconstruct(fit, x[1:3, ], groups = people$sex[1:3]), fair_reconstruct(fit)[1:3, ],
    tolerance = 1e-12, ignore_attr = TRUE)
  expect_error(fair_reconstruct(fit, x), "groups is missing")
  scaled <- minimax_pca(x, "sex", k = 1, data = people, scale = TRUE)
  z <- (as.matrix(x) - fair_reconstruct(scaled)) %*% diag(1 / scaled$scale)
  losses <- tidy(fair_reconstruction_error_by_group(scaled, x, people$sex))
  losses <- losses[losses$fit == "minimax_pca" & losses$contrast == "none", ]
  expect_equal(as.vector(tapply(rowSums(z^2), people$sex, mean)[losses$group]), losses$estimate, tolerance = 1e-10)
})

test_that("an offset is no feature", {
  skip_without_python()
  expect_error(og(~ age + offset(priors), "sex", k = 1, data = people), "offset\\(\\)")
})

test_that("a matrix without names of its columns is a matrix", {
  skip_without_python()
  m <- unname(as.matrix(x))
  wanted <- unname(og(m, people$sex, k = 2)$x)
  rownames(m) <- seq_len(nrow(m))
  fit <- og(m, people$sex, k = 2)
  expect_equal(unname(fit$x), wanted)
  expect_equal(predict(fit, m, groups = people$sex), fit$x)
  bare <- matrix(1:4 + 0.5, 2, dimnames = list(NULL, NULL))
  expect_identical(through_python(bare), unname(bare))
  expect_equal(unname(fair_crossfit(fit, m, people$sex)$scores),
    unname(fair_crossfit(og(unname(m), people$sex, k = 2), m, people$sex)$scores))
})

test_that("a kernel's fit scores rows however they are given", {
  skip_without_python()
  some <- people[1:80, ]
  frame <- fair_kernel_pca(some[names(x)], some$sex, k = 2)
  expect_equal(dim(predict(frame)), c(80L, 2L))
  expect_equal(predict(frame, people[1:80, ]), frame$x, tolerance = 1e-12)
  matrix <- fair_kernel_pca(as.matrix(some[names(x)]), some$sex, k = 2)
  expect_equal(unname(predict(matrix, as.matrix(some[names(x)]))), unname(frame$x), tolerance = 1e-12)
  expect_equal(unname(predict(matrix, some)), unname(frame$x), tolerance = 1e-12)
  bare <- fair_kernel_pca(unname(as.matrix(some[names(x)])), some$sex, k = 2)
  expect_equal(unname(predict(bare, unname(as.matrix(some[names(x)])))), unname(frame$x), tolerance = 1e-12)
  formula <- fair_kernel_pca(~ age + priors + income + group, "sex", k = 2, data = some, gamma = 0.01)
  expect_equal(predict(formula, some[5, ]), formula$x[5, , drop = FALSE], tolerance = 1e-12)
  expect_lt(max(abs(colMeans(formula$x[some$sex == "male", ]) - colMeans(formula$x[some$sex != "male", ]))), 1e-9)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_named(plot(frame), c("component", "share", "by_groups"))
})

test_that("group maps find the groups of new rows by every name they have", {
  skip_without_python()
  fit <- residualize(x, "sex:group", data = people)
  crossed <- interaction(people$sex, people$group)
  wanted <- stats::residuals(stats::lm(as.matrix(x) ~ crossed)) + rep(colMeans(x), each = nrow(x))
  expect_equal(unname(predict(fit, people)), unname(wanted), tolerance = 1e-10)
  expect_equal(unname(predict(fit, people[3, ])), unname(wanted[3, , drop = FALSE]), tolerance = 1e-10)
  expect_error(predict(fit, as.matrix(x)), "groups is missing")
  slope <- residualize(x, c("sex", "score"), data = people, continuous = "score")
  wanted <- stats::residuals(stats::lm(as.matrix(x) ~ sex + score, people)) + rep(colMeans(x), each = nrow(x))
  expect_equal(unname(predict(slope, people)), unname(wanted), tolerance = 1e-10)
})

test_that("a fit with groups that are numbers can be priced", {
  skip_without_python()
  fit <- og(x, c("sex", "score"), k = 2, data = people, continuous = "score")
  priced <- fair_extra_error(fit, x, c("sex", "score"), data = people, continuous = "score", permutations = 19)
  expect_s3_class(priced, "fairstats")
  losses <- tidy(fair_reconstruction_error_by_group(fit, x, c("sex", "score"), data = people, continuous = "score"))
  lost <- mean(rowSums((as.matrix(x) - fair_reconstruct(fit))[people$sex == "male", ]^2))
  own <- losses$group == "male" & losses$fit == "og" & is.na(losses$versus) & losses$contrast == "none"
  expect_equal(losses$estimate[own], lost)
})

test_that("folds are numbered from 1, also those that are given", {
  skip_without_python()
  fit <- og(x, people$sex, k = 2)
  expect_setequal(fair_crossfit(fit, x, people$sex)$folds, 1:2)
  given <- rep(1:3, 100)
  expect_identical(fair_crossfit(fit, x, people$sex, folds = given)$folds, given)
})

test_that("every argument of Python's methods is one of R's, with the same default", {
  skip_without_python()
  inspect <- reticulate::import("inspect", convert = FALSE)
  text <- function(x) reticulate::py_to_r(reticulate::import_builtins(convert = FALSE)$str(x))
  ours <- c("og", "sog", "fair_pca", "minimax_pca", "disparity_pca", "leace_pca", "pca", "fair_kernel_pca", "leace", "fpca",
    "mbf_pca", "inlp_pca", "rlace_pca", "inlp", "rlace", "residualize", "location_scale",
    "quadratic_leace")
  registry <- reticulate::import("fairstats.methods.registry", convert = FALSE)$METHODS
  for (name in ours) {
    theirs <- reticulate::iterate(inspect$signature(registry[name]$`function`)$parameters$values(), function(p) {
      c(text(p$name), if (identical(text(p$default), "<class 'inspect._empty'>")) "" else text(p$default))
    })
    defaults <- vapply(theirs, `[[`, "", 2L)
    names(defaults) <- c("x", "groups", vapply(theirs, `[[`, "", 1L))[-(3:4)]
    here <- formals(get(name))
    here <- here[names(here) != "..."] # which names the nearest
    expect_setequal(setdiff(names(here), "continuous"), names(defaults))
    shared <- setdiff(names(here), c("x", "groups", "continuous"))
    as_python <- function(value) {
      if (is.null(value)) return("None")
      if (is.logical(value)) return(if (value) "True" else "False")
      if (is.symbol(value)) "" else as.character(value)
    }
    same <- function(a, b) a == b || isTRUE(suppressWarnings(as.numeric(a) == as.numeric(b)))
    for (one in shared) expect_true(same(as_python(here[[one]]), defaults[[one]]), info = paste(name, one))
  }
  expect_error(og(people[c("age", "priors")], people$sex, centering = TRUE), "has no argument 'centering'")
})

test_that("equal opportunity takes a logical outcome", {
  skip_without_python()
  one <- fair_pca(x, "sex", k = 1, data = transform(people, y = y == 1), y = "y", target = "equal_opportunity")
  two <- fair_pca(x, "sex", k = 1, data = people, y = "y", target = "equal_opportunity")
  expect_equal(one$rotation, two$rotation)
  positive <- people$y == 1
  expect_lt(diff(range(tapply(one$x[positive, 1], people$sex[positive], mean))), 1e-9)
})

test_that("labels that are names of columns, too, are labels: as many as rows, and said more than once", {
  skip_without_python()
  x <- stats::setNames(people[c("age", "income")], c("female", "male"))
  expect_equal(og(x, people$sex, k = 1)$rotation, og(as.matrix(x), people$sex, k = 1)$rotation)
})

test_that("rows of many are made and sent part by part, and nothing else differs", {
  skip_without_python()
  many <- people[rep_len(seq_len(nrow(people)), many_rows + 7L), ]
  many$age <- many$age + seq_len(nrow(many)) / 1e5
  made <- og(~ (age + poly(income, 2) + group)^2, "sex", data = many, k = 2)
  features <- stats::model.matrix(~ (age + poly(income, 2) + group)^2, many)[, -1]
  wanted <- og(features, many$sex, k = 2)
  expect_equal(made$rotation, wanted$rotation, tolerance = 1e-9)
  expect_equal(unname(made$x), unname(wanted$x), tolerance = 1e-9)
  expect_equal(predict(made, many[5:9, ]), made$x[5:9, ], tolerance = 1e-9, ignore_attr = TRUE)
  expect_equal(og(many[c("age", "income")], many$sex, k = 1)$x, og(~ age + income, many$sex, data = many, k = 1)$x,
    tolerance = 1e-9, ignore_attr = TRUE)
  whole <- matrix(c(NA, NaN, -0, seq_len(3e5 - 3)), ncol = 2, dimnames = list(NULL, c("a", "b")))
  expect_identical(through_python(whole), whole)
  counts <- matrix(c(NA, 2:6e5), ncol = 2)
  expect_identical(through_python(counts), counts)
  frame <- data.frame(a = whole[, 1], b = counts[, 1][1:150000], c = whole[, 2])
  expect_identical(through_python(frame), frame)
})

test_that("held-out scores see nothing of their rows, columns that depend on the rows included", {
  skip_without_python()
  far <- people
  far$age[[1]] <- 500
  far$sex[[2]] <- NA
  formulas <- list(~ scale(age) + income + group, ~ poly(age, 2) + splines::ns(income, 3))
  for (formula in formulas) {
    fit <- og(formula, "sex", k = 2, data = far, missing = "drop")
    held <- fair_crossfit(fit, data = far, missing = "drop", folds = 3)
    used <- far[-2, ]
    for (fold in 1:3) {
      own <- held$folds == fold
      other <- og(formula, "sex", k = 2, data = used[!own, ])
      # scores but for a turn
      expect_equal(unname(dist(held$scores[own, ])), unname(dist(predict(other, used[own, ]))), ignore_attr = TRUE)
    }
    expect_identical(fair_crossfit(fit, data = far, missing = "drop", folds = rep(1:2, length.out = 299))$folds,
      rep(1:2, length.out = 299))
  }
  eraser <- leace(~ scale(age) + income, "sex", data = far[-2, ])
  held <- fair_crossfit(eraser, data = used)
  own <- held$folds == 2
  expect_equal(held$scores[own, ], predict(leace(~ scale(age) + income, "sex", data = used[!own, ]), used[own, ]))
})

test_that("studies of erasers and kernels find the groups in the data, too", {
  skip_without_python()
  for (fit in list(leace(~ age + income, "sex", data = people), fair_kernel_pca(~ age + income, "sex", data = people))) {
    expect_identical(fair_crossfit(fit, data = people)$scores, fair_crossfit(fit, groups = "sex", data = people)$scores)
    expect_identical(tidy(fair_leakage(fit, data = people, permutations = 19)),
      tidy(fair_leakage(fit, groups = "sex", data = people, permutations = 19)))
  }
})

test_that("other functions are named as R has them", {
  skip_without_python()
  priced <- capture.output(print(fair_extra_error(og(x, people$sex, k = 2), x, people$sex, permutations = 0)))
  expect_match(paste(priced, collapse = " "), "limits of +fair_price_of_fairness\\(\\) take")
  methods <- list("og", fair_pca = list(k = c(1, 2)))
  expect_output(print(fair_tradeoff(~ age + income + priors, "sex", methods, data = people)), "fair_pca (k=1)", fixed = TRUE)
})

test_that("names of columns of a matrix are refused as what they are", {
  skip_without_python()
  texts <- as.matrix(people)
  expect_match(message_of(og(~age, "sex", data = texts)), "groups names 'sex', and data is a matrix; give a data frame")
  expect_match(message_of(og(c("age", "income"), people$sex, data = texts)), "x names 'age', and data is a matrix")
})

test_that("errors of groups on other rows than those of the fit say whose PCA is beside them", {
  skip_without_python()
  fit <- og(~ age + income, "sex", k = 1, data = people[1:200, ])
  expect_output(print(fair_reconstruction_error_by_group(fit, data = people[201:300, ])), "PCA of")
  expect_no_match(capture.output(print(fair_reconstruction_error_by_group(fit, data = people[1:200, ]))), "PCA of")
})

test_that("studies of a fit to a formula take its data once more", {
  skip_without_python()
  fit <- og(~ (age + priors + group)^2, "sex", k = 2, data = people)
  by_hand <- fair_crossfit(fit, ~ (age + priors + group)^2, "sex", people)$scores
  expect_identical(fair_crossfit(fit, people)$scores, by_hand)
  expect_identical(fair_crossfit(fit, data = people)$scores, by_hand)
  for (study in list(fair_price_of_fairness, fair_reconstruction_error_by_group)) {
    expect_identical(tidy(study(fit, people)), tidy(study(fit, ~ (age + priors + group)^2, "sex", people)))
  }
  expect_identical(tidy(fair_leakage(fit, people, permutations = 19)), tidy(fair_leakage(fit, data = people, permutations = 19)))
  expect_identical(nrow(tidy(fair_bootstrap_loadings(fit, people, replicates = 20))) > 0L, TRUE)
  # columns by their names, whatever else the data have
  named <- og(c("age", "priors"), "sex", k = 1, data = people)
  expect_identical(fair_crossfit(named, people)$scores, fair_crossfit(named, people[c("age", "priors")], people$sex)$scores)
  for (nothing in list(quote(fair_crossfit(fit)), quote(fair_price_of_fairness(fit)),
    quote(fair_reconstruction_error_by_group(fit)))) {
    expect_error(eval(nothing), "x is missing", class = "fairstats_input_error")
  }
  expect_error(sog(~ age + priors, "sex", data = people), "^t is missing", class = "fairstats_input_error")
  expect_error(fair_suppress_cells(fair_tally(people, "yhat", "sex")), "^min_n is missing", class = "fairstats_input_error")
})

test_that("a dot leaves out the groups, and a formula may take them or others away", {
  skip_without_python()
  some <- people[c("age", "priors", "income", "sex")]
  named <- function(...) rownames(og(..., groups = "sex", k = 1, data = some)$rotation)
  expect_silent(expect_identical(named(~ .), c("age", "priors", "income")))
  expect_silent(expect_identical(named(~ . - sex), c("age", "priors", "income")))
  expect_silent(expect_identical(named(~ . - sex - income), c("age", "priors")))
  fit <- og(~ . - sex, "sex", k = 1, data = some)
  expect_equal(predict(fit, some[1:3, ]), fit$x[1:3, , drop = FALSE])
})

test_that("a column that is missing throughout gives missing scores", {
  skip_without_python()
  fit <- og(~ age + priors + group, "sex", k = 2, data = people)
  for (name in c("age", "group")) {
    new <- people[1:3, ]
    new[[name]] <- NA
    expect_true(all(is.na(predict(fit, new))), label = name)
  }
  expect_error(predict(fit, people, type = "raw"), "no argument 'type'", class = "fairstats_input_error")
})

test_that("a group among its own features is refused in formulas as in Python", {
  skip_without_python()
  set.seed(3)
  data <- data.frame(x = rnorm(60), z = rnorm(60), g = factor(rep(c("a", "b"), 30)), n = rep(1:2, each = 30))
  refused <- "which is a feature too: it would be adjusted for itself; leave it out of the features."
  for (formula in list(~ x + g, ~ x * g, ~ x + I(as.numeric(g)), ~ x + x:g, ~ . + g)) {
    expect_error(leace(formula, groups = "g", data = data), refused, fixed = TRUE, class = "fairstats_input_error")
  }
  expect_error(og(~ x + n, groups = "n", data = data, k = 1), "groups has 'n', which is a feature", fixed = TRUE)
  expect_error(og(~ x + z + n, groups = ~ g:n, data = data, k = 1), "groups has 'n', which is a feature", fixed = TRUE)
  expect_warning(leace(~ x + g, groups = data$g, data = data), "gb has one value in each group of .*leave it out")
  expect_s3_class(og(~ x + z + g - g, groups = "g", data = data, k = 1), "fairstats_fit")
  expect_s3_class(og(~ ., groups = "g", data = data, k = 1), "fairstats_fit")
  expect_s3_class(pca(~ x + z + g, groups = "g", data = data, k = 1), "fairstats_fit")
})

test_that("errors of fits are short and of one class", {
  skip_without_python()
  data <- data.frame(x = rnorm(500), o = factor(rep(c("p", "r"), 250)), g = rep(c("a", "b"), each = 250))
  fit <- og(~ x + o, groups = "g", data = data, k = 1)
  expect_error(predict(fit, data.frame(x = 1, o = "q", g = "a")), "factor o has new level", class = "fairstats_input_error")
  problem <- tryCatch(og(~ x + o, "g", data), error = identity)
  expect_s3_class(problem, "fairstats_input_error")
  expect_match(conditionMessage(problem), "k is a data frame; pass it as data = ", fixed = TRUE)
  expect_lt(nchar(conditionMessage(tryCatch(og(~ x + o, "g", k = data$x, data = data), error = identity))), 300)
  expect_error(og(~ x + o, "g", data = structure(data, class = c("rowwise_df", "data.frame"))), "data is rowwise")
})

test_that("methods and their settings stand on one curve, with an outcome too", {
  skip_without_python()
  d <- data.frame(sex = rep(c("f", "m"), 60), a = sin(1:120), b = cos((1:120)^2), c = (1:120 * 7) %% 11)
  d$good <- ifelse(d$a + d$b > 0, "yes", "no")
  curve <- tidy(fair_tradeoff(~ a + b + c, "sex", list("og", fair_pca = list(tradeoff = c(0, 0.5))), data = d, k = 1))
  expect_identical(curve$fit, rep(c("og", "fair_pca"), c(2, 8))) # with what fair_pca differs by from og
  expect_match(curve$term[3:6], "tradeoff=0\\.[05]")
  both <- lapply(list("good", d$good), function(y) tidy(fair_tradeoff(c("a", "b", "c"), "sex", "og", k = 1, y = y, data = d)))
  expect_identical(both[[1]]$estimate, both[[2]]$estimate)
  expect_identical(both[[1]]$metric, c("AUC", "AUC of linear probe"))
  scaled <- list(
    tidy(fair_tradeoff(~ a + b + c, "sex", c("pca", "og"), data = d, k = 1, scale = TRUE)),
    tidy(fair_tradeoff(~ a + b + c, "sex", list(pca = list(scale = TRUE), og = list(scale = TRUE)), data = d, k = 1))
  )
  expect_identical(scaled[[1]]$estimate, scaled[[2]]$estimate)
  expect_lt(scaled[[1]]$estimate[1], 3)
  expect_error(fair_tradeoff(~ a + b, "sex", "ogg", data = d), "did you mean 'og'", fixed = TRUE)
  expect_error(fair_tradeoff(~ a + b, NULL, data = d), "groups is missing; name group columns", class = "fairstats_input_error")
  expect_error(fair_tradeoff(~ a + b, data = d), "groups is missing; name group columns", class = "fairstats_input_error")
})

test_that("rows whose numbers are text are refused by the name of the column", {
  skip_without_python()
  fit <- og(~ age + priors, groups = "sex", k = 1, data = people)
  expect_error(predict(fit, transform(people, age = as.character(age))), "age was a number in the fit, and here it is character",
    class = "fairstats_input_error")
})

test_that("held-out components are tested with weights of their own", {
  skip_without_python()
  scores <- fair_crossfit(og(~ age + priors, groups = "sex", k = 1, data = people), people)
  weighted <- tidy(fair_component_tests(scores, weights = rep(1:2, length.out = nrow(people))))
  expect_false(isTRUE(all.equal(weighted$estimate, tidy(fair_component_tests(scores))$estimate)))
})

test_that("what a study of a fit lacks is said in R's words", {
  skip_without_python()
  fit <- pca(~ age + priors, data = people)
  expect_error(fair_crossfit(fit, data = people), "^groups is missing; folds are stratified", class = "fairstats_input_error")
  gaps <- transform(people, sex = replace(sex, 3, NA), age = replace(age, 10, NA))
  expect_error(og(c("age", "priors"), "sex", data = gaps, missing = "drop"), "(row 10; column age)", fixed = TRUE)
  features <- c("age", "priors", "income")
  expect_match(message_of(fair_select_k(features, "sex", leace_pca, data = people)), "method = \"leace_pca\"", fixed = TRUE)
  expect_match(message_of(fair_tradeoff(features, "sex", c(og, pca), data = people)), "methods = \"og\"", fixed = TRUE)
  expect_match(message_of(fair_compare(people, "y", "sex", features, methods = function(x) x)), "methods = \"og\"", fixed = TRUE)
})

test_that("tables of a fit's studies are printed within the console, rows told apart", {
  skip_without_python()
  fit <- og(~ age + priors + income, "group", data = people)
  tests <- fair_component_tests(fair_crossfit(fit, data = people))
  losses <- fair_reconstruction_error_by_group(fit, data = people)
  for (table in list(tests, losses)) {
    lines <- capture.output(print(table))
    expect_true(all(nchar(lines) <= 80L))
    expect_identical(lines, tail(capture.output(print(summary(table))), length(lines))) # after what there is of each
  }
  lines <- capture.output(print(tests))
  expect_match(lines[[length(lines)]], "all in tidy(x, role = \"all\")", fixed = TRUE)
  expect_false(any(grepl("…", lines)))
  expect_match(paste(capture.output(print(losses)), collapse = " "), "the same for every person")
})

test_that("a tradeoff names its outcome", {
  skip_without_python()
  with_logical <- transform(people, hired = yhat == 1)
  for (y in c("yhat", "hired")) {
    found <- fair_tradeoff(c("age", "priors", "income"), "sex", "pca", data = with_logical, y = y)
    expect_match(gsub("\\s+", " ", found$summary), paste0("Outcome: ", y, "\\."))
    own <- fair_tradeoff(c("age", "priors", "income"), "sex", "pca", data = with_logical, y = with_logical[[y]])
    expect_identical(tidy(found), tidy(own))
  }
  same <- fair_tradeoff(c("age", "priors", "income"), "sex", "pca", data = people, y = "sex")
  expect_match(gsub("\\s+", " ", same$summary), "Outcome: sex\\.")
})

test_that("what came to the place of data without a name is named, and nothing is ignored", {
  skip_without_python()
  features <- people[c("age", "priors")]
  fit <- og(features, people$sex, 1)
  calls <- alist(
    og(features, people$sex, 1, TRUE), pca(features, people$sex, 1, 3), fair_pca(features, people$sex, 1, people$y),
    leace(features, factor(people$sex), TRUE), sog_path(features, people$sex, 1, 1.2, 3),
    fair_leakage(fit, features, people$sex, 19), fair_select_k(features, people$sex, "og", 9)
  )
  for (call in calls) {
    expect_error(eval(call), "^data is of class (logical|numeric|integer); give the data frame whose columns are named",
      label = deparse1(call))
  }
})

test_that("held-out scores are tested for the intersection that is asked for", {
  skip_without_python()
  set.seed(2)
  d <- data.frame(p = sample(c("a", "b"), 600, TRUE), q = sample(c("c", "d"), 600, TRUE))
  d$x <- stats::rnorm(600) + 1.5 * ifelse((d$p == "a") == (d$q == "c"), 1, -1)
  d$y <- stats::rnorm(600) + d$x / 2
  held <- fair_crossfit(og(~ x + y, c("p", "q"), 1, data = d), data = d)
  crossed <- fair_leakage(held, groups = "p:q", data = d, permutations = 9)
  auc <- subset(tidy(crossed), metric == "AUC of linear probe")
  expect_setequal(auc$group, c("a:c", "a:d", "b:c", "b:d"))
  expect_true(all(auc$estimate > 0.7))
  expect_setequal(subset(tidy(fair_leakage(held, groups = c("p", "q"), data = d, permutations = 9)),
    metric == "AUC of linear probe")$attribute, c("p", "q"))
  expect_error(fair_leakage(held, groups = "p:q"), "held-out scores bring no columns", class = "fairstats_input_error")
})

test_that("the groups of an intersection are given by its columns, and update() takes a formula with a dot on the left", {
  skip_without_python()
  data <- data.frame(p = rep(c("a", "b"), 30), q = rep(c("u", "u", "v"), 20), x = sin(1:60), y = cos(1:60), z = sin(3 * (1:60)))
  fit <- og(~ x + y + z, "p:q", k = 2, data = data)
  features <- data[c("x", "y", "z")]
  expect_equal(predict(fit, features, groups = data[c("q", "p")]), predict(fit, data))
  expect_equal(predict(fit, features, groups = list(q = data$q, p = data$p)), predict(fit, data))
  expect_equal(augment(fit, newdata = features, groups = data[c("p", "q")])$.score_1, unname(predict(fit, data)[, 1L]))
  expect_error(predict(fit, features, groups = data["p"]), "it knows a:u")
  expect_equal(formula(update(fit, . ~ . - z)), ~ x + y, ignore_formula_env = TRUE)
})
