#!/usr/bin/env bash
# Builds and runs every test; that of the Python package, scripts/python.sh, is one of them. With
# --full also the long ones: full validation, large cases, and fuzzing: ten minutes of the scenario
# reader, two of all readers. Further arguments go to ctest: `scripts/test.sh -R ping`.

source "$(dirname "$0")/lib.sh"

full=no
if [[ ${1:-} == --full ]]; then
  full=yes
  shift
fi

need_packages "${BUILD_PACKAGES[@]}"
want_packages "${OPTIONAL_PACKAGES[@]}" "${SHELL_PACKAGES[@]}"
say "building (build/release)"
build release

if [[ $full == yes ]]; then
  export SPINELEAF_FULL=1
  need_packages "${CHECK_PACKAGES[@]}"
  scripts/fuzz.sh 600 scenario_fuzz
  scripts/fuzz.sh 120
  ctest --preset release "$@"
else
  ctest --preset release -LE '^full$' "$@"
fi
