#' Fair decompositions
#'
#' Each fits a linear map of the features to `k` scores that keeps what its name says away from the groups, and returns
#' an object with the fields of [stats::prcomp()].
#'
#' * `og()`: scores orthogonal to the groups with least squared error (Aliverti et al. 2021); `sog()` with sparse loadings.
#' * `fair_pca()`: components on which groups have equal means, or equal means and similar covariances (Kleindessner et al. 2023).
#' * `minimax_pca()`: the largest loss of a group is as small as can be (Samadi et al. 2018).
#' * `disparity_pca()`: trades the error of all against the gap in losses of two groups, by `lam`.
#' * `leace_pca()`: principal components after least-squares concept erasure (Belrose et al. 2023).
#' * `pca()`: plain, to compare with.
#'
#' @param x A one-sided formula such as `~ (age + priors + sex)^2` (evaluated by R's [stats::model.matrix()], so contrasts
#'   and `^` mean what they always mean; the intercept is dropped), a data frame of numeric columns, column names of
#'   `data`, a numeric matrix (of \pkg{Matrix}, too), or what [fair_moments()] returns. Without names the data frame may come
#'   first, as a pipe gives it, `data |> og(~ age + priors, groups = "race")`, or second, as [stats::lm()] takes it.
#' @param groups Names of group columns (`"race"`, `c("sex", "race")`, `"sex:race"` for the intersection), a one-sided
#'   formula of them, or a vector, factor or data frame with one row for each row of `x`. After a data frame the first formula
#'   without a name is of the features: groups come third, `og(people, ~ age + priors, "race")`, or by name.
#' @param k Number of components.
#' @param data The data frame that `x`, `groups`, `y` and `weights` speak of.
#' @param weights A column name or one non-negative number a row: how much it counts. Twice the weight is the row twice, and only
#'   proportions matter: variances (of `scale` and `sdev`) divide by `sum(w) - sum(w^2) / sum(w)`, as those of [stats::cov.wt()]
#'   do. That is n - 1 for equal weights, and for counts of repeated rows a little less than
#'   their number less 1.
#' @param missing What to do with rows without a group: `"raise"` an error, make them a `"level"`, or `"drop"` them: the fit's
#'   `x` and [fitted()] are then of the other rows, under their names or numbers, as those of [stats::lm()] are; of all rows
#'   [predict.fairstats_fit()] has scores. A blank label (`""`) is a level like any other here, whereas [fair_audit()] takes it
#'   for missing; make it `NA` where it means that.
#' @param scale Divide each feature by its standard deviation?
#' @param continuous Names among `groups` that are numbers, not sets of labels.
#' @param center Subtract means? `FALSE` keeps the columns' means in what is decomposed; `og()` then projects them out of the
#'   scores, with the groups, so that its `center`, which [predict()][predict.fairstats_fit] subtracts, has them.
#' @param center_by Of `minimax_pca()`: losses are about each group's own mean, `"group"` (new rows then need their group to be
#'   reconstructed), or about one, `"overall"`.
#' @param basis Of `og()`: `"svd"` as in the paper, singular vectors of the centered features; or `"residual"`, those of what
#'   the groups do not explain, which loses less.
#' @param intercept Of `og()`: `FALSE` projects on uncentered indicators of all groups but the first, the paper's formula.
#'   Scores are then *not* uncorrelated with the groups; for comparison only.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return An object of class `fairstats_fit` (also `prcomp`): a list with `rotation`, `sdev`, `center`, `scale`, `x`, and
#'   `tidy`, `glance` and `summary` as the verbs return them. `sdev` are the standard deviations of the scores `x`, which
#'   `summary(fit)$importance` and [stats::screeplot()] are of. What `og()` adjusts, the components as they were before, is in the
#'   printed table and in `tidy(fit)`: `"variance share"`, and `"R2"`, the part of it that the groups explain. Features times
#'   `coef(fit)` make the scores, and scores times the transposed `rotation` the data again: of `sog()`, `leace_pca()` and
#'   `fair_pca(tradeoff = )` the two matrices differ, and `rotation` does not make the scores; those of `sog()` use
#'   the features of earlier components, too.
#' @seealso [predict.fairstats_fit()], [tidy.fairstats()], [fair_leakage()], [fair_report()]
#' @references Aliverti, E., Lum, K., Johndrow, J. E. and Dunson, D. B. (2021). Removing the influence of group variables in
#'   high-dimensional predictive modelling. Journal of the Royal Statistical Society A 184, 791-811.
#'   \doi{10.1111/rssa.12613}
#'
#'   Kleindessner, M., Donini, M., Russell, C. and Zafar, M. B. (2023). Efficient fair PCA for fair representation
#'   learning. AISTATS, PMLR 206, 5250-5270. \doi{10.48550/arXiv.2302.13319}
#'
#'   Samadi, S., Tantipongpipat, U., Morgenstern, J., Singh, M. and Vempala, S. (2018). The price of fair PCA: one
#'   extra dimension. NeurIPS 31. \doi{10.48550/arXiv.1811.00103}
#'
#'   Belrose, N., Schneider-Joseph, D., Ravfogel, S., Cotterell, R., Raff, E. and Biderman, S. (2023). LEACE: perfect
#'   linear concept erasure in closed form. NeurIPS 36. \doi{10.48550/arXiv.2306.03819}
#'
#'   Jolliffe, I. T. (2002). Principal component analysis. Springer. \doi{10.1007/b98835}
#' @concept fair PCA
#' @concept orthogonal to groups
#' @family fits
#' @name fits
#' @examplesIf fairstats_available()
#' fit <- og(~ (cyl + hp + wt)^2, groups = "am", k = 3, data = mtcars)
#' fit
#' head(fit$x)
#' screeplot(fit)
#'
#' # the others take the same data; what each keeps of the variance
#' x <- scale(mtcars[c("hp", "wt", "qsec", "drat")])
#' kept <- function(fit) glance(fit)$explained
#' c(
#'   pca = kept(pca(x, mtcars$am)), sog = kept(sog(x, mtcars$am, t = 1.2)),
#'   fair_pca = kept(fair_pca(x, mtcars$am)), leace = kept(leace_pca(x, mtcars$am)),
#'   minimax = kept(minimax_pca(x, mtcars$am)),
#'   disparity = kept(disparity_pca(x, mtcars$am, lam = "balance", advantaged = 1, disadvantaged = 0))
#' )
NULL

#' @rdname fits
#' @export
og <- function(x, groups, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE, continuous = NULL,
               center = TRUE, basis = "svd", intercept = TRUE, ...) {
  refuse_others(...)
  fit_method("og", x, groups, k, data, weights, missing, scale, continuous,
    center = center, basis = basis, intercept = intercept)
}

#' @rdname fits
#' @param t Bound on the sum of absolute loadings of a component, between 1 (one feature a component) and the square root of
#'   the number of features (no sparsity), or `"cv"`: the sparsest whose error on held-out rows is within one standard error
#'   of the best one's.
#' @param folds,seed Of `t = "cv"`: how many folds, and of their draw.
#' @param tolerance,max_iter A component has converged when its loadings move by less than this; most steps a component. Of
#'   `minimax_pca(solver = "mw")`: how many steps, 100 where `NULL`.
#' @export
sog <- function(x, groups, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE, continuous = NULL,
                t, tolerance = 1e-10, max_iter = 5000, folds = 5, seed = 0, ...) {
  refuse_others(...)
  fit_method("sog", x, groups, k, data, weights, missing, scale, continuous,
    t = t, tolerance = tolerance, max_iter = whole(max_iter, "max_iter"), folds = whole(folds, "folds"),
    seed = whole(seed, "seed"))
}

#' @rdname fits
#' @param equalize What is equal between the groups: `"means"`, or `"covariance"` (fair PCA-S), which first keeps as
#'   many eigenvectors of the differences of their covariances as `directions` says, those whose eigenvalues are smallest in
#'   size; in other directions they may differ less.
#' @param directions For `equalize = "covariance"`: a count of directions, or a fraction of the features below 1.
#' @param target `"parity"`, or `"equal_opportunity"`, which centers, constrains and fits on the rows with the positive
#'   outcome alone.
#' @param y,positive For `target = "equal_opportunity"`: a column name or one outcome a row, and its positive label.
#' @param tradeoff A number between 0 and 1: appends that many times the ordinary principal components, so that there are
#'   `2 * k` scores, of which only the first `k` are fair; with 0, or `NULL`, these alone.
#' @export
fair_pca <- function(x, groups, k = 2, data = NULL, y = NULL, weights = NULL, missing = "raise", scale = FALSE,
                     continuous = NULL, equalize = "means", directions = NULL, target = "parity", positive = 1,
                     tradeoff = NULL, ...) {
  refuse_others(...)
  # a whole number is a count of directions, a fraction a share of them
  if (is.numeric(directions) && length(directions) == 1L && isTRUE(directions == round(directions))) {
    directions <- as.integer(directions)
  }
  if (is.logical(positive)) positive <- as.integer(positive)
  fit_method("fair_pca", x, groups, k, data, weights, missing, scale, continuous,
    y = outcome_of(y, data), equalize = equalize, directions = directions, target = target,
    positive = one_label(positive, "positive"), tradeoff = tradeoff)
}

#' @rdname fits
#' @export
minimax_pca <- function(x, groups, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                        center_by = "group", objective = "loss", solver = "dual", max_iter = NULL, learning_rate = NULL,
                        nested = FALSE, ...) {
  refuse_others(...)
  if (!is.null(max_iter)) max_iter <- whole(max_iter, "max_iter")
  fit_method("minimax_pca", x, groups, k, data, weights, missing, scale, NULL, center_by = center_by,
    objective = objective, solver = solver, max_iter = max_iter, learning_rate = learning_rate, nested = nested)
}

#' @rdname fits
#' @param objective Of `minimax_pca()`, what is made even: `"loss"` (error beyond a group's own best), `"error"`, or
#'   `"variance"` (the least variation kept of a group is made as large as can be), or `"nash"`, whose product over the
#'   groups is made as large as can be.
#' @param solver Of `minimax_pca()`: `"dual"` (exact), or, to check it, `"mw"` (multiplicative weights) or `"sdp"` (a
#'   semidefinite program; `install_fairstats(extras = "compare")`).
#' @param learning_rate Of `solver = "mw"`: the factor of the losses, 1 where `NULL`.
#' @param nested Of `minimax_pca()`: find one component after the other, so that the first `k` of more are those of `k`?
#' @param lam Between 0 and 1: how much the mean squared error of all counts beside the gap, which counts `1 - lam`. With 1 it
#'   is plain PCA; with 0 the gap alone is made as small as can be, below zero, too. Or `"balance"`, for the value at which the
#'   gap is zero.
#' @param advantaged,disadvantaged Levels of the group: the gap is the mean squared error of the second less that of the first.
#' @export
disparity_pca <- function(x, groups, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                          lam, advantaged, disadvantaged, center = TRUE, ...) {
  refuse_others(...)
  fit_method("disparity_pca", x, groups, k, data, weights, missing, scale, NULL, lam = lam,
    advantaged = label_text(advantaged), disadvantaged = label_text(disadvantaged), center = center)
}

#' @rdname fits
#' @param shrinkage Of `leace_pca()` and [leace()]: draw the covariances toward a multiple of the identity first?
#' @param preserve Of `leace_pca()` and [leace()]: an outcome whose covariance with every feature stays as it is
#'   (Holstege et al. 2025); a column of `data` or one value a row, `TRUE` for moments that were made with `y`.
#' @export
leace_pca <- function(x, groups, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                      continuous = NULL, shrinkage = FALSE, preserve = NULL, ...) {
  refuse_others(...)
  fit_method("leace_pca", x, groups, k, data, weights, missing, scale, continuous, shrinkage = shrinkage,
    preserve = kept_outcome(preserve, x, data))
}

#' @rdname fits
#' @export
pca <- function(x, groups = NULL, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                continuous = NULL, ...) {
  refuse_others(...)
  fit_method("pca", x, groups, k, data, weights, missing, scale, continuous)
}

#' Fair kernel principal components
#'
#' Components in a kernel's feature space on which the groups have equal means (Kleindessner et al. 2023).
#'
#' @inheritParams fits
#' @param scale Standardize the features before the kernel? If not, rows stay as they are, uncentered too.
#' @param kernel `"rbf"`, `"polynomial"`, `"linear"` or `"sigmoid"`.
#' @param gamma Of the kernels but the linear one; 1 over the number of features times their variance where `NULL`.
#' @param degree,coef0 Of the polynomial kernel; `coef0` of the sigmoid one too.
#' @param center Center in feature space? Group means are equal either way.
#' @param n_landmarks Rows drawn for the Nystroem approximation; where `NULL` the kernel is exact, rows by rows.
#' @param seed Of that draw.
#' @return An object of class `fairstats_kernel` with the scores of its rows as `x`; [stats::predict()] scores new rows, in
#'   the session that fitted it.
#' @references Kleindessner, M., Donini, M., Russell, C. and Zafar, M. B. (2023). Efficient fair PCA for fair representation
#'   learning. AISTATS, PMLR 206, 5250-5270. \doi{10.48550/arXiv.2302.13319}
#' @family fits
#' @export
#' @examplesIf fairstats_available()
#' fit <- fair_kernel_pca(mtcars[c("mpg", "hp", "wt")], mtcars$am, k = 2)
#' head(predict(fit, mtcars))
fair_kernel_pca <- function(x, groups, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                            continuous = NULL, kernel = "rbf", gamma = NULL, degree = 3, coef0 = 1, center = TRUE,
                            n_landmarks = NULL, y = NULL, target = "parity", positive = 1, tradeoff = NULL, seed = 0, ...) {
  refuse_others(...)
  if (is.logical(positive)) positive <- as.integer(positive)
  if (!is.null(n_landmarks)) n_landmarks <- whole(n_landmarks, "n_landmarks")
  fit_method("fair_kernel_pca", x, groups, k, data, weights, missing, scale, continuous, kernel = kernel, gamma = gamma,
    degree = whole(degree, "degree"), coef0 = coef0, center = center, n_landmarks = n_landmarks, seed = whole(seed, "seed"),
    y = outcome_of(y, data), target = target, positive = one_label(positive, "positive"), tradeoff = tradeoff)
}

#' Least-squares concept erasure
#'
#' The affine map of the features that changes them least and leaves no linear trace of the groups (Belrose et al. 2023).
#'
#' @inheritParams fits
#' @param projection `"oblique"`, the least change, or `"orthogonal"`, which takes out the differences of means themselves.
#' @return An object of class `fairstats_eraser`; [stats::predict()] gives the adjusted features of new rows.
#' @references Belrose, N., Schneider-Joseph, D., Ravfogel, S., Cotterell, R., Raff, E. and Biderman, S. (2023). LEACE: perfect
#'   linear concept erasure in closed form. NeurIPS 36. \doi{10.48550/arXiv.2306.03819}
#' @concept LEACE
#' @concept debiasing
#' @family fits
#' @export
#' @examplesIf fairstats_available()
#' eraser <- leace(mtcars[c("mpg", "hp", "wt")], mtcars$am)
#' adjusted <- predict(eraser, mtcars)
#' round(cor(adjusted, mtcars$am), 12)
leace <- function(x, groups, data = NULL, weights = NULL, missing = "raise", scale = FALSE, continuous = NULL,
                  shrinkage = FALSE, projection = "oblique", preserve = NULL, ...) {
  refuse_others(...)
  fit_method("leace", x, groups, NULL, data, weights, missing, scale, continuous, shrinkage = shrinkage,
    projection = projection, preserve = kept_outcome(preserve, x, data))
}

kept_outcome <- function(preserve, x, data) {
  if (inherits(x, "fairstats_moments")) return(preserve)
  if (is.null(data) && is.data.frame(x)) data <- x
  values_of(preserve, data, "preserve")
}

outcome_of <- function(y, data) {
  y <- values_of(y, data, "y")
  if (is.logical(y)) as.integer(y) else y
}

# The call of a fit whose first two values without names are a data frame and its features, in either order, as a pipe and lm()
# write them, with each under its name; NULL where it has the order of the fit. After a data frame a formula is of the features,
# and names of columns are where groups come after them. What had to be looked at is in the call as its value, so that it is
# computed once, and `written` has what the user wrote.
reordered <- function(frame) {
  call <- sys.call(frame)
  parts <- with_dots(as.list(call)[-1L], sys.frame(sys.parents()[[frame]]))
  bare <- which(names(parts) == "")
  if (length(bare) < 2L || any(vapply(parts, rlang::is_missing, NA))) {
    return(NULL)
  }
  numbered <- as.call(c(call[[1L]], stats::setNames(as.list(seq_along(parts)), names(parts))))
  places <- names(sort(unlist(as.list(match.call(sys.function(frame), numbered))[-1L])))
  value <- function(part) get(places[[part]], sys.frame(frame))
  there <- "data" %in% names(parts) || "data" %in% places && is.data.frame(value(match("data", places)))
  if (places[[bare[[1L]]]] != "x" || there) {
    return(NULL)
  }
  data <- if (is.data.frame(value(bare[[1L]]))) 1L else 2L
  x <- value(bare[[3L - data]])
  if (!is.data.frame(value(bare[[data]])) || !inherits(x, "formula") && !(is.character(x) && is.null(dim(x)))) {
    return(NULL)
  }
  moved <- c(data = bare[[data]], x = bare[[3L - data]])
  named <- "groups" %in% places[names(parts) != ""]
  third <- if (!named && length(bare) > 2L) value(bare[[3L]])
  if (are_groups(third, value(bare[[data]]), places[bare[-(1:2)]][1L])) moved[["groups"]] <- bare[[3L]]
  grouped <- named || "groups" %in% names(moved)
  if (is.character(x) && data == 1L && !grouped) {
    return(NULL)
  }
  if (!grouped && rlang::is_missing(formals(sys.function(frame))$groups)) {
    fail(no_group, if (data == 1L) paste0(" After a data frame ", deparse1(x), " is of the features; of groups it is groups = ",
      deparse1(x), "."))
  }
  if (!grouped) names(parts) <- places # what follows is not of groups
  gone <- c(moved, if (!grouped && "data" %in% places && is.null(value(match("data", places)))) match("data", places))
  turned <- as.call(c(call[[1L]], lapply(moved, value), parts[-gone]))
  written <- Filter(is.language, stats::setNames(parts[moved], names(moved)))
  list(call = turned[c(1L, 3L, 2L, seq_along(turned)[-(1:3)])], written = written)
}

# The arguments of a call, each of its dots by itself, under the names that they have.
with_dots <- function(parts, outside) {
  while (!exists("...", outside, inherits = FALSE) && !identical(outside, emptyenv())) outside <- parent.env(outside)
  parts <- lapply(seq_along(parts), function(i) {
    if (rlang::is_missing(parts[[i]]) || !identical(parts[[i]], quote(...))) {
      return(parts[i])
    }
    dots <- as.list(eval(quote(substitute(list(...))), outside))[-1L]
    stats::setNames(lapply(paste0("..", seq_along(dots)), as.name), names(dots))
  })
  parts <- as.list(unlist(parts, recursive = FALSE))
  if (is.null(names(parts))) stats::setNames(parts, character(length(parts))) else parts
}

# Whether a third value without a name is of groups, and not the number of components or a method, whose place it has.
are_groups <- function(value, data, place) {
  if (place %in% c("method", "methods")) {
    methods <- is.character(value) && all(value %in% getNamespaceExports("fairstats")) # a column may have a method's name
    columns <- is.character(value) && !methods && any(group_names(value, names(data)) %in% names(data))
    return(inherits(value, "formula") || columns || NROW(value) == nrow(data))
  }
  !is.null(value) && !(is.atomic(value) && length(value) == 1L && !is.character(value) && !is.factor(value))
}

fit_method <- function(method, x, groups, k, data, weights, missing, scale, continuous, ...) {
  if (is.data.frame(x) || inherits(x, "formula") || is.character(x)) {
    frame <- sys.parent()
    again <- reordered(frame)
    if (!is.null(again)) {
      turned <- eval(again$call, sys.frame(sys.parents()[[frame]]))
      call <- turned$call
      call[names(again$written)] <- again$written
      attr(call, "values") <- if (length(kept <- setdiff(attr(call, "values"), names(again$written)))) kept
      return(with_call(turned, call))
    }
    if (is.data.frame(x) && (inherits(k, "formula") || inherits(data, "formula") || is.character(data))) {
      fail(if (inherits(k, "formula")) "k" else "data", " is of class ", class(if (inherits(k, "formula")) k else data)[[1L]],
        ", and x a data frame; give the formula first and the data frame as data: ", method, "(~ age + priors, groups = ",
        "\"race\", data = people), in a pipe data = _.")
    }
  }
  call <- call_of(method, 1L)
  if (!inherits(x, "fairstats_moments") && missing(groups)) {
    if (inherits(x, "formula") && length(x) == 3L && is.name(x[[2L]])) {
      fail("x = ", deparse1(x), " has a left-hand side; give the features alone, and the groups beside them: ", method, "(",
        deparse1(x[-2L]), ", groups = \"", as.character(x[[2L]]), "\", data = ...).")
    }
    fail(no_group)
  }
  if (!is.null(k)) k <- whole(k, "k")
  options <- list(method = method, k = k, missing = missing, scale = scale, continuous = as.list(continuous), ...)
  if (inherits(x, "fairstats_moments")) {
    if (!missing(groups)) {
      fail("groups is given and x are moments, which have their groups already; leave groups out.")
    }
    return(with_call(fs_call("fit", options, list(X = python_object(x, "x"))), call))
  }
  if (is.numeric(groups) && length(groups) == 1L && NROW(x) > 1L) {
    fail("groups = ", format(groups), " is one number, and groups are labels or names of columns; the number of components is ",
      "k: ", method, "(x, ", if (method != "pca") "groups, ", "k = ", format(groups), ").")
  }
  of_features <- is.null(data) && is.data.frame(x)
  if (of_features) data <- x
  features <- features_of(x, data, groups)
  if (method != "pca") refuse_groups_as_features(x, features$recipe, data, groups)
  refuse_lost_groups(groups, data, of_features)
  current <- groups_of(groups, data)
  sent <- without_names(features$x)
  fit <- fs_call("fit", c(options, list(
    X = sent, groups = as.list(current$names), data = current$data, weights = values_of(weights, data, "weights")
  )))
  without <- if (identical(missing, "drop")) rows_without_group(current)
  with_call(finished(fit, features, current, without), call)
}

# One name of a column that a data frame of features alone does not have.
refuse_lost_groups <- function(groups, data, of_features) {
  wanted <- attributes_of(groups)
  if (of_features && is.character(wanted) && length(wanted) == 1L && nrow(data) > 1L &&
    !all(group_names(wanted, names(data)) %in% names(data))) {
    fail("groups names ", sQuote(wanted, FALSE), ", which x does not have; its columns are ", columns_of(data), "; give the ",
      "data frame that has it as data = , or its values, as in groups = people[[\"", wanted, "\"]].",
      nearest(wanted, names(data)))
  }
}

# A formula's columns have names of their own (gb of g), so that Python cannot see which are those of the groups.
refuse_groups_as_features <- function(x, recipe, data, groups) {
  if (is.null(recipe) && !is.character(x) || !names_columns(groups, data)) {
    return(invisible())
  }
  same <- intersect(group_names(groups, names(data)), if (is.null(recipe)) x else variables_of(recipe$terms))
  if (length(same)) {
    fail("groups has ", sQuote(same[[1L]], FALSE), ", which is a feature too: it would be adjusted for itself; leave it out ",
      "of the features.")
  }
}

# Variables that a term has, and not one that another takes away.
variables_of <- function(terms) {
  factors <- attr(terms, "factors")
  if (!length(factors)) {
    return(character())
  }
  all.vars(parse(text = rownames(factors)[rowSums(factors > 0L) > 0L], keep.source = FALSE))
}

# The call of the user's, and what loadings() looks for.
with_call <- function(result, call) {
  origin <- attributes(result)[c("python", "saved")]
  result$formula <- attr(call, "formula") %||% result$formula
  attr(call, "formula") <- NULL
  result$call <- call
  if (inherits(result, "fairstats_fit")) result$loadings <- structure(result$rotation, class = "loadings")
  attributes(result)[names(origin)] <- origin
  result
}

no_group <- "groups is missing; name group columns of data, as in groups = \"sex\", or give one label a row."

# Row names stay in R, and a sparse matrix has nowhere to keep names on the way.
without_names <- function(x) {
  if (methods::is(x, "dgCMatrix")) {
    x@Dimnames <- list(NULL, NULL)
  } else if (is.matrix(x) && is.null(colnames(x))) {
    if (!is.null(dimnames(x))) x <- unname(x)
  } else if (is.data.frame(x) || !is.null(rownames(x))) { # a matrix would be copied for nothing
    rownames(x) <- NULL
  }
  x
}

rows_without_group <- function(groups) {
  absent <- Reduce(`|`, lapply(groups$data, is.na))
  if (any(absent)) absent
}

# What R knows and Python need not: how to make the features again, names of a sparse matrix, the scores of the rows that the
# fit used, which are known by their names, or numbers, as those of lm() are.
finished <- function(fit, features, groups, without = NULL) {
  origin <- attributes(fit)[c("python", "saved")]
  fit$recipe <- features$recipe
  if (methods::is(features$x, "dgCMatrix") && !is.null(colnames(features$x))) fit <- renamed(fit, colnames(features$x))
  if (inherits(fit, "fairstats_fit")) fit$x <- linear_scores(fit, features$x, groups)
  if (inherits(fit, "fairstats_kernel")) fit$x <- kernel_scores(fit, whole_matrix(features$x))
  if (!is.null(without)) {
    if (!is.null(fit$x)) {
      rownames(fit$x) <- rownames(fit$x) %||% seq_len(nrow(fit$x))
      fit$x <- fit$x[!without, , drop = FALSE]
    }
    groups$data <- groups$data[!without, , drop = FALSE]
  }
  if (!is.null(fit$means)) fit$means$rows <- groups
  attributes(fit)[names(origin)] <- origin
  fit
}

renamed <- function(fit, names) {
  for (field in c("rotation", "weights")) if (!is.null(fit[[field]])) rownames(fit[[field]]) <- names
  for (field in c("center", "origin")) if (!is.null(fit[[field]])) names(fit[[field]]) <- names
  fit
}

#' Fits along their parameter
#'
#' What a bound on the loadings costs, or a weight of the error of all beside the gap of two groups' losses: one row a value.
#'
#' @inheritParams fits
#' @param ts Bounds, as `t` of [sog()].
#' @param fit What [disparity_pca()] returned.
#' @param lams Values of `lam` of [disparity_pca()], from 0, the gap alone, to 1, plain PCA; a grid of both and 99 values between
#'   them where `NULL`.
#' @return A tibble.
#' @references Aliverti, E., Lum, K., Johndrow, J. E. and Dunson, D. B. (2021). Removing the influence of group variables in
#'   high-dimensional predictive modelling. Journal of the Royal Statistical Society A 184, 791-811.
#'   \doi{10.1111/rssa.12613}
#'
#'   Samadi, S., Tantipongpipat, U., Morgenstern, J., Singh, M. and Vempala, S. (2018). The price of fair PCA: one
#'   extra dimension. NeurIPS 31. \doi{10.48550/arXiv.1811.00103}
#' @family fits
#' @name paths
#' @examplesIf fairstats_available()
#' x <- scale(mtcars[c("hp", "wt", "qsec", "drat")])
#' sog_path(x, mtcars$am, k = 1, ts = c(1, 1.5, 2))
#' fit <- disparity_pca(x, mtcars$am, k = 1, lam = 0.5, advantaged = 0, disadvantaged = 1)
#' disparity_path(fit, x, mtcars$am, lams = c(0, 0.5, 1))
NULL

#' @rdname paths
#' @export
sog_path <- function(x, groups, k = 2, ts, data = NULL, continuous = NULL, weights = NULL, missing = "raise",
                     scale = FALSE, tolerance = 1e-10, max_iter = 5000, ...) {
  refuse_others(...)
  again <- reordered(sys.nframe())
  if (!is.null(again)) return(eval(again$call, parent.frame()))
  if (is.null(data) && is.data.frame(x)) data <- x
  current <- groups_of(groups, data)
  tibble::as_tibble(fs_call("fit", list(
    method = "sog_path", X = without_names(features_of(x, data, groups)$x), groups = as.list(current$names),
    data = current$data, continuous = as.list(continuous), k = whole(k, "k"), ts = as.list(ts),
    weights = values_of(weights, data, "weights"), missing = missing, scale = scale, tolerance = tolerance,
    max_iter = whole(max_iter, "max_iter")
  )))
}

#' @rdname paths
#' @export
disparity_path <- function(fit, x = NULL, groups = NULL, data = NULL, lams = NULL, weights = NULL, ...) {
  refuse_others(...)
  options <- list(lams = if (!is.null(lams)) as.list(lams))
  tibble::as_tibble(about_rows("disparity_path", fit, x, groups, data, options, weights = weights))
}
