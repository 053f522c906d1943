#!/usr/bin/env bash
# opensm.sh INPUT OUT ENGINE [OPTION...]: lets OpenSM route the fabric INPUT, which ibsim plays, and
# ibdmchk judge it. OUT gets OpenSM's dumps, its log and ibdmchk's report; LIDs that are known there
# from a run before are kept. Packages of Debian 12: opensm, ibsim-utils, ibutils.

set -euo pipefail
input=$(realpath "$1"); out=$2; engine=$3; shift 3
mkdir -p "$out"; out=$(realpath "$out")
library=$(find /usr/lib -name libumad2sim.so -print -quit)

# A name of its own, so that two of these never answer for each other.
export IBSIM_SOCKNAME="spineleaf-$$-$RANDOM"
# ibsim ends when its input does: a pipe that this script keeps open.
mkfifo "$out/console"
ibsim -N 4096 -S 512 -P 65536 -s "$input" <"$out/console" >"$out/ibsim.log" 2>&1 &
ibsim=$!
exec 8>"$out/console"
trap 'kill "$ibsim" 2>/dev/null || true; rm -f "$out/console"' EXIT
for _ in $(seq 100); do
  grep -q 'sim>' "$out/ibsim.log" && break
  kill -0 "$ibsim" 2>/dev/null || { cat "$out/ibsim.log" >&2; exit 1; }
  sleep 0.02
done

# OpenSM runs on the first host of the file. On a busy machine its packets to ibsim can time out: it
# gets three tries.
host=$(grep -m1 -o '"H-[0-9a-f]*"' "$input" | tr -d '"')
for try in 1 2 3; do
  rm -f "$out/log"
  LD_PRELOAD=$library SIM_HOST=$host OSM_CACHE_DIR=$out OSM_TMP_DIR=$out timeout 60 \
    opensm -o -D 0x43 --dump_files_dir "$out" -f "$out/log" -R "$engine" "$@" >"$out/stdout" 2>&1 ||
    true
  grep -q 'SUBNET UP' "$out/log" && break
  [[ $try -lt 3 ]] || { cat "$out/stdout" >&2; exit 1; }
done

# ibdmchk gives its verdict and then crashes: only what it says counts.
(cd "$out" && timeout 60 ibdmchk -s opensm-subnet.lst -f opensm.fdbs -m opensm.mcfdbs \
  >ibdmchk.txt 2>&1) || true
