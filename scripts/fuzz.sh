#!/usr/bin/env bash
# fuzz.sh SECONDS: runs every fuzz target in turn, SECONDS in all. Stops at the first crash, with the
# input that made it kept under build/fuzz/found/.

source "$(dirname "$0")/lib.sh"

seconds=${1:?usage: scripts/fuzz.sh SECONDS}
mapfile -t sources < <(find tests/fuzz -name '*_fuzz.cpp' | sort)
if [[ ${#sources[@]} -eq 0 ]]; then
  say "no fuzz targets"
  exit 0
fi

need_packages "${BUILD_PACKAGES[@]}" "${CHECK_PACKAGES[@]}"
build fuzz
each=$(( (seconds + ${#sources[@]} - 1) / ${#sources[@]} ))
mkdir -p build/fuzz/found
for source in "${sources[@]}"; do
  target=$(basename "$source" .cpp)
  seeds=tests/fuzz/corpus/${target%_fuzz}
  grown=build/fuzz/corpus/$target
  mkdir -p "$grown"
  say "fuzzing $target for $each s"
  arguments=(-max_total_time="$each" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1
             -artifact_prefix="build/fuzz/found/$target-" "$grown")
  [[ -d $seeds ]] && arguments+=("$seeds")
  if ! "build/fuzz/$target" "${arguments[@]}" >"build/fuzz/$target.log" 2>&1; then
    tail -40 "build/fuzz/$target.log" >&2
    fail "$target found a failing input: build/fuzz/found/ (log: build/fuzz/$target.log)"
  fi
  grep -E 'stat::number_of_executed_units' "build/fuzz/$target.log" || true
done
