#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Set-up that run.sh and test.sh share: the packages that a build needs, and the build itself.
#
#   packaging/bootstrap.sh [run|test]   install what is missing, then stop
#   source packaging/bootstrap.sh       only define the functions below
#
# Nothing here is downloaded except Debian packages, and only those that are missing. When all are there,
# apt is not called and no root is needed.
#
# HALLWRIGHT_JOBS=N   compile with N processes (all processors otherwise)

set -euo pipefail

hallwright_root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"

# To build and use the studio and the command line.
run_packages=(
  # compiler and build
  g++ cmake ninja-build
  # window; the GL packages hold what the CMake files of Qt Gui and Qt Charts ask for
  qt6-base-dev qt6-svg-dev qt6-charts-dev qt6-qpa-plugins
  libqt6opengl6-dev libgl1-mesa-dev libopengl-dev
  # engine
  libboost-dev libeigen3-dev libexpected-dev libfmt-dev libsqlite3-dev libsqlitecpp-dev nlohmann-json3-dev
  # drawings (DXF), and device types of NetBox (YAML)
  libdxflib-dev libyaml-cpp-dev
  # allocation of small things, in a fifth less time
  libmimalloc-dev
  # command line
  libcli11-dev
  # typefaces
  fontconfig fonts-inter fonts-dejavu-core
)

# To build and run the tests as well.
test_packages=(
  # faster second builds
  ccache
  # test libraries
  librapidcheck-dev libbenchmark-dev
  # a screen without a screen, and a hand for it
  xvfb xauth openbox xdotool
  # other programs' readers for what we write
  poppler-utils sqlite3 python3-ezdxf
  # sources for a German locale
  locales
)

say() { printf '%s\n' "$*"; }

fail() {
  printf 'hallwright: %s\n' "$*" >&2
  exit 1
}

# Prints those of the given packages that are not installed, one a line.
missing_packages() {
  local installed package
  installed="$(dpkg-query --show --showformat='${db:Status-Abbrev}${Package}\n' -- "$@" 2>/dev/null |
    sed -n 's/^.i *//p' || true)"
  for package in "$@"; do
    grep -qxF -- "$package" <<<"$installed" || printf '%s\n' "$package"
  done
}

# "Debian GNU/Linux 12 (bookworm)", or what else this is.
system_name() {
  (
    PRETTY_NAME=''
    if [[ -r /etc/os-release ]]; then
      # shellcheck disable=SC1091  # belongs to the system
      . /etc/os-release
    fi
    printf '%s' "${PRETTY_NAME:-a system without /etc/os-release}"
  )
}

# Installs what is missing of the given packages. Asks once, where it is not root.
install_packages() {
  command -v dpkg-query >/dev/null || fail "packages are looked up with dpkg-query, which $(system_name) lacks." \
    "Please install the equivalents of these Debian 12 packages and build with CMake: $*"

  local missing
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} == 0)); then
    return 0
  fi

  command -v apt-get >/dev/null || fail "these packages are missing and apt-get is not there to install them: ${missing[*]}"
  say "Hallwright needs packages that are not installed yet ($(system_name)):"
  say "  ${missing[*]}"

  # One shell, so that the password is asked for once. An old package list may still do, so a failed update goes on.
  local steps='apt-get -q update || echo "hallwright: the package lists could not be renewed; trying with those at hand." >&2
exec apt-get -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 install "$@"'
  local command=(env DEBIAN_FRONTEND=noninteractive sh -c "$steps" sh "${missing[@]}")

  if (($(id -u) != 0)); then
    local by_hand="sudo apt-get install --no-install-recommends ${missing[*]}"
    command -v sudo >/dev/null ||
      fail "installing them takes root and sudo is not there. Please run this as root once: ${by_hand#sudo }"
    if sudo -n true 2>/dev/null; then
      command=(sudo "${command[@]}")
    elif [[ -r /dev/tty ]] && (: </dev/tty) 2>/dev/null; then
      say "They are installed with apt, which needs your password; leave with Ctrl+C to install nothing."
      command=(sudo -p 'Password of %p to install these packages: ' "${command[@]}")
    else
      fail "installing them takes root, and nobody is here to give sudo a password. Please run this once: $by_hand"
    fi
  fi
  "${command[@]}" </dev/null || fail "apt could not install all packages; its own messages above say why." \
    "On a system other than Debian 12 some of them may have other names."
}

# Configures build/. Further words go to cmake. (CMakeLists.txt uses ccache where it finds it.)
configure_build() {
  local fresh=() home_line
  # A checkout that was moved or copied together with its build folder.
  if [[ -f "$hallwright_root/build/CMakeCache.txt" ]]; then
    home_line="$(grep '^CMAKE_HOME_DIRECTORY:' "$hallwright_root/build/CMakeCache.txt" || true)"
    if [[ "${home_line#*=}" != "$hallwright_root" ]]; then
      say "The build folder was made at another place; configuring it anew."
      fresh=(--fresh)
    fi
  fi
  (cd -- "$hallwright_root" &&
    cmake --preset default "${fresh[@]}" "$@") ||
    fail "the build could not be configured; the message above says why."
}

# Builds the given targets, or everything.
build_targets() {
  local jobs="${HALLWRIGHT_JOBS:-$(nproc)}" targets=()
  if (($# > 0)); then
    targets=(--target "$@")
  fi
  cmake --build "$hallwright_root/build" --parallel "$jobs" "${targets[@]}" ||
    fail "the build failed; the first error above is the one to look at." \
      "(If the compiler was killed, memory ran out: HALLWRIGHT_JOBS=1 needs the least.)"
}

if [[ "${BASH_SOURCE[0]}" == "$0" ]]; then
  case "${1:-run}" in
    run) install_packages "${run_packages[@]}" ;;
    test) install_packages "${run_packages[@]}" "${test_packages[@]}" ;;
    -h | --help) say "usage: packaging/bootstrap.sh [run|test]   installs the Debian packages that are missing" ;;
    *) fail "bootstrap.sh knows 'run' and 'test', not '$1'." ;;
  esac
fi
