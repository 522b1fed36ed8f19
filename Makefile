# make ready  what grade needs     make demo   grade the sample class
# make test   everything that CI runs     make proof   the long proofs, by hand
# make docs   the site, in build/docs
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: ready demo test proof docs lint clean

ready: $(VENV)/ready
	@echo "Ready. Next: $(BIN)/grade"

demo: $(VENV)/ready
	$(BIN)/grade batch examples/class --out reports --title "Sample class"

test: $(VENV)/ready lint
	$(BIN)/grade stubs --check
	$(BIN)/python -m pytest -q -n auto --maxprocesses 4 --dist loadfile

proof: $(VENV)/ready
	$(BIN)/python -m pytest -q -s tests/proof
	GRADE_FRESH=1 $(BIN)/python -m pytest -q tests/grader/packaging

docs: $(VENV)/ready
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs
	@echo "Built. Open build/docs/index.html"

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The stamp is newer than what it was made from, or the environment is brought up to date.
$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || (echo "Python 3.11 or newer is needed; call make PYTHON=python3.11" && exit 1)
	@echo "PyTorch and the rest go into $(VENV)/; this takes some minutes."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) reports build docs/diagnoses *.egg-info .mypy_cache .ruff_cache .pytest_cache
