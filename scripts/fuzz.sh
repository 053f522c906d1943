#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET...]: runs the fuzz targets (all of them, if none is named) in turn, SECONDS
# in all. Stops at the first failing input and keeps it under build/fuzz/found/.

source "$(dirname "$0")/lib.sh"

seconds=${1:?usage: scripts/fuzz.sh SECONDS [TARGET...]}
targets=("${@:2}")
[[ ${#targets[@]} -gt 0 ]] || mapfile -t targets < <(fuzz_targets)
if [[ ${#targets[@]} -eq 0 ]]; then
  say "no fuzz targets"
  exit 0
fi

need_packages "${BUILD_PACKAGES[@]}" "${CHECK_PACKAGES[@]}"
want_packages "${OPTIONAL_PACKAGES[@]}"
build fuzz --target "${targets[@]}"
each=$(( (seconds + ${#targets[@]} - 1) / ${#targets[@]} ))
mkdir -p build/fuzz/found
for target in "${targets[@]}"; do
  # New inputs go to the first folder, which is not under version control; the second only seeds.
  grown=build/fuzz/corpus/$target
  seeds=tests/fuzz/corpus/${target%_fuzz}
  log=build/fuzz/$target.log
  mkdir -p "$grown"
  say "fuzzing $target for $each s"
  arguments=(-max_total_time="$each" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1
             -artifact_prefix="build/fuzz/found/$target-" "$grown")
  [[ -d $seeds ]] && arguments+=("$seeds")
  if ! "build/fuzz/$target" "${arguments[@]}" >"$log" 2>&1; then
    tail -40 "$log" >&2
    fail "$target found a failing input: see build/fuzz/found/ and $log"
  fi
  grep 'stat::number_of_executed_units' "$log" || true
done
