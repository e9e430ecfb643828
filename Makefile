# SSSnake's front door. Every target sets up what it needs (a virtual environment in .venv, the compiled core)
# and is quick when nothing has changed. `make help` lists the targets.
#
#   PYTHON=python3.12       the interpreter to build with          VENV=dir   where the environment goes
#   SSSNAKE_ARCH=x86-64-v3  -march of the core (default: native)
#   SSSNAKE_PROFILE=1       compile the core twice, 2 or 3 % faster (see setup.py); EXE=name does so
#   JOBS=3                  tests that run side by side (many wait); those that measure time run alone
#   EVALFILE=file           the network that `make EXE=name` packs (default: the one in engine/networks/)

PYTHON ?= python3
VENV   ?= .venv
EXE    ?= build/sssnake
ARGS   ?=
JOBS   ?= 3
export SSSNAKE_ARCH ?= native
export SSSNAKE_PROFILE ?= $(if $(filter command%,$(origin EXE)),1,0)

PY        := $(VENV)/bin/python
US        := "$(PY) -m sssnake"
SIDE_BY_SIDE := -n $(JOBS) --dist loadfile --no-loadscope-reorder
CLOCKED = $(shell grep -rl "mark\.clock" tests --include="test_*.py")
# Tests that run much of the compiled core: for the sanitizers.
COMPILED  := attacks board movegen see tt nnue evaluate search drivers perft bench uci uci_positions uci_options \
             lab_chess mates pv lines skill tablebase tablebase_search tablebase_files syzygy own_book dialogues \
             harvest samples trainer
MODULES     := $(shell find sssnake/_fast/ -name "*.pyx" -o -name "*.pxd" -o -name "*.h")
INSTALLED := $(VENV)/.installed
BUILT     := build/.built-$(SSSNAKE_ARCH)$(if $(filter 1,$(SSSNAKE_PROFILE)),-profiled)
TOOLS     := $(VENV)/.tools
TESTABLE  := $(VENV)/.testable
CROSS     := $(VENV)/.zig

.PHONY: exe demo test test-packages bench wheel wheels release sanitize races fuzz lint ruff mypy cython-lint stubtest hints docs clean help

exe: $(BUILT)          ## (default) one self-contained executable: make EXE=name
	@$(PY) .ci/packages/bundle.py "$(EXE)" $(if $(EVALFILE),"$(EVALFILE)")

demo: $(BUILT)         ## a short game against itself, drawn in the terminal, and one famous position
	@$(PY) -m sssnake demo $(ARGS)

test: $(TESTABLE)      ## the tests, but for those of the packages; make test ARGS="-k perft"
	@$(PY) -m pytest $(or $(ARGS),$(SIDE_BY_SIDE) -m "not clock and not packages")
	@$(if $(ARGS),,$(PY) -m pytest -m clock $(CLOCKED))

test-packages: $(TESTABLE)   ## the packages: made, installed, unpacked, run under wine and qemu
	@$(PY) -m pytest $(SIDE_BY_SIDE) -m packages

bench: $(BUILT)        ## the node count that identifies this version, and its speed
	@$(PY) -m sssnake bench $(ARGS)

wheel: $(TESTABLE)     ## dist/: the source distribution, and a wheel made from it for every Linux of this kind
	@rm -rf dist && SSSNAKE_NO_CORE=1 $(PY) setup.py -q sdist
	@SSSNAKE_WHEEL=1 $(PY) -m pip wheel -q --no-deps --no-build-isolation -w dist dist/*.tar.gz
	@PATH="$(abspath $(VENV))/bin:$$PATH" auditwheel repair -w dist dist/*.whl && rm dist/*-linux_*.whl
	@ls dist/*

wheels: $(TESTABLE) $(CROSS)   ## dist/: the packages for Linux, Windows and macOS, from x86-64 Linux (docs/develop/packaging.md)
	@rm -rf dist build/packages && $(PY) .ci/packages/build.py dist

release:               ## a clean tree, checks, then dist/ with all packages and their SHA256SUMS
	@sh .ci/packages/release "$(VENV)"

sanitize: $(TESTABLE)  ## the core under address and undefined-behaviour sanitizers: tests, nonsense, 200 games
	@SSSNAKE_SANITIZE=address,undefined $(PY) setup.py -q build_ext --build-lib build/address/core
	@sh .ci/sanitized address $(PY) -m pytest -q $(foreach module,$(COMPILED),$(wildcard tests/*/test_$(module).py))
	@sh .ci/sanitized address $(PY) tests/soak/hostile_calls.py --calls 20000
	@sh .ci/sanitized address $(PY) tests/soak/fuzz.py --lines 20000
	@sh .ci/sanitized address $(PY) -m sssnake match $(US) $(US) --option Hash=1 --nodes 300 --games 200 | \
	    tee build/address/games | tail -n 1 && grep -q "no faults" build/address/games

races: $(TESTABLE)     ## four threads on one table, and ponderhits, under the thread sanitizer
	@SSSNAKE_SANITIZE=thread $(PY) setup.py -q build_ext --build-lib build/thread/core
	@sh .ci/sanitized thread $(PY) -m sssnake bench 8 --threads 4
	@sh .ci/sanitized thread $(PY) tests/soak/ponderhits.py --hits 100

fuzz: $(BUILT)         ## a million lines of nonsense; make fuzz ARGS="--lines 1000 --seed 7"
	@$(PY) tests/soak/fuzz.py $(or $(ARGS),--lines 1000000)

lint: ruff mypy cython-lint stubtest hints   ## ruff, mypy --strict, cython-lint, stubtest, no Cython performance hints

ruff: $(TESTABLE)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check -q .
mypy: $(TESTABLE)
	$(PY) -m mypy
cython-lint: $(TESTABLE)   # it calls pycodestyle by name, hence PATH
	PATH="$(abspath $(VENV))/bin:$$PATH" cython-lint _fast
stubtest: $(TESTABLE)
	$(PY) -m mypy.stubtest --mypy-config-file pyproject.toml --ignore-missing-stub $(subst /,.,$(patsubst %.pyi,%,$(shell find sssnake/_fast/ -name "*.pyi")))
hints: $(TESTABLE)
	@mkdir -p build/hints && $(PY) -m cython -3 -o build/hints $$(find sssnake/_fast/ -name "*.pyx") >build/hints/log 2>&1; \
	    ! grep -i -A 8 "performance hint" build/hints/log

docs: $(TESTABLE)      ## the manual as a site with a search box: build/site/index.html
	@$(PY) -m mkdocs build --strict -f .ci/mkdocs.yml
	@echo build/site/index.html

clean:                 ## remove everything that was built
	rm -rf build dist *.egg-info .venv
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

help:                  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

# The environment, made once and again when its recipe changes.
$(INSTALLED): pyproject.toml setup.py .ci/venv
	@sh .ci/venv $(VENV) "$(PYTHON)"
	@touch $@

# The compiled core. setup.py recompiles the modules that changed, or all of them for other flags.
$(BUILT): $(INSTALLED) $(MODULES)
	@echo "sssnake: compiling the core (half a minute or so at first)" >&2
	@$(PY) setup.py -q build_ext --inplace $(if $(filter-out $@,$(wildcard build/.built-*)),--force)
	@rm -f build/.built-* && touch $@

# The compiler for other systems (100 MB).
$(CROSS): $(INSTALLED) .ci/packages/zig.txt | $(TOOLS)
	@$(PY) -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r .ci/packages/zig.txt
	@touch $@

$(TESTABLE): $(BUILT) $(TOOLS)
	@touch $@

# Programs that the tests and linters use: they are fetched while the core is compiled, where make has two jobs.
$(TOOLS): $(INSTALLED) .ci/torch .ci/torch.txt
	@$(PY) -m pip install -q --disable-pip-version-check "sssnake[test]"
	@sh .ci/torch $(PY)
	@touch $@
