# Shared by the scripts beside it: package check, configure, build. Sourced, not run.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Debian and Ubuntu package names. README.md lists the names for Rocky Linux 9.
BUILD_PACKAGES=(
  g++ cmake ninja-build ccache
  libboost-graph-dev libeigen3-dev libcli11-dev nlohmann-json3-dev libtbb-dev
  libgtest-dev libgmock-dev xz-utils
)
# Built in where present: pugixml reads NCCL's XML files; with the headers of libibverbs the probe
# measures NICs.
OPTIONAL_PACKAGES=(libpugixml-dev libibverbs-dev)
PYTHON_PACKAGES=(python3-dev python3-venv)
BROWSER_PACKAGES=(chromium)
SHELL_PACKAGES=(zsh groff-base)  # completion and manual page are tried with them
CHECK_PACKAGES=(clang-14 clang-tidy-14 clang-format-14 libclang-rt-14-dev)

# Compiled objects are found again from another clone of the project.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

say() { printf '==> %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Prints those of the packages named that are not installed.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
              sed -n 's/ installed$//p') || true
  comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

# Installs what is missing of the packages named; silent when nothing is.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian or Ubuntu machine: assuming that the packages of README.md are installed"
    return
  fi
  local -a missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  [[ ${#missing[@]} -eq 0 ]] && return
  say "installing missing packages: ${missing[*]}"
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null ||
      fail "not root and no sudo here; as root run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" \
    </dev/null >/dev/null
}

# The same for packages that the build can do without.
want_packages() {
  (need_packages "$@") || say "going on without $*"
}

# What the Python package is made of.
PYTHON_SOURCES=(
  pyproject.toml CMakeLists.txt cmake/Layers.cmake cmake/Options.cmake LICENSE README.md
  sim topologies models scenarios validation bindings/python
)

# Packages that pyproject.toml asks for: python_requirements build|test|docs, one a line.
python_requirements() {
  python3 - "$1" <<'EOF'
import re, sys
text = open("pyproject.toml").read()
def listed(key):
    return re.findall(r'"([^"]+)"', re.search(rf'^{key} = \[(.*?)\]$', text, re.M | re.S).group(1))
names = listed("requires" if sys.argv[1] == "build" else sys.argv[1])
if sys.argv[1] == "test":
    extras = names[0].split("[")[1].rstrip("]").split(",")
    names = names[1:] + listed("dependencies") + sum(map(listed, extras), [])
print("\n".join(names))
EOF
}

# python_venv NAME REQUIREMENTS: build/venv/NAME with these packages; nothing where they are in.
python_venv() {
  local folder=build/venv/$1
  [[ -f $folder/requirements && $(<"$folder/requirements") == "$2" ]] && return
  say "making a virtual environment ($folder)"
  [[ -x $folder/bin/pip ]] || python3 -m venv "$folder"
  # shellcheck disable=SC2086  # a list of words
  "$folder/bin/pip" install --quiet --disable-pip-version-check $2
  echo "$2" >"$folder/requirements"
}

# Sources and headers of the project; the tidy test's samples are bad on purpose.
source_files() {
  git ls-files -co --exclude-standard '*.cpp' '*.hpp' | grep -v '^tests/tidy/samples/'
}

# Test executables of those folders named that have tests.
test_targets() {
  local folder
  for folder in "$@"; do
    if [[ -n $(find "tests/$folder" -name '*_test.cpp' -print -quit 2>/dev/null) ]]; then
      printf '%s_tests\n' "$folder"
    fi
  done
}

fuzz_targets() {
  find tests/fuzz -name '*_fuzz.cpp' -printf '%f\n' | sed 's/\.cpp$//' | sort
}

# build PRESET [cmake --build arguments]: configures where needed, then builds.
build() {
  local preset=$1
  shift
  # Configuring again on its own is the build tool's job; only a first or failed one is ours.
  if [[ ! -f build/$preset/build.ninja ]]; then
    cmake --preset "$preset" >/dev/null
  fi
  cmake --build --preset "$preset" "$@"
}
