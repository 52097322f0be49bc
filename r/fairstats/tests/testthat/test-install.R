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
  dir.create(file.path(home, "bin"), recursive = TRUE)
  file.create(file.path(home, "bin", "python"))
  expect_error(install_fairstats(ours, envname = home, python = fake), "has its Python already")
  expect_true(dir.exists(home))
  unlink(home, recursive = TRUE)
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
  wheel <- file.path(ours, "fairstats-0.2.0-py3-none-any.whl")
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
    "site-packages/fairstats-0.2.0.dist-info")
  dir.create(note, recursive = TRUE)
  spaced <- file.path(apart, "a checkout")
  dir.create(spaced)
  writeLines(sprintf('{"dir_info": {}, "url": "file://%s"}', utils::URLencode(normalizePath(spaced))),
    file.path(note, "direct_url.json"))
  within_folder(apart, expect_identical(suppressMessages(found_source(home)), normalizePath(spaced)))
  file.create(file.path(apart, "fairstats-0.2.0-py3-none-any.whl"))
  within_folder(apart, expect_match(suppressMessages(found_source(home)), "none-any.whl$"))
})
