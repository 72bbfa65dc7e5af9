# PRESET=dev|ci|asan|tsan|pip|wheel|fuzz picks the build directory; CMAKE_ARGS=... is handed to cmake.
PRESET ?= dev
BUILD := $(if $(filter dev,$(PRESET)),build,build-$(PRESET))
CHECK := .ci/setup --quick

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

setup: ## install what is missing (Debian, Ubuntu) and say what is used
	@.ci/setup

# Configured again only when there is something new to say, or when something that was missing was installed since; ninja
# does it by itself when a CMake file changes.
configure:
	@$(CHECK)
	@if [ ! -f $(BUILD)/build.ninja ] || [ -n "$(CMAKE_ARGS)$(LIBTORCH)" ] || .ci/optional --new $(BUILD); then \
	  cmake --preset $(PRESET) $(CMAKE_ARGS); fi

build: configure ## the library, plugins, examples and tests, in build/
	@cmake --build $(BUILD)
	@.ci/optional $(BUILD)

demo: export TD_FOR = demo
demo-cluster: export TD_FOR = demo-cluster
install: export TD_FOR = install
demo: configure ## classify digits in C and hand the result to a Rust process
	@cmake --build $(BUILD) --target tensordict plugins example_digits rust
	@.ci/demo $(BUILD)
	@.ci/optional $(BUILD)

demo-cluster: configure ## a Redis server, an actor in C, one in Rust, and a learner in stock Python that trains them
	@.ci/demo-cluster --check
	@cmake --build $(BUILD) --target tensordict example_cluster rust_cluster
	@.ci/demo-cluster $(BUILD)
	@.ci/optional $(BUILD)

test: build ## every test
	@cmake --build $(BUILD) --target rust rust_cluster
	@ctest --test-dir $(BUILD) --output-on-failure -j2

fault: build ## the fault tests at full length (most of an hour)
	@TD_FAULT=full OMP_NUM_THREADS=1 $(BUILD)/tests/fault_tests -j2

SECONDS ?= 1200
soak: build ## threads on one dict, then all that shares memory at once, with kills, SECONDS=1200 long each
	@TD_SOAK_SECONDS=$(SECONDS) OMP_NUM_THREADS=1 $(BUILD)/tests/fault_tests -j1 --filter 'soak*/*'

models: ## the models of tests/models at full length, with spin (half an hour)
	@tests/models/run --deep

FUZZ_SECONDS ?= 60
CLANG ?= $(shell command -v clang || ls /usr/bin/clang-[0-9]* 2>/dev/null | sort -V | tail -n 1)
fuzz: CMAKE_ARGS += -DCMAKE_C_COMPILER=$(CLANG) -DCMAKE_CXX_COMPILER=$(subst clang,clang++,$(CLANG))
fuzz: ## fuzzers, calls and programs, each FUZZ_SECONDS=60 long, all or FUZZ_TARGETS="a b", in build-fuzz/ with clang
	@$(MAKE) --no-print-directory configure PRESET=fuzz CMAKE_ARGS="$(CMAKE_ARGS)"
	@cmake --build build-fuzz --target fuzzers
	@tests/fuzz/run build-fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

bench: CMAKE_ARGS += -DTD_BUILD_BENCH=ON
bench: build ## speed, threads and size, beside the raw LibTorch floor
	@$(BUILD)/bench/bench
	@$(BUILD)/bench/threads
	@$(BUILD)/bench/size
	@tests/bench/languages/run $(BUILD)

lint: ## formatting, the header and what follows from it, which folder includes which, the tests of SECURITY.md's promises, functions that models follow
	@.ci/format --check
	@awk 'length > 120 { print FILENAME ":" FNR ": more than 120 columns"; wide = 1 } END { exit wide }' tensordict.h capi/include/tensordict/*.h
	@bindings/generate.py --check
	@.ci/chapters
	@.ci/layers
	@.ci/structure --knots
	@.ci/promises
	@bindings/rust/lint
	@bindings/go/lint
	@bindings/julia/lint
	@bindings/csharp/lint
	@.ci/models

format: ## format C, C++ and Rust in place
	@.ci/format

asan: ## tests under the address and undefined behaviour sanitizers, in build-asan/
	@$(MAKE) --no-print-directory build PRESET=asan
	@ctest --test-dir build-asan --output-on-failure -j2 -E '^(abi|cli|interop)'

tsan: ## tests under the thread sanitizer, in build-tsan/
	@$(MAKE) --no-print-directory build PRESET=tsan
	@ctest --test-dir build-tsan --output-on-failure -j2 -E '^(abi|cli)'

generate: abi ## write everything anew that follows from the header
	@bindings/generate.py

site: ## the documentation, in build/site/html; needs only Sphinx, MyST and furo
	@capi/docs/site $(BUILD)/site

abi: build ## write the list of exported functions anew, then compare it with the library
	@tests/abi/exports $(BUILD)/libtensordict.so tensordict.h tests/abi/exports.txt --update

install: configure ## into PREFIX (default /usr/local)
	@cmake --build $(BUILD) --target tensordict single_header plugins tensordict_launcher
	@cmake --install $(BUILD) --prefix $(or $(PREFIX),/usr/local)
	@.ci/optional $(BUILD) $(DESTDIR)$(or $(PREFIX),/usr/local)

wheel: export TD_FOR = wheel
wheel: ## the Python package libtensordict for the torch of PYTHON=..., of the active environment or of build-pip/venv
	@PRESET=wheel CMAKE_ARGS="$(CMAKE_ARGS)" $(CHECK)
	@python=$$(CMAKE_ARGS="$(CMAKE_ARGS)" .ci/wheel-python) && $(MAKE) --no-print-directory configure PRESET=wheel \
	  CMAKE_ARGS="$(CMAKE_ARGS) $${python:+-DTD_PYTHON=$$python}"
	@cmake --build build-wheel --target wheel
	@.ci/wheel build-wheel

packages: ## Debian packages, in build-packages/
	@.ci/packages

clean: ## remove the build directories
	@rm -rf build build-ci build-asan build-tsan build-pip build-wheel build-fuzz build-packages

.PHONY: help setup configure build demo demo-cluster test fault soak models fuzz bench lint format asan tsan generate site abi install wheel packages clean
