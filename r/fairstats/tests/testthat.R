library(testthat)
library(fairstats)

test_check("fairstats")
