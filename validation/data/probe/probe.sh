#!/bin/sh
# probe.sh: what this machine says of itself, as text files, for `spineleaf import measurements` and
# `spineleaf doctor`. For people who may run only what they have read: this script reads files, calls
# tools that show things, and writes into one new folder. It needs no root and changes no setting; what
# only root may see is left out, and the file says so.
#
#   sh probe.sh [FOLDER]        default folder: spineleaf-probe-files
#
# Names of machines stay in these files; `spineleaf import measurements` makes tokens of them.

set -u
out=${1:-spineleaf-probe-files}
mkdir -p "$out" || exit 1

# keep FILE COMMAND...: what a command says, or why it says nothing. At most 30 seconds each.
keep() {
  file=$out/$1
  shift
  if ! command -v "$1" >/dev/null 2>&1; then
    echo "# not available: $1 is not installed" >"$file"
    return
  fi
  timeout 30 "$@" >"$file" 2>&1 || echo "# $1 ended with $?" >>"$file"
}

# inventory
keep nvidia-smi-q.txt nvidia-smi -q
keep nvidia-smi-topo.txt nvidia-smi topo -m
keep nvlink.txt nvidia-smi nvlink --status

# pcie, acs-iommu: as root lspci shows ACSCtl as well
keep lspci-vvv.txt lspci -vvv
cat /proc/cmdline >"$out/kernel-command-line.txt" 2>/dev/null
for group in /sys/kernel/iommu_groups/*/type; do
  [ -r "$group" ] && echo "$group $(cat "$group")"
done >"$out/iommu-groups.txt" 2>/dev/null

# gdr
keep lsmod.txt lsmod

# nic
keep ibstat.txt ibstat
keep ibv-devinfo.txt ibv_devinfo -v
for device in /sys/class/infiniband/*/device/net/*; do
  [ -e "$device" ] || continue
  name=${device##*/}
  keep "mlnx-qos-$name.txt" mlnx_qos -i "$name"
  keep "ip-link-$name.txt" ip link show "$name"
done

# counters: what moves in ten seconds, or in as many as you say in WAIT, under the load of your choice
counters() {
  for counter in /sys/class/infiniband/*/ports/*/hw_counters/* \
                 /sys/class/infiniband/*/ports/*/counters/*; do
    [ -r "$counter" ] && echo "$counter:$(cat "$counter" 2>/dev/null)"
  done >"$out/hw-counters-$1.txt"
  for device in /sys/class/infiniband/*/device/net/*; do
    [ -e "$device" ] || continue
    keep "ethtool-${device##*/}-$1.txt" ethtool -S "${device##*/}"
  done
}
counters before
sleep "${WAIT:-10}"
counters after

# verbs, copies, nccl: these load the machine, so that you start them yourself; docs/probe.md says how
cat >"$out/next-steps.txt" <<'EOF'
# What is left to measure, on two idle nodes A and B; put the files into this folder:
#   on B: ib_write_bw -d mlx5_0 -q 1 -t 8 -a --report_gbits
#   on A: ib_write_bw -d mlx5_0 -q 1 -t 8 -a --report_gbits B | tee ib-write-bw-mlx5_0.txt
#   nvbandwidth | tee nvbandwidth.txt
#   NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH,TUNING,ENV \
#     mpirun -np 16 -H A:8,B:8 all_reduce_perf -b 8 -e 8G -f 2 -g 1 | tee all-reduce.txt
EOF
echo "written: $out; next: spineleaf import measurements $out -o meas.json"
