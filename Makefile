# The verbs of the repository. Everything happens in .venv (and .venv-bench), made on first use;
# a machine with Rust and Python 3.11 or newer needs nothing else.

# The first interpreter that runs and is new enough; override with `make test PYTHON=/path/to/python`.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
VENV ?= .venv
VENV_BENCH ?= .venv-bench
CARGO ?= cargo
PYTEST_ARGS ?=
BENCH_ARGS ?=
DEMO_DIR ?= demo-output

PY = $(VENV)/bin/python
PY_BENCH = $(VENV_BENCH)/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK = 1

# What the compiled module is made of. Python sources are used in place and need no installation.
SOURCES := $(shell find rust -type f \( -name '*.rs' -o -name 'Cargo.toml' \) 2>/dev/null) \
	$(wildcard Cargo.toml Cargo.lock pyproject.toml)

# `maturin develop` builds the module into python/soundeval and puts python/ on the path of the
# environment. maturin refuses to guess when conda is active too, so conda is hidden from it.
DEVELOP = env -u CONDA_PREFIX VIRTUAL_ENV="$(abspath $(VENV))" $(PY) -m maturin develop --release

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint bench clean

help:
	@echo "make demo    evaluate the example data set: a table, $(DEMO_DIR)/results.json and psd_roc.png"
	@echo "make test    cargo test, then pytest (PYTEST_ARGS=... is passed on)"
	@echo "make lint    cargo fmt, clippy, ruff, mypy, stubtest"
	@echo "make bench   speed and memory against other packages, in $(VENV_BENCH) (about ten minutes)"
	@echo "make clean   remove environments, builds and caches"

demo: $(VENV)/.installed-demo
	@mkdir -p "$(DEMO_DIR)"
	$(PY) -m soundeval demo --json "$(DEMO_DIR)/results.json" --plot "$(DEMO_DIR)/psd_roc.png"

test: $(VENV)/.installed-dev
	$(CARGO) test --locked
	$(PY) -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.installed-dev
	$(CARGO) fmt --all --check
	PYO3_PYTHON="$(abspath $(PY))" $(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m mypy.stubtest soundeval._core

bench: $(VENV_BENCH)/.installed
	$(PY_BENCH) benches/python/run_all.py $(BENCH_ARGS)

clean:
	rm -rf $(VENV) $(VENV_BENCH) target dist "$(DEMO_DIR)" .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f python/soundeval/*.so
	find python tests benches -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps below are touched last, so an installation that was interrupted starts again.
$(VENV)/.created $(VENV_BENCH)/.created:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer was found; name one: make PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(@D)
	@touch $@

$(VENV)/.maturin: $(VENV)/.created
	$(PY) -m pip install --quiet 'maturin>=1.9.4,<2'
	@touch $@

$(VENV)/.installed-demo: $(VENV)/.maturin $(SOURCES)
	$(DEVELOP) --extras cli,plot
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.maturin $(SOURCES)
	$(DEVELOP) --extras test,lint
	@touch $@ $(VENV)/.installed-demo

# The other evaluators need NumPy 1, pandas 2 and an old setuptools, and sed_scores_eval is compiled
# on the spot. Either may fail to install; the benches then say so and go on without it.
$(VENV_BENCH)/.peers: $(VENV_BENCH)/.created
	$(PY_BENCH) -m pip install --quiet 'numpy<2' 'pandas<3' 'scipy<1.18' 'setuptools<81' wheel 'cython<3.1'
	-$(PY_BENCH) -m pip install --quiet --no-build-isolation 'numpy<2' 'pandas<3' 'setuptools<81' sed_scores_eval
	-$(PY_BENCH) -m pip install --quiet --no-build-isolation 'numpy<2' 'pandas<3' 'setuptools<81' psds_eval
	@touch $@

$(VENV_BENCH)/.installed: $(VENV_BENCH)/.peers $(SOURCES) $(shell find python -name '*.py' 2>/dev/null)
	$(PY_BENCH) -m pip install --quiet --force-reinstall --no-deps .
	@touch $@
