# Two commands set everything up on a machine that has Python 3.11+, pip and make:
#   make demo   grade the sample class and print its table
#   make test   everything CI runs
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help demo test bench bench-quick install clean

help:
	@sed -n '2,3p' Makefile

install: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(READY)

demo: $(READY)
	$(BIN)/headcount grade examples/class --out build/demo

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/headcount verify
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder

bench: $(READY)  # half an hour on a quiet machine; writes docs/performance.md
	$(BIN)/python -m bench

bench-quick: $(READY)  # two minutes, prints only
	$(BIN)/python -m bench --quick

clean:
	rm -rf $(VENV) build
