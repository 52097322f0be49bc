# What R itself would answer without the name that was meant: arguments that a function does not have.

# Arguments by the names that they have elsewhere in R, or had once; one name may be another's in several functions. R would
# take `group` for the beginning of `groups`.
names_in_r <- c(
  group = "groups", grp = "groups", ref = "reference", base = "reference", baseline = "reference", estimate = "decision",
  response = "outcome", cutoff = "threshold", wt = "weights", wts = "weights", sampling_weights = "weights", delta = "margin",
  ncomp = "k", rank = "k", rank. = "k", centers = "k", scale. = "scale", standardize = "scale", standardise = "scale",
  max_depth = "max_order", level = "conf_level", ci = "conf_level", conf.int = "conf_level", conf_int = "conf_level",
  p.adjust.method = "p_adjust", method = "p_adjust", correction = "p_adjust", type = "kind", time = "period",
  nperm = "permutations", reps = "n_repeats", nstart = "n_init", iter.max = "max_iter", n = "total",
  outcome = "pay", adjust_for = "explained_by",
  explained_by = "adjust_for", output_file = "to", output_file = "path",
  group = "attribute", groups = "by", group = "by", sensitive_features = "by", na.rm = "na_rm", colour = "col", color = "col",
  weights = "case_weights", weight = "case_weights", wt = "case_weights", wts = "case_weights",
  decision = "models", decision = "candidates", decision = "outcome", outcome = "truth", decision = "estimate",
  .pred = "score", .pred_class = "decision", .pred_class = "estimate", # of tidymodels
  R = "replicates", R = "n_repeats", R = "permutations", B = "replicates", B = "n_repeats", B = "permutations",
  table = "data", result = "x", X = "x", # Python's
  data = "newdata", new_data = "newdata", new_data = "data", newdata = "data", data = "source", data = "x", # of predict()
  variables = "features", vars = "features", columns = "features", cols = "features", variables = "groups", vars = "groups",
  vcov = "clusters", case_weights = "weights", num_comp = "k", npc = "k", nfolds = "folds", v = "folds", times = "n_repeats",
  k = "n_neighbors",
  nboot = "replicates", times = "replicates", n_perm = "permutations", date = "period", measure = "metric", tol = "tolerance",
  lambda = "lam", lambda = "penalty", format = "to", lang = "language", locale = "language", p = "benchmark",
  prediction = "estimate", predictions = "estimate", pred = "estimate", predicted = "estimate", y_pred = "estimate"
)

# Features are `x` in a fit; elsewhere x is something else.
names_of_features <- c("features", "variables", "vars", "columns", "cols", "formula")

# Arguments of Python's functions that R's have no need of; the guide to R and Python lists them.
only_in_python <- list(
  fair_compare = "progress", fair_pca_stream = "progress", fair_moments = "progress", # R has a bar of its own
  fairlearn_reduction = "estimator", # an object of scikit-learn's
  fair_kneighbors_graph = c("nodes", "component"), # R gets the matrix of weights; the clustering takes both
  fair_load = "kind", # for type checkers
  fair_figure = "ax" # of matplotlib
)

# What other libraries call an argument, as Python has it (ELSEWHERE); tools/r_arguments.py writes it.
names_elsewhere <- c(
  sensitive_features = "groups", sensitive_feature = "groups", protected_attribute = "groups", protected = "groups",
  protected_attribute_names = "groups", prot_attr = "groups", attributes = "groups", attr_cols = "groups",
  protected_attributes = "groups", sensitive = "groups", sensitive_attribute = "groups",
  sensitive_attributes = "groups", protected_groups = "groups", protected_columns = "groups",
  sensitive_columns = "groups", attribute = "groups", unprivileged_groups = "groups", unpriv_group = "groups",
  unprivileged = "groups", attr = "groups", sensitive_column = "groups", protected_column = "groups",
  group_by = "groups", groupby = "groups", label_names = "outcome", label_names = "y", label_name = "outcome",
  label_name = "y", label_value = "outcome", label_value = "y", label_column = "outcome", label_column = "y",
  privileged_groups = "reference", priv_group = "reference", privileged = "reference", ref_groups_dict = "reference",
  control_features = "strata", control_features = "adjust_for", control_features = "explained_by",
  controls = "strata", controls = "adjust_for", controls = "explained_by", covariates = "strata",
  covariates = "adjust_for", covariates = "explained_by", stratify = "strata", strata = "adjust_for",
  stratum = "strata", strat = "strata", psu = "clusters", psus = "clusters", ids = "clusters", id = "clusters",
  cluster = "clusters", cluster_id = "clusters", cluster_col = "clusters", weight = "weights", pweights = "weights",
  survey_weights = "weights", repweights = "replicate_weights", label = "outcome", label = "y", label_col = "outcome",
  label_col = "y", labels_col = "outcome", labels_col = "y", target_column = "outcome", target_column = "y",
  target_col = "outcome", target_col = "y", pay = "amount", salary = "amount", salary = "pay", wage = "amount",
  wage = "pay", income = "amount", income = "pay", outcome = "amount", amount = "pay", epsilon = "margin",
  eps = "margin", tau = "margin", pos_label = "favorable", favorable_label = "favorable",
  score_threshold = "threshold", cutoff = "threshold", cut_off = "threshold", cut = "threshold",
  n_boot = "replicates", y_true = "outcome", y_true = "y", y = "outcome", y = "y_true", target = "outcome",
  target = "y", target = "y_true", actual = "outcome", actual = "y", actual = "y_true", truth = "outcome",
  truth = "y", truth = "y_true", ground_truth = "outcome", ground_truth = "y", ground_truth = "y_true",
  y_pred = "decision", prediction = "decision", prediction = "y_pred", pred = "decision", pred = "y_pred",
  y_hat = "decision", y_hat = "y_pred", d = "decision", d = "y_pred", predicted = "decision", predicted = "y_pred",
  predictions = "decision", predictions = "y_pred", predictions = "models", predictions = "candidates",
  reference = "benchmark", expected = "benchmark", population = "benchmark", variables = "features",
  vars = "features", predictors = "features", columns = "features", confidence = "conf_level",
  confidence_level = "conf_level", ci_level = "conf_level", ref_group = "reference", reference_group = "reference",
  ref_groups = "reference", prob = "score", prob = "scores", prob = "y_score", proba = "score", proba = "scores",
  proba = "y_score", probability = "score", probability = "scores", probability = "y_score", probabilities = "score",
  probabilities = "scores", probabilities = "y_score", y_score = "score", y_score = "scores", y_prob = "score",
  y_prob = "scores", y_prob = "y_score", y_proba = "score", y_proba = "scores", y_proba = "y_score", probs = "score",
  probs = "scores", probs = "y_score", s = "score", s = "scores", s = "y_score", sample_weight = "weights",
  w = "weights", w = "sample_weight", weights = "sample_weight", counts = "weights", counts = "sample_weight",
  pairs = "blocks", pair = "blocks", matched = "blocks", n_components = "k", n_clusters = "k", output = "to",
  output = "path", out = "to", out = "path", filename = "to", filename = "path", file = "to", file = "path", o = "to",
  pdf = "to", html = "to", path = "to", metrics = "metric", by = "period", by = "groups", groups = "group_columns",
  group = "term", random_state = "seed", favourable = "favorable", rejected = "not_selected",
  unselected = "not_selected", tolerance = "margin", equivalence = "margin", words = "labels", focus = "headline",
  adjust = "p_adjust", adjust_method = "p_adjust_method", predicts = "positive_prediction", depth = "max_order",
  smallest = "min_n", most = "max_k", kmax = "max_k", max_components = "max_k", about = "ll144_notice",
  neighbors = "n_neighbors", starts = "n_init", unit_rows = "normalize_rows", plain = "compare_unconstrained",
  landmarks = "n_landmarks", around = "center_by", steps = "max_iter", rate = "learning_rate", repeats = "n_repeats",
  jobs = "n_jobs", df = "data"
)

# What an argument is called here, of those that a function has; NULL where it has none.
called_here <- function(name, available, others = character()) {
  known <- c(names_elsewhere, names_in_r)
  targets <- known[names(known) %in% c(name, gsub(".", "_", name, fixed = TRUE)) & known %in% available]
  if ("tally" %in% available && name %in% c("threshold", "n", "k")) targets <- intersect("min_n", available)
  # of amounts covariates are adjusted for, numeric ones, too
  if ("amount" %in% others) targets <- c(intersect("adjust_for", targets), targets)
  if (name %in% names_of_features && all(c("x", "groups") %in% available)) targets <- "x"
  if (length(targets) && !name %in% available) targets[[1L]]
}

# An argument by the name that it had once, or has elsewhere, is an error with the name that it has here.
refuse_former <- function(name, available, called, others = character()) {
  meant <- called_here(name, available, others)
  if (!is.null(meant)) fail(called, " has no argument ", sQuote(name, FALSE), ": it is called ", meant, " here.")
}

# Arguments that no function here has, what does the same, and in brackets the argument of a function of which this is true.
left_out <- "rows without a value are left out of the rates that need it, and the result counts them"
without_bootstrap <- "limits here need no bootstrap; fair_bootstrap_loadings() has that of a fit"
by_design <- "give the design, as survey::svydesign() returns it, in place of data"
predicted_first <- "make what the model predicts a column, data$p <- predict(model, data), and give score = \"p\""
sparsity <- "t bounds the sum of absolute loadings of a component, 1 for one feature"
elsewhere <- list(
  subset = c(data = "give the rows that are meant as data, as subset() returns them"),
  na.action = c(decision = left_out), na.rm = c(decision = left_out), na_rm = c(decision = left_out),
  n_boot = c(conf_level = without_bootstrap), n_bootstrap = c(conf_level = without_bootstrap),
  nboot = c(conf_level = without_bootstrap), digits = c(data = "tidy() of the result has the numbers with all digits"),
  alpha = c(conf_level = "give conf_level, which is 1 less alpha"),
  event_level = c(favorable = "favorable names the label of the decision that is counted",
    positive = "positive names that of the outcome"),
  survey_design = c(design = by_design), svydesign = c(design = by_design),
  model = c(score = predicted_first), explainer = c(score = predicted_first),
  lambda = c(t = sparsity), penalty = c(t = sparsity), sumabs = c(t = sparsity)
)

# What plot() takes and labs() of ggplot2 calls otherwise.
of_labels <- c(main = "title", sub = "subtitle", xlab = "x", ylab = "y")

# Arguments without a default that may be left out, or whose absence has an error of its own.
may_be_absent <- c("groups", "newdata", "parm", "formula.")

# Arguments that are names of columns, as text.
columns_by_name <- c("groups", "decision", "outcome", "score", "amount", "pay", "strata", "weights", "clusters", "category",
  "blocks", "adjust_for", "explained_by", "features", "period", "hours", "bonus", "variable_pay", "total", "selected", "known",
  "models", "candidates", "stages", "split", "codes", "y", "preserve")

# Those that a formula can say as a sum.
sums_of_columns <- c("x", "features", "adjust_for", "explained_by")

# Arguments that are labels.
labels_by_name <- c("reference", "favorable", "positive", "positive_prediction", "baseline", "advantaged", "disadvantaged")

# Arguments that are read as they are written, and those that may be functions.
as_written <- c("by", "model") # fair_compare() says more of a model that is not there
may_be_function <- c("model", "fit", "predict")

# Functions whose first arguments a formula can say.
by_formula <- c("fair_audit", "fair_tally", "fair_subgroup_scan", "fair_monitor", "fair_matched_pairs", "fair_pay_transparency",
  "fair_gender_pay_gap", "fair_decompose", "fair_adjusted_gap")

# Exported functions have `...`, so that what they do not know comes here, and not to R's "unused argument".
refuse_others <- function(...) {
  call <- sys.call(-1L)
  frame <- parent.frame()
  arguments <- formals(sys.function(-1L))
  available <- setdiff(names(arguments), "...")
  head <- call[[1L]]
  if (rlang::is_call(head, c("::", ":::"))) head <- head[[3L]]
  # of a method what the user called
  called <- if (is.name(head)) paste0(sub("[.]fairstats.*$", "", as.character(head)), "()") else "the function"
  named <- setdiff(names(match.call(expand.dots = FALSE)$...), "") # without a look at their values
  written <- union(names(call), named) # a function that hands on its own `...` has no names in the call
  for (name in written) refuse_former(name, available, called, written)
  if (...length()) {
    if (!length(named)) {
      # those that stand before `...` and take values without names, too
      both <- intersect(names(call), names(arguments)[seq_len(match("...", names(arguments)) - 1L)])
      if (length(both)) {
        fail(called, " was given ", both[[1L]], " by its name; of values without a name it then takes ",
          several(setdiff(names(arguments)[seq_len(match("...", names(arguments)) - 1L)], both)), " only: name the others.")
      }
      fail(called, " was given more values than it takes without names; name them: ", several(available), ".")
    }
    refuse_of_models(named[[1L]], available, called)
    if (called == "autoplot()" && named[[1L]] %in% names(of_labels)) {
      fail("autoplot() has no argument ", sQuote(named[[1L]], FALSE), "; add ggplot2::labs(", of_labels[[named[[1L]]]],
        " = ) to what it returns.")
    }
    if (named[[1L]] %in% only_in_python[[sub("()", "", called, fixed = TRUE)]]) {
      fail(called, " has no argument ", sQuote(named[[1L]], FALSE), " in R; only Python's function has it.")
    }
    if (called == "fair_tally()" && named[[1L]] %in% names(audit_forms)) {
      fail(called, " counts people, and has no argument ", sQuote(named[[1L]], FALSE), "; give it to the audit: ",
        "fair_audit(tally, ", named[[1L]], " = ).")
    }
    meant <- nearest(named[[1L]], available)
    fail(called, " has no argument ", sQuote(named[[1L]], FALSE),
      if (is.null(meant)) paste0("; it has ", several(available)), ".", meant)
  }
  there <- function(name) !is_absent(name, frame)
  # the features of a fit are names of columns where it has data
  features <- if (all(c("groups", "continuous", "data") %in% available) && there("data")) "x"
  refuse_bare(intersect(available, c(features, columns_by_name, labels_by_name)), frame, parent.frame(2L),
    sub("()", "", called, fixed = TRUE) %in% by_formula)
  # what may be a formula: any argument of a fit, whose formula may stand second, and data behind a formula
  formulas <- c("x", columns_by_name, "formula", "formula.", if (available[[1L]] != "fit") "data",
    if (available[[1L]] == "x" && "data" %in% available) available)
  for (name in Filter(there, setdiff(available, as_written))) {
    value <- argument_value(name, frame)
    if (name %in% c("method", "methods")) {
      refuse_functions(value, name)
    } else if (is.function(value) && !name %in% may_be_function) {
      bare <- eval(call("substitute", as.name(name)), frame)
      fail(name, if (is.name(bare)) paste(" =", bare), " is a function; give ",
        if (name == "data") "a data frame" else "a value", ".")
    }
    if (is.null(value) && !name %in% c(null_says, may_be_absent, available[[1L]])) refuse_null(name, arguments[[name]])
    if (inherits(value, "formula") && !name %in% formulas) fail(name, " = ", deparse1(value), " is a formula; give a value.")
  }
  data <- if (available[[1L]] == "data" && there("data")) get("data", frame)
  of_data <- available[[1L]] == "data" && is.name(head) && startsWith(as.character(head), "fair_")
  if (of_data && inherits(data, "fairstats") && !inherits(data, "fairstats_tally")) {
    fail("data is of class ", class(data)[[1L]], ", a result; ", called, " takes the data frame itself, one row a person.")
  }
  if (of_data && is_model(data)) {
    fail("data is of class ", class(data)[[1L]], ", a model; ", called, " takes the data frame, one row a person, with what the ",
      "model predicts as a column: data$p <- predict(model, data).")
  }
  if (available[[1L]] %in% c("data", "source")) {
    take_columns(intersect(available, columns_by_name), frame, called, if (of_data) setdiff(available[[2L]], names(call)))
  }
  required <- available[vapply(arguments[available], rlang::is_missing, NA)]
  # a formula stands first, or after the data frame, as a pipe writes it
  name <- if (available[[1L]] == "data") setdiff(available[2L], c("groups", NA))
  second <- if (length(name) && there(name)) get(name, frame)
  others <- Filter(function(x) inherits(x, "formula"), list(data, second))
  if (of_data && !as.character(head) %in% by_formula) {
    if (length(others)) {
      fail(called, " takes no formula first; give the data frame first, and name its columns: ",
        paste(union(available[2:3], setdiff(required, "data")), collapse = ", "), ".")
    }
  }
  may <- if (available[[1L]] == "data" && !length(others)) setdiff(may_be_absent, "groups") else c(may_be_absent, "blocks")
  needed <- setdiff(required, may)
  for (name in needed) {
    if (is_absent(name, frame)) fail(name, " is missing; ", called, " needs it, as its help page says.")
  }
  invisible()
}

# Columns that a one-sided formula, as package survey has it, or a list names, as a vector of names. A formula that says more is
# left as it is: of covariates, or, without a name after the data, of what is compared.
take_columns <- function(arguments, frame, called, first) {
  as_formula <- c("adjust_for", "explained_by", if ("outcome" %in% arguments) "features", # of a comparison of methods
    if (sub("()", "", called, fixed = TRUE) %in% by_formula) first)
  for (name in setdiff(arguments, as_formula)) {
    value <- if (!is_absent(name, frame)) get(name, frame)
    named <- if (inherits(value, "formula")) length(value) == 2L || name == "groups" else is.list(value)
    if (named) assign(name, attributes_of(value, name), frame)
  }
  for (name in setdiff(arguments, c("models", "candidates", if (called == "fair_group_probabilities()") "groups"))) {
    value <- if (!is_absent(name, frame)) get(name, frame)
    if (is.character(value) && !is.null(names(value))) assign(name, plain_names(value, name), frame)
  }
}

# Names of columns without names of their own, as sapply() leaves them, which repeat the columns or are refused.
plain_names <- function(columns, argument) {
  others <- setdiff(names(columns), c(columns, ""))
  if (length(others)) {
    fail(argument, " has the names ", several(others), ", and results call columns as data does; rename columns of data, or ",
      "give ", argument, " = ", deparse1(unname(columns)), ".")
  }
  unname(columns)
}

# Whether an argument of the function of that frame was left out. (Fits have an argument that is called missing.)
is_absent <- function(name, frame) eval(as.call(list(base::missing, as.name(name))), frame)

# The value of an argument of the function that the user called, which heads the error of an expression without one.
argument_value <- function(name, frame, called = verb_call()) {
  withCallingHandlers(get(name, frame), error = function(problem) {
    if (!identical(problem$call, quote(get(name, frame)))) return()
    problem$call <- called
    stop(problem)
  })
}

# Arguments of which NULL says something else than their default.
null_says <- c("weight", "extras")

# What says "none" of arguments whose default is something.
none_of <- c(p_adjust = "\"none\"", intersections = "FALSE")

# NULL would be the default without a word where the default is another.
refuse_null <- function(name, default) {
  if (rlang::is_missing(default)) fail(name, " is NULL; give a value.")
  if (is.null(default)) return(invisible())
  fail(name, " is NULL; give a value, or leave it out for its default, ", deparse1(default),
    if (name %in% names(none_of)) paste0("; for none pass ", none_of[[name]]), ".")
}

# What predict() of R or of a package for models takes.
is_model <- function(x) {
  is.list(x) && is.object(x) && !is.data.frame(x) && !inherits(x, "fairstats") &&
    any(vapply(class(x), function(name) !is.null(utils::getS3method("predict", name, optional = TRUE)), NA))
}

# The first of many names; all are on the help page.
several <- function(names, most = 12L) {
  paste0(paste(utils::head(names, most), collapse = ", "), if (length(names) > most) ", ... (all are on its help page)")
}

# What has no counterpart here: a formula or a level under the name that models of R have for it.
refuse_of_models <- function(name, available, called) {
  verb <- intersect(c("conf.level", "level"), available)
  if (name %in% c("conf_level", "conf.level", "level") && length(verb)) {
    fail(called, " has the level that the result was made with; for another one make it anew, as in ", sub("()", "", called,
      fixed = TRUE), "(update(x, conf_level = 0.9)).")
  }
  # fits, what is computed of them, and fair_compare()
  if (name %in% c("na.action", "na.rm", "na_rm") && "groups" %in% available && any(c("x", "methods") %in% available)) {
    fail(called, " has no argument ", sQuote(name, FALSE), "; rows without a value of a feature are refused: leave them out ",
      "first.")
  }
  way <- elsewhere[[name]]
  way <- way[names(way) %in% available]
  if (length(way)) fail(called, " has no argument ", sQuote(name, FALSE), "; ", paste(way, collapse = ", "), ".")
  if (name != "formula" || available[[1L]] != "data") return(invisible())
  fail(called, " has no argument 'formula'; ", if (sub("()", "", called, fixed = TRUE) %in% by_formula) {
    "write the formula first, without a name."
  } else {
    "name columns of data."
  })
}

# A column's name without quotes, which is no object where the function was called. What exists there and fails is left to R.
refuse_bare <- function(arguments, frame, outside, formulas) {
  for (name in arguments) {
    if (is_absent(name, frame)) next
    bare <- eval(call("substitute", as.name(name)), frame)
    columns <- if (rlang::is_call(bare, "c")) as.list(bare)[-1L] else list(bare)
    summed <- name %in% sums_of_columns && all(setdiff(all.names(bare), all.vars(bare)) %in% c("+", "*", ":", "^", "("))
    if (summed) columns <- lapply(all.vars(bare), as.name)
    if (!all(vapply(columns, is.name, NA))) {
      if (name %in% columns_by_name) refuse_computed(name, bare, frame, outside)
      next
    }
    problem <- NULL
    value <- tryCatch(get(name, frame), error = function(one) {
      problem <<- one
      NULL
    })
    if (is.null(value) || is.function(value)) {
      columns <- vapply(columns, as.character, "")
      if (is.null(value) && all(vapply(columns, exists, NA, envir = outside))) {
        if (is.null(problem)) next
        stop(problem) # which a second evaluation would head with a warning
      }
      what <- if (is.null(value)) " names no object; " else " names a function; "
      fail(name, " = ", deparse1(bare), what, if (name %in% labels_by_name) {
        paste0("write a label in quotes, ", name, " = ", deparse1(columns), ".")
      } else {
        paste0("write columns in quotes, ", name, " = ", deparse1(columns), formula_hint(name, columns, bare, formulas), ".")
      })
    }
  }
}

# What is computed from columns of the data, which are no objects where the function was called.
refuse_computed <- function(name, bare, frame, outside) {
  if (!is.call(bare) || rlang::is_call(bare, "~")) return(invisible())
  head <- bare[[1L]]
  if (is.name(head) && !exists(as.character(head), envir = outside, mode = "function")) {
    fail(name, " = ", deparse1(bare), " calls ", as.character(head), "(), which is no function here; give names of columns as ",
      "text, or the variable that holds them.")
  }
  lost <- Filter(function(one) !exists(one, envir = outside), all.vars(bare))
  if (!length(lost)) return(invisible())
  tryCatch(get(name, frame), error = function(problem) {
    fail(name, " = ", deparse1(bare), " is computed from ", paste(lost, collapse = ", "), ", which is no object here; ", name,
      " is the name of a column, in quotes: give transform(data, new = ", deparse1(bare), ") as data, and ", name, " = \"new\".")
  })
  invisible()
}

# The same columns as a formula, where the argument, or the function by its first arguments, takes one.
formula_hint <- function(name, columns, bare, formulas) {
  if (name == "groups") {
    paste0(", or a formula: groups = ~ ", paste(columns, collapse = " + "))
  } else if (name %in% sums_of_columns) {
    paste0(", or a formula: ~ ", if (rlang::is_call(bare, "c")) paste(columns, collapse = " + ") else deparse1(bare))
  } else if (formulas && name %in% c("decision", "pay")) {
    paste0(", or a formula: ", columns[[1L]], " ~ group")
  }
}

# TRUE or FALSE, of arguments that R's side reads.
yes_or_no <- function(x, argument, way = "") {
  if (!isTRUE(x) && !isFALSE(x)) fail(argument, " = ", deparse1(x, nlines = 1L), " is neither TRUE nor FALSE", way, ".")
  x
}

# Adjustments by the names of stats::p.adjust(), too. Only scans of subgroups have Benjamini and Yekutieli's.
p_adjust_of <- function(p_adjust, BY = "BY") {
  if (is.character(p_adjust) && length(p_adjust) == 1L) switch(p_adjust, BH = , fdr = "bh", BY = BY, p_adjust) else p_adjust
}
