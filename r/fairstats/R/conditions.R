# What is told to the user: one kind of condition, whichever side of the bridge found it, in R's words.

# R's classes of Python's errors; any other is a fault of the package's own.
error_classes <- c(
  InputError = "fairstats_input_error", AbsentError = "fairstats_input_error", InputTypeError = "fairstats_input_error",
  ConversionError = "fairstats_input_error", FileError = "fairstats_file_error", SourceError = "fairstats_source_error",
  DependencyError = "fairstats_dependency_error", NumericalError = "fairstats_numerical_error"
)

python_error <- function(text, kind, trace = "") {
  class <- error_classes[strsplit(kind, " ", fixed = TRUE)[[1L]]] # the names of Python's class and of those it is one of
  class <- class[!is.na(class)][1L]
  if (is.na(class)) {
    class <- "fairstats_internal_error"
    text <- paste0("fairstats failed as it should not, which is its own fault (", text, "); please report it, with what ",
      "the error says as python_trace: tryCatch(..., error = function(e) cat(e$python_trace)).")
  }
  stop(errorCondition(writable(for_r(text)), class = c(unname(class), "fairstats_error"), call = NULL, python_trace = trace))
}

tell <- function(...) {
  warning(warningCondition(writable(for_r(.makeMessage(...))), class = "fairstats_warning", call = NULL))
}

# Calls of Python in a message, as R's: pattern and replacement, tried in this order. Arguments and values are R's already:
# Python writes them for R (class InR in fairstats/r/remote.py).
r_verbs <- paste(c(
  "audit", "compare", "tally", "from_counts", "representation", "stages", "matched_pairs", "subgroup_scan",
  "compare_audits", "report", "price_of_fairness", "moments", "leakage",
  "decompose", "adjusted_gap", "pay_transparency", "gender_pay_gap",
  "bootstrap_loadings", "reconstruction_error_by_group", "extra_error", "select_k", "component_tests", "local_law_144", "tradeoff",
  "proxies", "table", "load", "verify_report", "kneighbors_graph"
), collapse = "|")

r_words <- rbind(
  c("it stands in the source tree of fairstats: pip install \\./packages/fairstats-data",
    "install_fairstats() of a checkout installs it, too; carData::Arrests is the same table"),
  c("pip install [^ ]+ \\(part of the extra ([a-z]+)\\)", "install_fairstats(extras = \"\\1\")"),
  c("\\(in Python pandas\\.cut\\(data\\['([^']*)'\\], \\[([^]]*)\\]\\), in R cut\\(\\)\\)", "(cut(data$\\1, c(\\2)))"),
  c(" \\(of a file read_table\\([^)]*\\)\\)", ""),
  c("\\bpandas, polars or pyarrow (table|frame)", "data frame"),
  c(", (leakage\\(fit\\.crossfit\\(X, groups\\)\\)), or OutOfFoldScores\\([^)]*\\) if [^.]*", ", or \\1"),
  c("\\(None, NaN, NA\\)", "(NA)"),
  c("\\bfit\\.crossfit\\(X, groups\\)", "fair_crossfit(fit, x, groups)"),
  c("\\b(fit|result)\\.transform\\(X\\)", "predict(\\1, x)"),
  c(paste0("\\b(?:fairstats|fs)\\.(", r_verbs, ")\\("), "fair_\\1("),
  c(paste0("\\b(?:fairstats|fs)\\.(", r_verbs, ")\\b"), "fair_\\1()"),
  c("(?<![\\w.])(compare_audits|leakage)\\(", "fair_\\1("),
  c("\\b(fairstats|fs)\\.([a-z_]+)\\(", "\\2("),
  c("\\b(fairstats|fs)\\.([a-z_]+)\\b(?!\\()", "\\2()"),
  c("\\((fit|scores), X, groups\\)", "(\\1, x, groups)"),
  c("\\bcontinuous\\('([^']*)'\\)", "continuous = \"\\1\""),
  c("\\b(=|pass |give |or |is |has |value )True\\b", "\\1TRUE"),
  c("\\b(=|pass |give |or |is |has |value )False\\b", "\\1FALSE"),
  c("(=|pass |give |or |is |has |value )None\\b", "\\1NULL")
)

# Signs that a session without UTF-8 would write as <U+2212>. (No names of a vector: these are written in its encoding.)
signs <- c("\u2212", "\u2013", "\u2014", "\u00b7", "\u00d7", "\u2026", "\u2018", "\u2019", "\u201c", "\u201d", "\u2264", "\u2265",
  "\u2260", "\u2248", "\u00b1", "\u2192", "\u00b2", "\u00a0", "\u202f")
plain_signs <- c("-", "-", "-", "*", "x", "...", "'", "'", "\"", "\"", "<=", ">=", "!=", "~", "+/-", "->", "2", " ", " ")

# Text as this session can show it.
writable <- function(text) {
  if (cli::is_utf8_output()) {
    return(text)
  }
  for (i in seq_along(signs)) text <- gsub(signs[[i]], plain_signs[[i]], text, fixed = TRUE)
  text
}

for_r <- function(text) {
  for (i in seq_len(nrow(r_words))) {
    text <- gsub(r_words[i, 1L], r_words[i, 2L], text, perl = TRUE)
  }
  text
}
