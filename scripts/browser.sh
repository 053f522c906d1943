#!/usr/bin/env bash
# Opens reports of shipped scenarios in Debian's chromium and looks for whatever is wrong with them;
# tests/browser/check_reports.py says what. Screenshots and prints: build/browser/screenshots. Ends
# with 77, which ctest calls skipped, where there is no chromium. The command must have been built.
# `scripts/browser.sh picture` draws the README's picture from the quick start instead.

source "$(dirname "$0")/lib.sh"

[[ ${CI:-} == true ]] && want_packages "${BROWSER_PACKAGES[@]}" "${PYTHON_PACKAGES[@]}"
if ! chromium=$(command -v chromium); then
  say "skipped: no chromium here (Debian package chromium)"
  exit 77
fi
if ! python_venv browser playwright; then
  say "skipped: playwright can't be installed"
  exit 77
fi

if [[ ${1:-} == picture ]]; then
  build/release/spineleaf quickstart --out build/browser/quickstart >/dev/null
  build/venv/browser/bin/python tests/browser/take_picture.py "$chromium" \
    build/browser/quickstart/report.html docs/images/quickstart.png
  exit
fi

reports=()
for scenario in quickstart-incast-roce pfc-deadlock-ring quickstart-ring-ndr \
  tensor-and-data-parallel headroom-too-small; do
  build/release/spineleaf run $scenario --out build/browser/$scenario --quiet || (($? == 3))
  reports+=("build/browser/$scenario/report.html")
done
build/venv/browser/bin/python tests/browser/check_reports.py "$chromium" build/browser/screenshots "${reports[@]}"
