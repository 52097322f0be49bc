# What install_fairstats() hands to pip, and what it refuses before anything is made.
checkout_of <- function(name, frame = parent.frame()) {
  folder <- withr_tempfile(frame = frame)
  dir.create(folder)
  writeLines(c("[project]", sprintf('name = "%s"', name)), file.path(folder, "pyproject.toml"))
  normalizePath(folder)
}
within_folder <- function(folder, code) {
  old <- setwd(folder)
  on.exit(setwd(old))
  code
}

test_that("install_fairstats() names a Python that it cannot use, and keeps no half-made environment", {
  skip_on_os("windows")
  home <- tempfile("environment")
  fake <- tempfile("python")
  writeLines(c("#!/bin/sh",
    "mkdir -p \"$3/bin\"; printf '#!/bin/sh\\nexit 1\\n' > \"$3/bin/python\"; chmod +x \"$3/bin/python\""),
    fake)
  Sys.chmod(fake, "755")
  ours <- checkout_of("fairstats")
  expect_error(install_fairstats(ours, envname = home, python = fake), "could not install .*\\[report\\]")
  expect_false(dir.exists(home))
  expect_error(install_fairstats(ours, envname = home, python = "no-such-python"), "there is no Python to make an environment")
  dir.create(file.path(home, "bin"), recursive = TRUE)
  file.create(file.path(home, "bin", "python"))
  expect_error(install_fairstats(ours, envname = home, python = fake), "has its Python already")
  expect_true(dir.exists(home))
  unlink(home, recursive = TRUE)
})

test_that("the environment is in the home of the user, where later sessions look for it", {
  skip_on_os("windows")
  skip_in_another_session()
  home <- withr_tempfile()
  dir.create(home)
  fake <- file.path(home, "python")
  writeLines(c("#!/bin/sh", "mkdir -p \"$3/bin\"; printf '#!/bin/sh\\nexit 0\\n' > \"$3/bin/python\"; chmod +x \"$3/bin/python\"",
    "touch \"$3/pyvenv.cfg\" \"$3/bin/activate\""),
    fake)
  Sys.chmod(fake, "755")
  out <- within_folder(home, in_session(c(
    "Sys.unsetenv(c('WORKON_HOME', 'RETICULATE_VIRTUALENV_ROOT'))",
    sprintf("cat(install_fairstats('%s', python = '%s'), reticulate::virtualenv_exists('r-fairstats'))", checkout_of("fairstats"),
      fake)
  ), paste0("HOME=", home)))
  expect_identical(utils::tail(out, 1L), paste(file.path(home, ".virtualenvs/r-fairstats/bin/python"), "TRUE"))
  expect_false(file.exists(file.path(home, "~")))
})

test_that("no name goes to a package index, and nothing is made before that is said", {
  home <- tempfile("environment")
  expect_error(install_fairstats("fairstats", envname = home), "is in no package index.*install_fairstats\\(\"path")
  within_folder(tempdir(), expect_error(install_fairstats(envname = home), "source is missing.*is in no checkout"))
  expect_error(install_fairstats(checkout_of("fairstats-data"), envname = home), "without the pyproject.toml of fairstats")
  other <- withr_tempfile(".whl")
  file.create(other)
  expect_error(install_fairstats(other, envname = home), "is no wheel of fairstats")
  expect_error(install_fairstats(c("a", "b"), envname = home), "source is of class character and length 2")
  expect_false(file.exists(home))
})

test_that("checkouts, wheels and addresses go to pip with their extras", {
  ours <- checkout_of("fairstats")
  expect_identical(with_extras(ours, c("report", "compare")), paste0(ours, "[report,compare]"))
  wheel <- file.path(ours, "fairstats-0.3.0-py3-none-any.whl")
  file.create(wheel)
  expect_identical(with_extras(wheel, "report"), paste0(wheel, "[report]"))
  expect_identical(with_extras("git+https://example.org/f.git", "report"), "fairstats[report] @ git+https://example.org/f.git")
})

test_that("without a source it is the checkout around, a wheel here, or what the environment came from", {
  ours <- checkout_of("fairstats")
  inner <- file.path(ours, "r", "inner")
  dir.create(inner, recursive = TRUE)
  empty <- withr_tempfile()
  dir.create(empty)
  within_folder(inner, expect_message(expect_identical(found_source(empty), ours), "Installing fairstats from"))
  apart <- withr_tempfile()
  dir.create(apart)
  home <- file.path(apart, "environment")
  note <- file.path(home, if (.Platform$OS.type == "windows") "Lib" else "lib/python3.12",
    "site-packages/fairstats-0.3.0.dist-info")
  dir.create(note, recursive = TRUE)
  spaced <- file.path(apart, "a checkout")
  dir.create(spaced)
  writeLines(sprintf('{"dir_info": {}, "url": "file://%s"}', utils::URLencode(normalizePath(spaced))),
    file.path(note, "direct_url.json"))
  within_folder(apart, expect_identical(suppressMessages(found_source(home)), normalizePath(spaced)))
  file.create(file.path(apart, "fairstats-0.3.0-py3-none-any.whl"))
  within_folder(apart, expect_match(suppressMessages(found_source(home)), "none-any.whl$"))
})

# py_require() of reticulate 1.41 and later, as its help describes it: a manifest that calls add to.
manifest <- function() {
  kept <- list(packages = character(), python_version = character())
  function(packages = NULL, python_version = NULL, ..., exclude_newer = NULL, action = c("add", "remove", "set")) {
    if (length(list(...))) stop("... must be empty")
    if (missing(packages) && missing(python_version)) {
      return(kept)
    }
    kept <<- list(packages = unique(c(kept$packages, packages)), python_version = unique(c(kept$python_version, python_version)))
    invisible(NULL)
  }
}

test_that("a Python that reticulate manages gets this package from its place, never by its name", {
  requirements <- function(source) {
    declare <- manifest()
    require_python(declare, source)
    declare()
  }
  ours <- checkout_of("fairstats")
  address <- paste0("file://", if (!startsWith(ours, "/")) "/", ours)
  expect_identical(requirements(ours), list(packages = paste("fairstats[report] @", address), python_version = ">=3.11"))
  dir.create(file.path(ours, "packages", "fairstats-data"), recursive = TRUE)
  expect_identical(requirements(ours)$packages[[2L]], paste0("fairstats-data @ ", address, "/packages/fairstats-data"))
  spaced <- file.path(ours, "a b")
  dir.create(spaced)
  wheel <- file.path(spaced, "fairstats-0.3.0-py3-none-any.whl")
  file.create(wheel)
  expect_identical(requirements(wheel)$packages,
    paste0("fairstats[report] @ ", address, "/a%20b/fairstats-0.3.0-py3-none-any.whl"))
  expect_identical(requirements("git+https://example.org/f.git")$packages, "fairstats[report] @ git+https://example.org/f.git")
  # no place is known: Python alone; a name is refused
  expect_identical(requirements(character()), list(packages = character(), python_version = ">=3.11"))
  expect_error(requirements("fairstats"), "is in no package index", class = "fairstats_input_error")
  # reticulate before 1.41 has no such function
  expect_null(require_python(NULL, "fairstats"))
})

test_that("it is declared where reticulate chooses the Python, and not where somebody did", {
  skip_in_another_session()
  skip_on_os("windows")
  out <- in_session(c(
    "invisible(trace('require_python', quote(cat('declared\\n')), print = FALSE, where = asNamespace('fairstats')))",
    sprintf("Sys.setenv(WORKON_HOME = '%s', RETICULATE_PYTHON = '/there/is/no/python')", tempdir()),
    "cat('named:\\n'); invisible(fairstats_available())",
    "cat('managed:\\n'); Sys.setenv(RETICULATE_PYTHON = 'managed'); invisible(fairstats_available())",
    "cat('found:\\n'); Sys.unsetenv('RETICULATE_PYTHON'); invisible(fairstats_available())"
  ))
  expect_identical(out[!grepl("^(Trac|\\[1\\])", out)], c("named:", "managed:", "declared", "found:", "declared"))
})

test_that("an environment that pip has filled stays, and is named", {
  skip_on_os("windows")
  home <- withr_tempfile()
  fake <- withr_tempfile()
  said <- withr_tempfile()
  writeLines(c("#!/bin/sh", sprintf(
    "mkdir -p \"$3/bin\"; printf '#!/bin/sh\\necho \"$@\" >> %s\\n' > \"$3/bin/python\"; chmod +x \"$3/bin/python\"", said
  )), fake)
  Sys.chmod(fake, "755")
  ours <- checkout_of("fairstats")
  there <- suppressMessages(install_fairstats(ours, envname = home, python = fake, extras = c("report", "compare")))
  expect_identical(there, file.path(home, "bin/python"))
  expect_true(file.exists(there))
  # once more into the same, which is not made again
  suppressMessages(install_fairstats(ours, envname = home))
  expect_match(readLines(said), "^-m pip install .*--upgrade", all = TRUE)
  expect_match(readLines(said)[[1L]], paste0(ours, "[report,compare]"), fixed = TRUE)
  expect_length(readLines(said), 2L)
})
