#!/usr/bin/env bash
# Formats every source file in place. With --check changes nothing and lists what is not formatted.

source "$(dirname "$0")/lib.sh"

need_packages clang-format-14
if [[ ${1:-} == --check ]]; then
  source_files | xargs clang-format-14 --dry-run -Werror --ferror-limit=1
else
  source_files | xargs clang-format-14 -i
fi
