#!/usr/bin/env bash
# Builds the Python package as a wheel in one virtual environment, installs it in another, checks its
# types and runs its tests there. What has not changed is not done again. Arguments go to pytest,
# e.g. `scripts/python.sh -k incast`. The command must have been built: the tests compare with it.

source "$(dirname "$0")/lib.sh"

need_packages "${BUILD_PACKAGES[@]}" "${PYTHON_PACKAGES[@]}"
python_venv build "$(python_requirements build)"

# The folders count as well: they are newer when a file in them has gone.
mkdir -p build/wheel
wheel=$(find build/wheel -name '*.whl')
if [[ -z $wheel || -n $(find "${PYTHON_SOURCES[@]}" -newer "$wheel" -print -quit) ]]; then
  say "building the Python package (build/python)"
  rm -rf build/wheel build/wheel.new
  # Called as CMake calls it elsewhere, the compiler's results are found again in the cache.
  CXX=$(command -v c++) build/venv/build/bin/pip wheel . --quiet --no-build-isolation --no-deps \
    --wheel-dir build/wheel.new
  mv build/wheel.new build/wheel
  wheel=$(find build/wheel -name '*.whl')
fi

python_venv test "$(python_requirements test)"
if [[ ! build/venv/test/spineleaf.stamp -nt $wheel ]]; then
  build/venv/test/bin/pip install --quiet --force-reinstall --no-deps "$wheel"
  touch build/venv/test/spineleaf.stamp
fi

# Matplotlib draws to files, and keeps its fonts where the rest of the build is.
export MPLBACKEND=agg MPLCONFIGDIR=$PWD/build/venv/matplotlib PYTHONDONTWRITEBYTECODE=1
build/venv/test/bin/ruff check --no-cache bindings/python tests/python
build/venv/test/bin/ruff format --no-cache --check bindings/python tests/python
build/venv/test/bin/python -m mypy --cache-dir build/venv/mypy -p spineleaf
build/venv/test/bin/python -m pytest -p no:cacheprovider "$@"
