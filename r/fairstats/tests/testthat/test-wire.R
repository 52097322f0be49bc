# The table of types x missing values, R -> Python -> R. The same table is run over the rpy2 bridge by the Python tests.
cases <- list(
  null = NULL,
  logical = c(TRUE, FALSE), logical_missing = c(TRUE, NA), logical_one = TRUE, logical_one_missing = NA,
  integer = 1:3, integer_missing = c(1L, NA), integer_extremes = c(-.Machine$integer.max, .Machine$integer.max),
  double = c(1.5, -0.1), double_missing = c(1, NA, NaN, Inf, -Inf), double_one_missing = NA_real_, big = 2^40,
  character = c("a", ""), character_missing = c("NA", NA), utf8 = c("caf\u00e9", "\u4e2d", "\U1F600"),
  factor = factor(c("b", "a", "b")), factor_missing = factor(c("b", NA)), factor_unused = factor("b", c("a", "b", "c")),
  ordered = factor(c("lo", NA, "hi"), c("lo", "hi"), ordered = TRUE),
  date = as.Date(c("2020-02-29", NA, "0099-12-31")), date_one = as.Date("2020-01-01"), date_one_missing = as.Date(NA),
  posixct = as.POSIXct(c(1.7e9 + 0.25, NA, -3600.5), origin = "1970-01-01", tz = "Europe/Berlin"),
  posixct_utc = as.POSIXct("2020-06-01 12:34:56", tz = "UTC"),
  raw = as.raw(0:255),
  list_plain = list(1, "a", NULL), list_named = list(a = 1, b = list(c = "x")), list_empty = list(),
  named = c(a = 1.5, b = NA), empty_character = character(), empty_double = numeric(),
  matrix = matrix(c(1.5, NA, 3, 4, 5, 6), 2), matrix_names = matrix(1:4, 2, dimnames = list(c("r", "s"), c("c", "d"))),
  matrix_missing = matrix(c(1L, NA, 3L, 4L), 2), matrix_text = matrix(c("a", NA, "b", "a"), 2),
  frame = data.frame(x = c(1L, NA), y = c(NA, "b"), z = c(TRUE, NA), w = c(NA, 2^40), stringsAsFactors = FALSE),
  frame_names = mtcars[1:3, 1:2], frame_rows = data.frame(a = 1:3)[c(3, 1), , drop = FALSE],
  frame_rows_text = data.frame(a = c("x", "y", NA, "x"), b = factor(c("u", NA, "v", "u")))[c(4, 2, 3), ],
  frame_empty = data.frame(a = numeric(), b = character(), stringsAsFactors = FALSE), frame_none = data.frame(),
  tibble = tibble::tibble(a = 1:2, f = factor(c("u", NA)))
)

test_that("every type and every kind of missing value comes back as it went", {
  skip_without_python()
  for (name in names(cases)) expect_identical(through_python(cases[[name]]), cases[[name]], info = name)
})

test_that("NA and NaN stay different", {
  skip_without_python()
  back <- through_python(c(NA_real_, NaN))
  expect_identical(is.nan(back), c(FALSE, TRUE))
})

test_that("sparse matrices cross as they are", {
  skip_without_python()
  skip_if_not_installed("Matrix")
  m <- Matrix::sparseMatrix(i = c(1, 3, 3), j = c(1, 2, 4), x = c(1.5, 2, -1), dims = c(3, 4))
  expect_identical(through_python(m), m)
})

test_that("text in another encoding arrives as the same text", {
  skip_without_python()
  x <- "fa\xE7ile"
  Encoding(x) <- "latin1"
  expect_identical(through_python(x), enc2utf8(x))
})

test_that("an instant without a zone gets the session's by name", {
  skip_without_python()
  x <- as.POSIXct("2020-01-01 12:00:00")
  back <- through_python(x)
  expect_equal(unclass(back), unclass(x), ignore_attr = TRUE)
  expect_identical(attr(back, "tzone"), wire_timezone())
})

test_that("what has no counterpart is refused with its class and the way out", {
  skip_without_python()
  expect_error(through_python(mean), "function.*only data cross")
  expect_error(through_python(globalenv()), "environment.*only data cross")
  expect_error(through_python(data.frame(a = I(list(1, 2)))), "a is a column of class AsIs")
  expect_error(through_python(stats::lm(mpg ~ wt, mtcars)), "class lm")
  expect_error(through_python(as.POSIXlt("2020-01-01")), "POSIXlt.*as.POSIXct")
  expect_error(through_python(factor(c("a", NA), exclude = NULL)), "NA among its levels")
  expect_error(through_python(list(a = 1, 2)), "not all named")
  expect_error(through_python(1i), "complex")
  expect_error(through_python("\xff\xfe"), "not valid UTF-8")
  expect_error(through_python(as.Date(18000.5, origin = "1970-01-01")), "fractions of a day")
})

test_that("whole doubles are whole numbers where a count is meant", {
  skip_without_python()
  expect_identical(og(people[c("age", "priors")], people$group, k = 1)$k, 1L)
  expect_error(og(people[c("age", "priors")], people$group, k = 1.5), "not a whole number")
})

# Beyond 2e6 bytes a vector goes part by part, and a part of 2^19 entries of these is not all.
many <- function(x) rep_len(x, 600001L)

test_that("large vectors of every class arrive, part by part", {
  skip_without_python()
  day <- as.Date("2020-02-28") + 0:2
  for (x in list(factor(c("b", NA, "a"), c("b", "c", "a")), factor(3:1, ordered = TRUE), c(TRUE, NA, FALSE), day,
    as.POSIXct("2020-01-01", tz = "UTC") + 0:2, c("a", NA), c(0.5, NA, NaN))) {
    expect_identical(through_python(many(x)), many(x), label = class(x)[[1L]])
  }
})

test_that("people beyond 250,000 are audited whatever the class of their groups", {
  skip_in_another_session() # what is long, and no text
  skip_without_python()
  skip_if_not_installed("bit64")
  skip_if_not_installed("haven")
  group <- many(c(1L, 2L, 2L))
  people <- data.frame(hired = many(c(0, 1, 1, 0, 1)))
  rates <- c(tapply(people$hired, group, mean))
  for (x in list(factor(group, labels = c("1", "2")), factor(group, ordered = TRUE), group == 2L,
    as.Date("2020-01-01") + group, as.POSIXct("2020-01-01", tz = "UTC") + group, bit64::as.integer64(group),
    haven::labelled(group, c(one = 1, two = 2)), group, as.character(group))) {
    people$group <- x
    found <- fair_by_group(fair_audit(people, "hired", "group"))
    expect_equal(sort(found[["selection rate"]]), sort(as.vector(rates)), tolerance = 1e-12, label = class(x)[[1L]])
  }
  people$group <- factor(group)
  expect_identical(nrow(tidy(fair_tally(people, "hired", "group"))), 4L)
  people$x <- seq_along(group)
  expect_warning(fit <- og(~ x + hired, "group", k = 1, data = people),
    "x has 'x' among its features, which counts the rows: row names that a file holds as a column, perhaps; drop it")
  expect_lt(abs(stats::cor(fit$x[, 1], group)), 1e-8)
})
