# The first run of each target installs what it needs (tools/setup.sh); later runs start at once.
VENV ?= .venv
PYTHON ?= python3
WORKERS ?= 2
SECONDS ?= 600
INSTALLED ?=
TAG ?=
ORDER ?=
export PYTHON

BIN := $(VENV)/bin
NEEDS := pyproject.toml $(wildcard locks/*.txt) tools/setup.sh tools/system-packages.txt
# numpy and scipy bring one BLAS each; two pools on few cores only fight.
# Where bytecode is not written, pytest rewrites the assertions of 300 files in every worker of every run.
ONE_THREAD := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

.PHONY: help demo test long check-r cover-r document-r bench fuzz lock supply sbom release installed papers lint types docs vignettes data clean

help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /  make \1|/p' $(MAKEFILE_LIST) | column -t -s '|'

demo: $(VENV)/.ready-demo ## audit the arrests table and write demo-report/audit.{html,pdf,json}
	@$(BIN)/fairstats demo --to-dir demo-report

test: $(VENV)/.ready-test ## every check and every test but the long ones (installs R and Chromium too); ORDER=1 is a random order of them
	@mkdir -p build
	@# R's checks run beside lint and types, which need one core, and the tests, which wait for processes a tenth of
	@# their time; all have to pass
	@$(MAKE) --no-print-directory check-r >build/check-r.log 2>&1 & beside=$$!; trap 'kill $$beside' INT TERM; \
		$(MAKE) --no-print-directory lint types || { kill $$beside; exit 1; }; \
		$(ONE_THREAD) PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist loadscope $(if $(ORDER),--shuffle $(ORDER)); tests=$$?; \
		wait $$beside; checks=$$?; cat build/check-r.log; exit $$((tests || checks))

long: $(VENV)/.ready-test ## the tests that "make test" leaves out (minutes)
	$(ONE_THREAD) PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadscope -m 'long and not slow' tests

check-r: $(VENV)/.ready-test ## R CMD check of the R package: vignettes, examples, testthat
	$(ONE_THREAD) tools/check_r.sh $(BIN)/python

cover-r: $(VENV)/.ready-test ## lines of the R package that its tests run, by file, and those that none runs (needs covr)
	$(ONE_THREAD) tools/cover_r.sh $(BIN)/python

document-r: ## write man/ and NAMESPACE again from the comments in r/fairstats/R
	cd r/fairstats && Rscript --vanilla -e 'roxygen2::roxygenise(load_code = "source")'

lint: $(VENV)/.ready-test ## style and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.ready-test ## type hints
	$(BIN)/mypy

bench: $(VENV)/.ready-test ## slow tests, then every benchmark beside its yardstick
	$(ONE_THREAD) $(BIN)/python -m pytest -q -m slow || [ $$? -eq 5 ]
	@set -e; for script in benchmarks/[a-z]*.py; do \
		[ -e "$$script" ] || continue; echo "== $$script"; $(ONE_THREAD) PYTHONPATH=. $(BIN)/python $$script; done

fuzz: $(VENV)/.ready-test ## feed readers, audits, fits and comparisons with whatever comes to mind, for SECONDS (600)
	$(ONE_THREAD) $(BIN)/python -m fuzz --seconds $(SECONDS)

lock: $(VENV)/.ready-test ## write locks/ again from pyproject.toml and constraints.txt
	@for extras in report dev docs; do \
		$(BIN)/uv pip compile -q --universal --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links \
			--python-version 3.11 -c constraints.txt --extra $$extras pyproject.toml locks/build.in \
			-o locks/$$extras.txt --custom-compile-command "make lock"; done

supply: $(VENV)/.ready-test ## what stands in the code that harms, and under what licenses we build (seconds)
	$(BIN)/bandit -q -c pyproject.toml -r fairstats
	$(BIN)/python tools/licenses.py

sbom: $(VENV)/.ready-test ## every package of the environment and its license, as CycloneDX: build/sbom.json
	@mkdir -p build
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --of JSON -o build/sbom.json $(BIN)/python

release: $(VENV)/.ready-test ## what is released, built twice and compared, with SBOM and notes: dist/ (TAG=v1.2.3 is checked)
	tools/release.sh $(BIN)/python $(TAG)

installed: $(VENV)/.ready-test ## the wheel and the README's examples in fresh environments (those that INSTALLED names)
	$(ONE_THREAD) $(BIN)/python -m pytest -q -n $(WORKERS) -m '' -k '$(INSTALLED)' \
		tests/test_installed.py tests/test_installed_extras.py

papers: $(VENV)/.ready-test ## regenerate the papers' tables beside ours (needs FAIRSTATS_DATA; an hour or two)
	@set -e; for name in worked_example minimax aliverti runtime fair_spectral_clustering fair_pca; do \
		echo "== $$name"; $(ONE_THREAD) PYTHONPATH=. $(BIN)/python -m benchmarks.papers.$$name; done

docs: $(VENV)/.ready-docs ## the site: docs/_build/html
	$(ONE_THREAD) tools/docs.sh $(BIN)/python

vignettes: $(VENV)/.ready-test ## execute the vignettes, one HTML file each
	$(BIN)/python tools/vignettes.py

data: ## write the tables of the examples again from R's carData
	Rscript --vanilla tools/export_data.R packages/fairstats-data/fairstats_data

clean: ## remove the environment and everything generated
	rm -rf $(VENV) build dist demo-report vignettes/*.html .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/.ready-demo: $(NEEDS)
	@tools/setup.sh $(VENV) report report
	@touch $@

$(VENV)/.ready-test: $(NEEDS)
	@tools/setup.sh $(VENV) dev report checks r
	@touch $@ $(VENV)/.ready-demo

$(VENV)/.ready-docs: $(NEEDS)
	@tools/setup.sh $(VENV) docs report checks r docs
	@touch $@ $(VENV)/.ready-test $(VENV)/.ready-demo
