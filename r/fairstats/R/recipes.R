#' Scores orthogonal to a group, as a step of a recipe
#'
#' Replaces numeric predictors by the scores of [og()], fitted on the training data. Baking needs no Python. Case weights of
#' the recipe ([recipes::frequency_weights()] and [recipes::importance_weights()]) are weights of the fit; scores of new
#' rows need none.
#'
#' @param recipe A recipe.
#' @param ... Selectors of numeric predictors; the group columns are never among them.
#' @param group Names of the group columns, which must still be in the data at this step.
#' @param num_comp Number of components.
#' @param options A list of further arguments of [og()].
#' @param prefix Of the new columns' names.
#' @param keep_original_cols Keep the predictors?
#' @param role,trained,res,columns,skip,id,case_weights As in every step.
#' @return The recipe with the step added.
#' @export
#' @examplesIf fairstats_available() && requireNamespace("recipes", quietly = TRUE)
#' library(recipes)
#' recipe(mpg ~ ., data = mtcars) |>
#'   step_og(hp, wt, qsec, group = "am", num_comp = 2) |>
#'   prep() |>
#'   bake(new_data = NULL)
step_og <- function(recipe, ..., group, num_comp = 5, options = list(), role = "predictor", trained = FALSE,
                    res = NULL, columns = NULL, prefix = "OG", keep_original_cols = FALSE, skip = FALSE,
                    id = recipes::rand_id("og"), case_weights = NULL) {
  recipes::add_step(recipe, recipes::step(
    subclass = "og", terms = rlang::enquos(...), group = group, num_comp = num_comp, options = options, role = role,
    trained = trained, res = res, columns = columns, prefix = prefix, keep_original_cols = keep_original_cols,
    skip = skip, id = id, case_weights = case_weights
  ))
}

#' @exportS3Method recipes::prep
prep.step_og <- function(x, training, info = NULL, ...) {
  groups <- group_names(x$group, names(training))
  columns <- setdiff(unname(recipes::recipes_eval_select(x$terms, training, info)), groups)
  recipes::check_type(training[, columns])
  weights <- recipes::get_case_weights(info, training)
  if (length(columns)) {
    if (!is.null(weights) && !is.null(x$options$weights)) {
      fail("options has weights and the recipe has case weights; leave one of the two out.")
    }
    x$res <- do.call(og, c(list(
      x = columns, group = attributes_of(x$group), k = min(x$num_comp, length(columns)),
      data = as.data.frame(training)[unique(c(columns, pick(groups, training, "group")))]
    ), if (!is.null(weights)) list(weights = as.numeric(unclass(weights))), x$options))
    attr(x$res, "python") <- NULL
    x$res$x <- NULL
    x$case_weights <- if (!is.null(weights)) TRUE
  }
  x$columns <- columns
  x$trained <- TRUE
  x
}

#' @exportS3Method recipes::bake
bake.step_og <- function(object, new_data, ...) {
  if (!length(object$columns)) {
    return(new_data)
  }
  frame <- as.data.frame(new_data)
  groups <- pick(group_names(object$group, names(frame)), frame, "group")
  scores <- stats::predict(object$res, frame[unique(c(object$columns, groups))], group = attributes_of(object$group))
  colnames(scores) <- recipes::names0(ncol(scores), object$prefix)
  kept <- if (object$keep_original_cols) names(frame) else setdiff(names(frame), object$columns)
  tibble::as_tibble(cbind(frame[kept], scores))
}

#' @export
print.step_og <- function(x, width = max(20, options()$width - 35), ...) {
  recipes::print_step(x$columns, x$terms, x$trained, "Scores orthogonal to the groups of ", width,
    case_weights = x$case_weights)
  invisible(x)
}

#' @export
tidy.step_og <- function(x, ...) {
  if (is.null(x$res)) {
    return(tibble::tibble(terms = character(), value = numeric(), component = character(), id = character()))
  }
  loadings <- x$res$rotation
  tibble::tibble(
    terms = rep(rownames(loadings), ncol(loadings)), value = as.vector(loadings),
    component = rep(colnames(loadings), each = nrow(loadings)), id = x$id
  )
}

#' @importFrom generics required_pkgs
#' @export
required_pkgs.step_og <- function(x, ...) {
  "fairstats"
}
