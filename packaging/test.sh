#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Builds everything and runs all tests; see --help.

set -euo pipefail

usage() {
  cat <<'TEXT'
usage: packaging/test.sh [CTEST OPTION]...

Installs the Debian packages that are missing, builds everything, and runs all tests with ctest. Window
tests run without a screen (Qt's offscreen platform) and on a virtual one (Xvfb with openbox), never on
yours. Options go to ctest: "-R figure" runs the tests with "figure" in their names, "-L quick" those
with that label. The exit code is ctest's.

For the tests the environment holds
  QT_QPA_PLATFORM=offscreen        unless a test asks for another platform
  HALLWRIGHT_TEST_DISPLAY, DISPLAY the virtual screen, such as ":99"
  LOCPATH                          a folder with de_DE.UTF-8, where the system has no German locale
  LANG=C.UTF-8                     and no LC_ALL
  XDG_*_HOME                       empty folders, so that nobody's own settings are read or changed

  HALLWRIGHT_JOBS=N                in the environment: compile and test with N processes
TEXT
}

case "${1:-}" in
  -h | --help)
    usage
    exit 0
    ;;
esac

# shellcheck source-path=SCRIPTDIR source=bootstrap.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/bootstrap.sh"

install_packages "${run_packages[@]}" "${test_packages[@]}"
configure_build -DHALLWRIGHT_TESTS=ON
build_targets all

scratch="$(mktemp -d "${TMPDIR:-/tmp}/hallwright-test.XXXXXX")"
started=()
# shellcheck disable=SC2317  # called by the trap
clean_up() {
  # The window manager first, then its screen.
  local i
  for ((i = ${#started[@]} - 1; i >= 0; i--)); do
    kill "${started[i]}" 2>/dev/null || true
    wait "${started[i]}" 2>/dev/null || true
  done
  rm -rf -- "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs the given command every 0.1 s until it succeeds, for at most 20 s.
wait_until() {
  local i
  for ((i = 0; i < 200; i++)); do
    if "$@" >/dev/null 2>&1; then
      return 0
    fi
    sleep 0.1
  done
  return 1
}

for kind in CONFIG DATA CACHE STATE; do
  mkdir -p -- "$scratch/${kind,,}"
  export "XDG_${kind}_HOME=$scratch/${kind,,}"
done
mkdir -m 700 -- "$scratch/runtime"
export XDG_RUNTIME_DIR="$scratch/runtime"
unset WAYLAND_DISPLAY

# A screen of its own number, so that two runs do not meet.
Xvfb -displayfd 3 -screen 0 1920x1080x24 -dpi 96 -nolisten tcp -noreset \
  3>"$scratch/display" >"$scratch/xvfb.log" 2>&1 </dev/null &
started+=($!)
wait_until test -s "$scratch/display" || fail "the virtual screen did not start: $(tail -n 3 "$scratch/xvfb.log")"
HALLWRIGHT_TEST_DISPLAY=":$(tr -d '[:space:]' <"$scratch/display")"
export HALLWRIGHT_TEST_DISPLAY DISPLAY="$HALLWRIGHT_TEST_DISPLAY"
unset XAUTHORITY

# Without a window manager no window is ever the active one.
openbox --sm-disable >"$scratch/openbox.log" 2>&1 </dev/null &
started+=($!)
wait_until xdotool get_num_desktops || fail "the window manager did not start: $(tail -n 3 "$scratch/openbox.log")"

# Tests in a comma locale. A locale of our own spares a change to the system.
has_locale() { locale -a 2>/dev/null | grep -iE '^de_DE\.utf-?8$' >/dev/null; }
if ! has_locale; then
  locales="$hallwright_root/build/test-locales"
  if [[ ! -d "$locales/de_DE.UTF-8" ]]; then
    mkdir -p -- "$locales"
    # localedef warns about harmless things with exit code 1; the folder tells whether it worked.
    localedef -i de_DE -f UTF-8 "$locales/de_DE.UTF-8" >/dev/null 2>&1 || true
  fi
  if [[ -d "$locales/de_DE.UTF-8" ]]; then
    export LOCPATH="$locales"
  else
    say "A German locale could not be made here; tests that need one from the system will say so."
  fi
fi
# LC_ALL would win over the LANG that a test sets for itself.
unset LC_ALL LC_NUMERIC LANGUAGE
export LANG=C.UTF-8 QT_QPA_PLATFORM=offscreen

status=0
ctest --test-dir "$hallwright_root/build" --output-on-failure --no-tests=error \
  --parallel "${HALLWRIGHT_JOBS:-$(nproc)}" "$@" || status=$?
exit "$status"
