survey <- function(values, labels, ...) {
  structure(values, labels = labels, class = c("haven_labelled", "vctrs_vctr", typeof(values)), ...)
}

test_that("labeled columns of surveys are groups by their labels, numbers elsewhere", {
  skip_without_python()
  n <- nrow(people)
  code <- as.integer(people$sex == "male")
  d <- transform(people, sexc = code, agec = age, yhatc = yhat)
  d$sexc <- survey(code, c(female = 0L, male = 1L))
  d$agec <- survey(people$age, c(refused = -1))
  d$yhatc <- survey(people$yhat, c(no = 0L, yes = 1L))
  audit <- fair_audit(d, decision = "yhatc", groups = "sexc")
  plain <- fair_audit(people, decision = "yhat", groups = "sex")
  expect_identical(sort(fair_by_group(audit)$sexc), c("female", "male"))
  expect_equal(tidy(audit)$estimate, tidy(plain)$estimate)
  expect_equal(og(d[c("agec", "priors")], d$sexc, k = 1)$rotation[, 1],
    og(people[c("age", "priors")], people$sex, k = 1)$rotation[, 1],
    ignore_attr = TRUE)
  fit <- og(~ agec + priors, "sexc", k = 1, data = d)
  expect_identical(fit$groups$levels$sexc, c("female", "male"))
  expect_equal(predict(fit, d[1:4, ]), fit$x[1:4, , drop = FALSE], tolerance = 1e-12)
})

test_that("values that a survey declares missing are missing, and values without a label are their own", {
  x <- survey(c(1, 2, 9, 97, 3), c(yes = 1, no = 2), na_values = 9, na_range = c(90, 99))
  expect_identical(values_of_survey(x), c(1, 2, NA, NA, 3))
  expect_identical(as.character(labels_of_survey(x)), c("yes", "no", NA, NA, "3"))
})

test_that("matrices of the package Matrix and of time series are matrices", {
  skip_without_python()
  skip_if_not_installed("Matrix")
  set.seed(2)
  S <- Matrix::rsparsematrix(nrow(people), 4, 0.4)
  wanted <- og(as.matrix(S), people$sex, k = 2)$sdev
  forms <- list(triplet = methods::as(S, "TsparseMatrix"), rows = methods::as(S, "RsparseMatrix"),
    dense = methods::as(S, "unpackedMatrix"), series = stats::ts(as.matrix(S)))
  for (name in names(forms)) expect_equal(og(forms[[name]], people$sex, k = 2)$sdev, wanted, tolerance = 1e-9, label = name)
  expect_equal(og(S != 0, people$sex, k = 2)$sdev, og(1 * as.matrix(S != 0), people$sex, k = 2)$sdev, tolerance = 1e-9)
})

test_that("a graph of igraph is its matrix of weights, and names of vertices stay", {
  skip_without_python()
  skip_if_not_installed("igraph")
  graph <- igraph::make_full_graph(4) + igraph::make_full_graph(6) + igraph::edge(1, 5)
  igraph::V(graph)$name <- letters[1:10]
  igraph::E(graph)$weight <- seq(0.5, 1.5, length.out = igraph::ecount(graph))
  W <- as.matrix(igraph::as_adjacency_matrix(graph, attr = "weight"))
  group <- rep(c("f", "m"), 5)
  one <- fair_spectral_clustering(graph, group, k = 2)
  two <- fair_spectral_clustering(W, group, k = 2)
  expect_identical(one$labels, two$labels)
  expect_identical(one$labels$node, letters[1:10])
  expect_equal(one$eigenvalues, fair_spectral_clustering(unname(W), group, k = 2)$eigenvalues)
  bare <- fair_spectral_clustering(graph, group, k = 2, weight = NULL)
  expect_equal(bare$eigenvalues, fair_spectral_clustering(1 * (W > 0), group, k = 2)$eigenvalues)
  expect_identical(bare$labels, fair_spectral_clustering(W, group, k = 2, weight = NULL)$labels)
  expect_output(print(bare), "Links without weights: each counts 1.")
  expect_output(print(one), "Weighted links: the 22 weigh 22 in all.")
  renamed <- igraph::delete_edge_attr(graph, "weight")
  igraph::E(renamed)$strength <- igraph::E(graph)$weight
  expect_identical(fair_spectral_clustering(renamed, group, k = 2, weight = "strength")$ncut, one$ncut)
  expect_identical(fair_spectral_clustering(renamed, group, k = 2)$ncut, bare$ncut)
  expect_error(fair_spectral_clustering(renamed, group, k = 2, weight = "strenght"), "of graph; they have strength")
  pairs <- igraph::as_data_frame(renamed)
  nodes <- data.frame(name = letters[1:10], group = group)
  expect_equal(fair_spectral_clustering(pairs, "group", 2, nodes, weight = "strength")$eigenvalues, one$eigenvalues)
  expect_equal(fair_spectral_clustering(pairs, "group", 2, nodes, weight = NULL)$eigenvalues, bare$eigenvalues)
  expect_error(fair_spectral_clustering(igraph::make_ring(4, directed = TRUE), c("f", "m", "f", "m")), "as.undirected")
  expect_error(fair_spectral_clustering(dist(1:4), c("f", "m", "f", "m")), "give similarities", class = "fairstats_input_error")
})

test_that("a matrix of one column and an array of one dimension are the vectors that they hold", {
  skip_without_python()
  d <- people
  d$scaled <- scale(d$score)
  d$sexa <- array(d$sex, nrow(d))
  plain <- transform(people, scaled = as.vector(scale(score)), sexa = sex)
  audits <- lapply(list(d, plain), fair_audit, outcome = "y", score = "scaled", groups = "sexa")
  expect_identical(tidy(audits[[1L]]), tidy(audits[[2L]]))
  fits <- lapply(list(d, plain), function(data) og(data[c("scaled", "age")], data$sexa, k = 1))
  expect_identical(fits[[1L]]$rotation, fits[[2L]]$rotation)
  expect_equal(predict(fits[[1L]], d, groups = d$sexa), fits[[1L]]$x, tolerance = 1e-12)
})

test_that("a formula is advised as R takes it", {
  skip_without_python()
  advice <- message_of(og(c("age", "group"), groups = "sex", k = 1, data = people))
  advised <- stats::as.formula(regmatches(advice, regexpr("~ [^,]+", advice)))
  expect_no_match(advice, "[\"']~")
  expect_identical(rownames(og(advised, groups = "sex", k = 1, data = people)$rotation), c("age", "groupb", "groupc"))
})

test_that("what is no table, and what no column, is said by the argument, with the name that was meant", {
  skip_without_python()
  x <- people[c("age", "priors")]
  expect_error(fair_audit("a.csv", decision = "yhat", groups = "sex"), "there is no file 'a.csv'", class = "fairstats_file_error")
  expect_match(message_of(fair_audit(matrix(1:4, 2), decision = "yhat", groups = "sex")), "data is of class matrix")
  expect_match(message_of(fair_audit(people, decision = "yhta", groups = "sex")),
    "^decision names 'yhta'.* Did you mean 'yhat'\\?$")
  expect_match(message_of(fair_compare(people, "lowx", "sex", ~ age + priors)), "^outcome names 'lowx'")
  expect_match(message_of(og(x, people$sex[-1])),
    "groups has 299 entries, of which none is a column of data, and there are 300 rows")
  expect_identical(og(~ age + priors, list("sex", "group"), k = 1, data = people)$groups$names, c("sex", "group"))
  expect_match(message_of(og(x, mean)), "^groups = mean names a function; write columns in quotes")
  expect_match(message_of(fair_proxies(list(1), "sex")), "^data is of class list; give a data frame")
})

test_that("another object in the place of a fit is named by its class", {
  skip_without_python()
  x <- people[c("age", "priors")]
  audit <- fair_audit(people, decision = "yhat", groups = "sex")
  for (wrong in list(NULL, people, "og", audit, fair_crossfit(og(x, people$sex, k = 1), x, people$sex))) {
    expect_match(message_of(fair_crossfit(wrong, x, people$sex)), paste0("^fit .* of class ", class(wrong)[[1L]], "; .*og\\(\\)"))
  }
  expect_match(message_of(fair_reconstruction_error_by_group(leace(x, people$sex), x, people$sex)),
    "of class fairstats_eraser; it is a fit of components; pass what a method such as fair_pca\\(\\) returned")
  expect_match(message_of(predict(og(x, people$sex, k = 1), audit)), "^newdata is of class fairstats_audit")
})

test_that("new rows: none, a list, text, the wrong class", {
  skip_without_python()
  fit <- og(~ age + priors, "sex", k = 2, data = people)
  x <- people[c("age", "priors")]
  by_vector <- og(x, people$sex, k = 2)
  expect_identical(dim(predict(fit, people[0, ])), c(0L, 2L))
  curved <- og(~ splines::ns(age, 2) + priors, "sex", k = 2, data = people)
  expect_identical(predict(curved, people[0, ]), predict(curved, people[1:2, ])[0, ])
  expect_error(predict(curved, people[0, "age", drop = FALSE]), "lacks the columns priors")
  # as after readRDS() where the package is not attached
  ns <- splines::ns
  expect_identical(functions_of(~ ns(age, 2) + splines::bs(m[, 1])), c("~", "+", "ns", "["))
  unattached <- og(~ ns(age, 2) + priors, "sex", k = 2, data = people)
  attr(unattached$recipe$terms, ".Environment") <- globalenv()
  expect_error(predict(unattached, people[1:2, ]), "calls ns\\(\\); attach the package that has ns\\(\\)")
  expect_identical(dim(predict(by_vector, x[0, ], groups = character())), c(0L, 2L))
  expect_equal(predict(fit, as.list(people[1:3, ])), predict(fit, people[1:3, ]), ignore_attr = TRUE)
  expect_match(message_of(predict(by_vector, transform(x, age = "a"), groups = people$sex)), "newdata has text in 'age'")
  expect_match(message_of(predict(by_vector, mean)), "newdata = mean is a function")
  expect_match(message_of(predict(fit, as.matrix(x))), "give a data frame")
  expect_match(message_of(predict(fit, people["age"])), "newdata lacks the columns priors")
})

test_that("a file of SPSS, as haven reads it, is audited and fitted by its labels", {
  skip_without_python()
  skip_if_not_installed("haven")
  survey <- transform(people[c("age", "income", "yhat")],
    sex = haven::labelled_spss(ifelse(people$sex == "male", 1, 2), c(Men = 1, Women = 2, Refused = 9), na_values = 9),
    age = haven::labelled(age, label = "Age in years"))
  survey$sex[1:4] <- 9
  file <- withr_tempfile(".sav")
  haven::write_sav(survey, file)
  read <- haven::read_sav(file, user_na = TRUE)
  a <- fair_audit(read, decision = "yhat", groups = "sex")
  plain <- transform(people, sex = replace(ifelse(sex == "male", "Men", "Women"), 1:4, NA))
  expect_equal(tidy(a), tidy(fair_audit(plain, decision = "yhat", groups = "sex")))
  fit <- og(~ age + income, "sex", data = read, k = 1, missing = "drop")
  expect_equal(fit$rotation, og(~ age + income, "sex", data = plain, k = 1, missing = "drop")$rotation)
})

test_that("a column that nobody names keeps no fit from its features", {
  skip_without_python()
  skip_if_not_installed("bit64")
  wide <- people
  wide$id <- bit64::as.integer64("9007199254740993") + seq_len(nrow(people))
  fit <- og(~ age + income, "sex", k = 1, data = wide)
  expect_equal(fit$rotation, og(~ age + income, "sex", k = 1, data = people)$rotation)
  expect_equal(predict(fit, wide[1:5, ]), predict(fit, people[1:5, ]))
  erased <- function(data) predict(leace(~ age + income, "sex", data = data), data)
  expect_equal(erased(wide), erased(people))
  expect_equal(fair_crossfit(fit, ~ age + income, data = wide)$scores, fair_crossfit(fit, ~ age + income, data = people)$scores)
  expect_equal(predict(pca(people[c("age", "income")], k = 1), wide), predict(pca(people[c("age", "income")], k = 1), people))
  compared <- function(data) tidy(fair_compare(data, "y", "sex", ~ age + income, k = 1, n_repeats = 2))
  expect_equal(compared(wide), compared(people))
  expect_match(message_of(og(~ ., "sex", k = 1, data = wide[c("age", "sex", "id")])), "leave id out where it names rows (an ID)",
    fixed = TRUE)
})

test_that("integers of 64 bits are groups, decisions, numbers and labels beyond 2^53", {
  skip_without_python()
  skip_if_not_installed("bit64")
  wide <- people
  wide$yhat <- bit64::as.integer64(people$yhat)
  wide$area <- bit64::as.integer64(match(people$group, letters))
  wide$w <- bit64::as.integer64(rep(1:3, 100))
  wide$age <- bit64::as.integer64(people$age)
  plain <- transform(wide, yhat = people$yhat, area = match(people$group, letters), w = rep(1:3, 100), age = people$age)
  expect_identical(tidy(fair_audit(wide, "yhat", "area", weights = "w")), tidy(fair_audit(plain, "yhat", "area", weights = "w")))
  expect_identical(og(~ age + priors, "area", k = 1, data = wide)$x, og(~ age + priors, "area", k = 1, data = plain)$x)
  numbers <- c(-2^40 - 1, -1, 0, NA, 2^31, 2^53)
  expect_identical(plain_integer64(bit64::as.integer64(numbers)), numbers)
  ids <- bit64::as.integer64("9007199254740993") + 0:1
  expect_identical(plain_integer64(ids, TRUE), c("9007199254740993", "9007199254740994"))
  # a number would round 2^53 + 1, and does not round 2^60
  expect_error(plain_columns(data.frame(pay = ids)), "^pay has whole numbers of 64 bits beyond 2\\^53")
  expect_identical(plain_integer64(bit64::as.integer64("1152921504606846976")), 2^60)
  expect_identical(one_label(ids[1L], "favorable"), "9007199254740993")
  wide$area <- ids[1L + (people$sex == "male")]
  expect_setequal(fair_by_group(fair_audit(wide, "yhat", "area"))$area, c("9007199254740993", "9007199254740994"))
  wide$yhat <- ids[1L + people$yhat]
  large <- fair_audit(wide, "yhat", "sex", favorable = ids[[2L]])
  expect_equal(fair_by_group(large), fair_by_group(fair_audit(people, "yhat", "sex")))
  order <- fair_audit(transform(wide, w = w), "w", "sex", class_order = bit64::as.integer64(3:1))
  expect_identical(tidy(order), tidy(fair_audit(plain, "w", "sex", class_order = 3:1)))
  # a number that is one already was rounded before anybody looked
  rounded <- message_of(fair_audit(transform(people, yhat = 2^60 + 2^10 * yhat), "yhat", "sex"))
  expect_match(rounded, "different whole numbers share one; read the column as text or as integers.", fixed = TRUE)
})

test_that("a labeled decision has its labels, and a default is never the wrong one", {
  skip_without_python()
  skip_if_not_installed("haven")
  hired <- people$yhat == 1
  favored <- function(codes, ...) {
    made <- people
    made$hired <- haven::labelled(unname(codes)[1L + hired], codes)
    a <- fair_audit(made, "hired", "sex", ...)
    list(a$protocol$favorable, sort(fair_by_group(a)[["selection rate"]]))
  }
  rates <- sort(as.vector(tapply(hired, people$sex, mean)))
  expect_equal(favored(c(No = 1, Yes = 2)), list("Yes", rates))
  expect_equal(favored(c(No = 1, Yes = 2), favorable = "Yes"), list("Yes", rates))
  expect_equal(favored(c(No = 1, Yes = 2), favorable = 2), list("Yes", rates))
  expect_equal(favored(c(refused = 0, hired = 1)), list("hired", rates))
  expect_equal(favored(c(refused = 1, hired = 2), favorable = 2), list("hired", rates))
  expect_equal(favored(c(refused = 1, hired = 2), favorable = "refused")[[2L]], sort(1 - rates))
  expect_error(favored(c(No = 1, Yes = 2), favorable = 1), "is the code of \"No\".*\"Yes\"", class = "fairstats_input_error")
  expect_error(favored(c(refused = 1, hired = 2)), "favorable", class = "fairstats_input_error")
  # a protocol in a file may speak of codes
  plan <- withr_tempfile(".toml")
  writeLines(c('groups = "sex"', 'decision = "hired"', "favorable = 2"), plan)
  made <- people
  made$hired <- haven::labelled(1L + hired, c(refused = 1L, hired = 2L))
  expect_equal(sort(fair_by_group(fair_audit(made, protocol = plan))[["selection rate"]]), rates)
  writeLines(c('groups = "sex"', 'decision = "hired"'), plan)
  made$hired <- haven::labelled(as.integer(hired), c(refused = 0L, hired = 1L))
  expect_equal(sort(fair_by_group(fair_audit(made, protocol = plan))[["selection rate"]]), rates)
  kept <- withr_tempfile(".json")
  fair_report(fair_audit(made, "hired", "sex", favorable = "hired"), to = kept)
  expect_true(fair_verify_report(kept, made)$ok)
  found <- fair_subgroup_scan(made, "hired", c("sex", "group"), favorable = "hired")
  named <- transform(people, hired = c("refused", "hired")[1L + hired])
  expect_equal(tidy(found), tidy(fair_subgroup_scan(named, "hired", c("sex", "group"), favorable = "hired")))
})

test_that("a scan takes a table of counts", {
  skip_without_python()
  found <- fair_subgroup_scan(Admit ~ Gender + Dept, datasets::UCBAdmissions, favorable = "Admitted")
  tally <- fair_tally(Admit ~ Gender + Dept, datasets::UCBAdmissions)
  expect_equal(tidy(found), tidy(fair_subgroup_scan(tally, favorable = "Admitted")))
})

test_that("grouped data are refused, for one result is of all rows", {
  skip_without_python()
  skip_if_not_installed("dplyr")
  grouped <- dplyr::group_by(people, group)
  for (f in list(fair_audit, fair_tally, fair_subgroup_scan)) {
    expect_error(f(grouped, "yhat", "sex"), "grouped by group.*ungroup", class = "fairstats_input_error")
  }
  expect_error(fair_compare(grouped, "y", "sex", c("age", "priors")), "grouped by group", class = "fairstats_input_error")
  expect_error(fair_audit(dplyr::rowwise(people), "yhat", "sex"), "rowwise.*ungroup", class = "fairstats_input_error")
})

test_that("a group that the features have not is asked for where it is", {
  skip_without_python()
  lost <- message_of(og(people[c("age", "income")], "sex", k = 1))
  expect_match(lost, "^groups names 'sex', which x does not have; its columns are age, income; give the data frame that has it")
  file <- withr_tempfile(".sav")
  writeLines("", file)
  expect_match(conditionMessage(condition_of(fair_audit(file, "hired", "sex"))), "in R with haven::read_sav()", fixed = TRUE)
})
