#!/usr/bin/env bash
# From a fresh Debian 12 or Ubuntu 24.04 machine to a simulated 16-GPU all-reduce beside a measurement.
# Installs missing packages, builds, runs the quick start and says where its report lies. Safe to
# repeat; fast when nothing changed. Arguments go to `spineleaf quickstart`.

source "$(dirname "$0")/lib.sh"

need_packages "${BUILD_PACKAGES[@]}"
want_packages "${OPTIONAL_PACKAGES[@]}"
say "building (build/release)"
build release --target spineleaf
build/release/spineleaf quickstart "$@"
