#!/usr/bin/env bash
# lint.sh [SECONDS]: clang-tidy (checks in .clang-tidy) over the sources of the libraries and the
# command, last changed first. Stops looking after SECONDS, if given, and says how many files were left.

source "$(dirname "$0")/lib.sh"

budget=${1:-3600}
need_packages "${BUILD_PACKAGES[@]}" "${CHECK_PACKAGES[@]}" "${PYTHON_PACKAGES[@]}"
python_venv build "$(python_requirements build)"
cmake --preset lint -DSPINELEAF_PYTHON=ON -DPython_EXECUTABLE="$PWD/build/venv/build/bin/python" \
  -Dpybind11_DIR="$(build/venv/build/bin/python -m pybind11 --cmakedir)" >/dev/null

changed() { git log -n 300 --format= --name-only --diff-filter=d 2>/dev/null || true; }
mapfile -t sources < <({ changed; source_files; } |
  grep -E '^(sim|topologies|models|scenarios|validation|bindings)/.*\.cpp$' | awk '!seen[$0]++' |
  while read -r file; do if [[ -f $file ]]; then echo "$file"; fi; done)
lint_one() {
  (( $(date +%s) < LINT_DEADLINE )) || { echo "$1" >>"$LINT_SKIPPED"; return 0; }
  clang-tidy-14 -p build/lint --quiet "$1" 2>/dev/null
}
export -f lint_one
export LINT_DEADLINE=$(( $(date +%s) + budget )) LINT_SKIPPED
LINT_SKIPPED=$(mktemp)
trap 'rm -f "$LINT_SKIPPED"' EXIT

status=0
printf '%s\0' "${sources[@]}" |
  xargs -0 -n1 -P "$(nproc)" bash -c 'lint_one "$1"' _ || status=1
skipped=$(wc -l <"$LINT_SKIPPED")
say "clang-tidy: $(( ${#sources[@]} - skipped )) of ${#sources[@]} files checked"
exit $status
