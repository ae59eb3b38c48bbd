# Everything that a fresh machine with Python and make needs. `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
# jsii and npm find the Node of the virtual environment, whatever else the machine has.
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Material prints a notice of its next major version at every build.
export NO_MKDOCS_2_WARNING := 1
PYTEST_WORKERS ?= 2

.PHONY: help
help: ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.PHONY: setup
setup: $(VENV)/.ready node_modules/.ready ## Install everything, once, from locked and hashed versions

$(VENV)/.ready: requirements/dev.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "clusterwright needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

node_modules/.ready: package-lock.json $(VENV)/.ready
	$(BIN)/npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

.PHONY: demo
demo: setup ## Deploy docs/examples/eks-h200.yaml to an embedded AWS with the real CDK CLI
	$(BIN)/clusterwright demo docs/examples/eks-h200.yaml

.PHONY: test
test: setup ## Run the tests
	$(BIN)/pytest -n $(PYTEST_WORKERS) --dist loadgroup

.PHONY: check
check: setup ## Lint, types, import rule, shell scripts, docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	git ls-files '*.sh' .ci/run | xargs $(BIN)/shellcheck
	$(BIN)/mkdocs build --strict --quiet

.PHONY: golden
golden: setup ## Rewrite the golden templates and scripts; review the difference
	$(BIN)/pytest tests/golden --rewrite-golden

.PHONY: bench
bench: setup ## Measure the speed targets and write docs/reference/performance.md
	$(BIN)/python bench/run.py

.PHONY: reference
reference: setup ## Rewrite the generated pages of docs/reference
	$(BIN)/python scripts/generate_reference.py

.PHONY: lock
lock: ## Resolve the dependencies anew and write their hashes
	$(PYTHON) -m pip install --quiet uv
	uv pip compile pyproject.toml --universal --python-version 3.11 --extra demo --group dev \
		--generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet --upgrade \
		--output-file requirements/dev.lock

.PHONY: clean
clean: ## Remove what the other targets made
	rm -rf $(VENV) node_modules cdk.out dist site build .mypy_cache .pytest_cache .ruff_cache .hypothesis
