#' Fair decompositions as steps of a recipe
#'
#' * `step_og()` and `step_fair_pca()` replace numeric predictors by the scores of [og()] and [fair_pca()];
#' * `step_leace()` and `step_residualize()` adjust the predictors themselves, as [leace()] and [residualize()] do.
#'
#' The group columns stay in the data as predictors, of which a model can learn the groups all the same: give them another role
#' by [recipes::update_role()], or take them out by [recipes::step_rm()] after the last step that needs them.
#'
#' Each is fitted on the training data. Baking needs no Python, but for `step_residualize()`. Case weights of the recipe
#' ([recipes::frequency_weights()] and [recipes::importance_weights()]) are weights of the fit; scores of new rows need
#' none.
#'
#' @param recipe A recipe.
#' @param ... Selectors of numeric predictors; the group columns are never among them.
#' @param groups The group columns, which must still be in the training data at this step (new rows need them only where
#'   scores depend on them, which are those of `step_og()`; where their role is none of predictors, recipes wants it said, see
#'   the example): names (`"sex:race"` is the intersection),
#'   a formula of them, or a selection as of the predictors (`sex`, `c(sex, race)`, `recipes::has_role("group")`).
#' @param num_comp Number of components; to be tuned with `tune()`. Where the columns have fewer, all of these,
#'   with a warning if the number was given.
#' @param on_unknown Of new rows whose group the step has not seen, where what is baked depends on the groups: `"raise"` or
#'   `"mean"`, as in [predict()][predict.fairstats_fit].
#' @param options A list of further arguments of [og()], [fair_pca()], [leace()] or [residualize()].
#' @param prefix Of the new columns' names.
#' @param keep_original_cols Keep the predictors?
#' @param role,trained,res,columns,skip,id,case_weights As in every step.
#' @return The recipe with the step added.
#' @family verbs
#' @name steps
#' @examplesIf fairstats_available() && requireNamespace("recipes", quietly = TRUE)
#' library(recipes)
#' # am is no predictor, neither before the step nor after it
#' recipe(mpg ~ ., data = mtcars) |>
#'   update_role(am, new_role = "group") |>
#'   step_og(hp, wt, qsec, groups = am, num_comp = 2) |>
#'   prep() |>
#'   bake(new_data = NULL)
#' # new rows without the groups, which scores of fair_pca() do without
#' recipe(mpg ~ ., data = mtcars) |>
#'   update_role(am, new_role = "group") |>
#'   update_role_requirements("group", bake = FALSE) |>
#'   step_fair_pca(hp, wt, qsec, groups = am, num_comp = 1) |>
#'   prep() |>
#'   bake(new_data = mtcars[setdiff(names(mtcars), "am")])
#' # the features themselves, adjusted; am is taken out last
#' recipe(mpg ~ ., data = mtcars) |>
#'   step_leace(hp, wt, groups = am) |>
#'   step_residualize(drat, groups = am) |>
#'   step_fair_pca(qsec, disp, groups = am, num_comp = 1) |>
#'   step_rm(am) |>
#'   prep() |>
#'   bake(new_data = NULL)
NULL

#' @rdname steps
#' @export
step_og <- function(recipe, ..., groups, num_comp = 5, on_unknown = "raise", options = list(), role = "predictor",
                    trained = FALSE, res = NULL, columns = NULL, prefix = "OG", keep_original_cols = FALSE, skip = FALSE,
                    id = recipes::rand_id("og"), case_weights = NULL) {
  fair_step(recipe, "og", rlang::enquos(...), rlang::enquo(groups), num_comp = num_comp, chosen = !missing(num_comp),
    on_unknown = on_unknown, options = options, role = role, trained = trained, res = res, columns = columns, prefix = prefix,
    keep_original_cols = keep_original_cols, skip = skip, id = id, case_weights = case_weights)
}

#' @rdname steps
#' @export
step_fair_pca <- function(recipe, ..., groups, num_comp = 5, options = list(), role = "predictor", trained = FALSE,
                          res = NULL, columns = NULL, prefix = "FairPC", keep_original_cols = FALSE, skip = FALSE,
                          id = recipes::rand_id("fair_pca"), case_weights = NULL) {
  fair_step(recipe, "fair_pca", rlang::enquos(...), rlang::enquo(groups), num_comp = num_comp, chosen = !missing(num_comp),
    options = options, role = role, trained = trained, res = res, columns = columns, prefix = prefix,
    keep_original_cols = keep_original_cols, skip = skip, id = id, case_weights = case_weights)
}

#' @rdname steps
#' @export
step_leace <- function(recipe, ..., groups, options = list(), role = NA, trained = FALSE, res = NULL, columns = NULL,
                       skip = FALSE, id = recipes::rand_id("leace"), case_weights = NULL) {
  fair_step(recipe, "leace", rlang::enquos(...), rlang::enquo(groups), options = options, role = role, trained = trained,
    res = res, columns = columns, skip = skip, id = id, case_weights = case_weights)
}

#' @rdname steps
#' @export
step_residualize <- function(recipe, ..., groups, on_unknown = "raise", options = list(), role = NA, trained = FALSE,
                             res = NULL, columns = NULL, skip = FALSE, id = recipes::rand_id("residualize"),
                             case_weights = NULL) {
  fair_step(recipe, "residualize", rlang::enquos(...), rlang::enquo(groups), on_unknown = on_unknown, options = options,
    role = role, trained = trained, res = res, columns = columns, skip = skip, id = id, case_weights = case_weights)
}

fair_step <- function(recipe, method, terms, groups, ...) {
  refuse_named(names(terms), method)
  if (missing(recipe) || !inherits(argument_value("recipe", environment()), "recipe")) {
    fail("recipe is ", if (missing(recipe)) "missing" else paste("of class", class(recipe)[[1L]]),
      "; give a recipe first, as in recipe(y ~ ., data = people) |> step_", method, "(...).")
  }
  if (rlang::quo_is_missing(groups)) fail(no_group)
  result <- recipes::step(subclass = method, terms = terms, groups = chosen_groups(groups, recipe$var_info$variable), ...)
  class(result) <- c(class(result)[[1L]], "fairstatsstep", "step")
  recipes::add_step(recipe, result)
}

# Selectors have no names: an argument that a step does not know, of which its method has some.
refuse_named <- function(names, method) {
  available <- setdiff(names(formals(get(method, mode = "function"))), c("x", "data", "..."))
  for (name in setdiff(names, "")) {
    meant <- called_here(name, available) %||% name
    here <- switch(meant, k = "called num_comp here", groups = "called groups here",
      paste0("given in options, as a list with ", meant))
    absent <- paste0("step_", method, "() has no argument ", sQuote(name, FALSE))
    if (meant %in% available) fail(absent, ": it is ", here, ".")
    fail(absent, ", and selectors have no names.", nearest(name, names(formals(get(paste0("step_", method), mode = "function")))))
  }
}

# What a step says of itself, by the name of its method.
step_titles <- c(
  og = "Scores orthogonal to the groups of ", fair_pca = "Components with equal group means of ",
  leace = "Linear traces of the groups erased from ", residualize = "Means of the groups taken out of "
)
method_of <- function(step) sub("^step_", "", class(step)[[1L]])

# Names and formulas as text; anything else is a selection, made when the step is prepared.
chosen_groups <- function(quo, columns) {
  request <- rlang::quo_get_expr(quo)
  value <- if (is.symbol(request) && !as.character(request) %in% columns) {
    get0(as.character(request), rlang::quo_get_env(quo))
  } else if (is.character(request) || rlang::is_call(request, "~") ||
    rlang::is_call(request, "c") && all(vapply(as.list(request)[-1L], is.character, NA))) {
    rlang::eval_tidy(quo)
  }
  value <- attributes_of(value)
  if (is.character(value)) value else rlang::quos(!!quo)
}

refuse_lost_group <- function(name, step) {
  fail(step, "() needs the group column ", sQuote(name, FALSE), ", which is not in the data at this step: an earlier step ",
    "removed it, as step_dummy() does, or the recipe never had it. Let that step leave it alone, or come later.")
}

#' @exportS3Method recipes::prep
prep.fairstatsstep <- function(x, training, info = NULL, ...) {
  method <- method_of(x)
  if (!is.character(x$groups)) {
    x$groups <- tryCatch(unname(recipes::recipes_eval_select(x$groups, training, info)),
      vctrs_error_subscript_oob = function(problem) refuse_lost_group(problem$i, class(x)[[1L]]))
  }
  if (!length(x$groups)) fail("groups selects no column; name the columns whose groups are meant.")
  groups <- group_names(x$groups, names(training))
  if (length(lost <- setdiff(groups, names(training)))) refuse_lost_group(lost[[1L]], class(x)[[1L]])
  columns <- setdiff(unname(recipes::recipes_eval_select(x$terms, training, info)), groups)
  predictors <- intersect(groups, info$variable[info$role %in% "predictor"])
  if (length(predictors)) { # of every resample it would be too much
    rlang::inform(writable(paste0(class(x)[[1L]], "() leaves ", paste(predictors, collapse = ", "),
      " a predictor, of which a model can learn the groups; see update_role() and step_rm().")),
    .frequency = "once", .frequency_id = paste(c("fairstats", class(x)[[1L]], predictors), collapse = " "))
  }
  recipes::check_type(training[, columns])
  weights <- recipes::get_case_weights(info, training)
  if (length(columns)) {
    if (!is.null(weights) && !is.null(x$options$weights)) {
      fail("options has weights and the recipe has case weights; leave one of the two out.")
    }
    # fair_pca() leaves out a direction for each group beyond the first
    labels <- unique(training[pick(groups, training, "groups")])
    most <- length(columns) - inherits(x, "step_fair_pca") * (nrow(labels) - 1L)
    if (!is.null(x$num_comp) && most > 0L && isTRUE(x$num_comp < 1)) {
      fail("num_comp has ", x$num_comp, "; it can be 1 to ", most, " here, by ", length(columns), " columns.")
    }
    if (!is.null(x$num_comp) && most > 0L && x$num_comp > most) {
      if (isTRUE(x$chosen)) {
        tell("num_comp = ", x$num_comp, " of ", class(x)[[1L]], "() is more than its columns have components; the step gives ",
          most, ", as num_comp = ", most, " does without this warning.")
      }
      x$num_comp <- most
    }
    given <- c(list(x = columns, groups = x$groups,
      data = as.data.frame(training)[unique(c(columns, pick(groups, training, "groups")))]),
    if (!is.null(x$num_comp)) list(k = x$num_comp), if (!is.null(weights)) list(weights = as.numeric(unclass(weights))))
    for (name in intersect(names(x$options), names(given))) {
      fail("options has ", name, ", which the step gives to ", method, "() itself; ",
        switch(name, k = "give it as num_comp.", groups = "give it as groups of the step.", "leave it out."))
    }
    x$res <- do.call(method, c(given, x$options))
    attr(x$res, "python") <- NULL
    x$res$x <- NULL
    x$case_weights <- if (!is.null(weights)) TRUE
  }
  x$columns <- columns
  x$trained <- TRUE
  x
}

#' @exportS3Method recipes::bake
bake.fairstatsstep <- function(object, new_data, ...) {
  if (!length(object$columns)) {
    return(new_data)
  }
  frame <- as.data.frame(new_data)
  # which erasers and most components do without
  needed <- inherits(object$res, "fairstats_group_map") || !is.null(object$res$groups$added)
  groups <- if (needed) group_names(object$groups, names(frame))
  lost <- setdiff(groups, names(frame))
  if (length(lost)) {
    fail("new_data has no column ", sQuote(lost[[1L]], FALSE), ", whose groups ", class(object)[[1L]], "() needs.")
  }
  rows <- frame[unique(c(object$columns, groups))]
  on_unknown <- object$on_unknown %||% "raise"
  if (inherits(object$res, "fairstats_eraser")) {
    frame[object$columns] <- as.data.frame(stats::predict(object$res, rows))
  } else if (inherits(object$res, "fairstats_group_map")) {
    frame[object$columns] <- as.data.frame(stats::predict(object$res, rows, groups = object$groups,
      on_unknown = on_unknown))
  } else {
    scores <- stats::predict(object$res, rows, groups = if (needed) object$groups, on_unknown = on_unknown)
    colnames(scores) <- recipes::names0(ncol(scores), object$prefix)
    kept <- if (object$keep_original_cols) names(frame) else setdiff(names(frame), object$columns)
    frame <- cbind(frame[kept], scores)
  }
  tibble::as_tibble(frame)
}

#' @export
print.fairstatsstep <- function(x, width = max(20, options()$width - 35), ...) {
  recipes::print_step(x$columns, x$terms, x$trained, step_titles[[method_of(x)]], width, case_weights = x$case_weights)
  invisible(x)
}

#' @export
tidy.fairstatsstep <- function(x, type = "coef", ...) {
  if (!identical(type, "coef")) {
    fail("type = ", deparse1(type), " is not \"coef\", the loadings, which are all that the table of this step has; the ",
      "standard deviations of the scores that it makes are res$sdev of the step.")
  }
  loadings <- x$res$rotation
  if (is.null(loadings)) {
    terms <- if (x$trained) as.character(x$columns) else recipes::sel2char(x$terms)
    result <- tibble::tibble(terms = terms, id = rep(x$id, length(terms)))
    # steps without components have nothing that these columns could hold
    if (is.null(x$num_comp)) return(result)
    return(tibble::add_column(result, value = NA_real_, component = NA_character_, .before = "id"))
  }
  baked <- recipes::names0(ncol(loadings), x$prefix)
  tibble::tibble(
    terms = rep(rownames(loadings), ncol(loadings)), value = as.vector(loadings),
    component = rep(baked, each = nrow(loadings)), id = x$id
  )
}

#' @importFrom generics required_pkgs
#' @export
required_pkgs.fairstatsstep <- function(x, ...) {
  "fairstats"
}

#' @importFrom generics tunable
#' @export
tunable.fairstatsstep <- function(x, ...) {
  tuned <- !is.null(x$num_comp)
  tibble::tibble(
    name = if (tuned) "num_comp" else character(),
    call_info = if (tuned) list(list(pkg = "dials", fun = "num_comp", range = c(1L, 4L))) else list(),
    source = rep("recipe", tuned), component = rep(class(x)[[1L]], tuned), component_id = rep(x$id, tuned)
  )
}
