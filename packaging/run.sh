#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Builds Hallwright and opens it; see --help.

set -euo pipefail

usage() {
  cat <<'TEXT'
usage: packaging/run.sh [PROJECT]

Installs the Debian packages that are missing, builds the studio and the command line, and opens the
studio: on PROJECT (a .hall or .hall.json file), or on the start page with the sample designs.

Without a display it draws the hall plan, writes the summary page and lists the figures of PROJECT
(projects/superpod-h100-4su.hall.json if none is given) in the folder rendered/.

  -h, --help           this text
  HALLWRIGHT_JOBS=N    in the environment: compile with N processes
TEXT
}

case "${1:-}" in
  -h | --help)
    usage
    exit 0
    ;;
  --)
    shift
    ;;
  -*)
    printf "hallwright: run.sh has no option '%s'; packaging/run.sh --help lists what it has.\n" "$1" >&2
    exit 2
    ;;
esac
if (($# > 1)); then
  printf 'hallwright: run.sh opens one project, and %s were given.\n' "$#" >&2
  exit 2
fi

# shellcheck source-path=SCRIPTDIR source=bootstrap.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/bootstrap.sh"

# Refuse a wrong path now and not after ten minutes of compiling. A path is looked up from where the caller stands,
# then from the repository, so that projects/... works from anywhere.
project="${1:-}"
if [[ -n "$project" ]]; then
  if [[ -f "$project" ]]; then
    project="$(realpath -- "$project")"
  elif [[ -f "$hallwright_root/$project" ]]; then
    project="$hallwright_root/$project"
  else
    fail "there is no project file '$project', neither here nor in $hallwright_root."
  fi
fi

has_display=false
if [[ -n "${DISPLAY:-}" || -n "${WAYLAND_DISPLAY:-}" ]]; then
  has_display=true
fi
if [[ -z "${DISPLAY:-}" && -n "${WAYLAND_DISPLAY:-}" ]]; then
  run_packages+=(qt6-wayland)
fi

install_packages "${run_packages[@]}"

# A first build leaves the tests out, which need more packages. A build folder that has them keeps them.
options=()
if [[ ! -f "$hallwright_root/build/CMakeCache.txt" ]]; then
  options=(-DHALLWRIGHT_TESTS=OFF)
fi
configure_build "${options[@]}"
build_targets hallwright hallwright-cli

studio="$hallwright_root/build/bin/hallwright"
cli="$hallwright_root/build/bin/hallwright-cli"

if $has_display; then
  if [[ -n "$project" ]]; then
    exec "$studio" "$project"
  fi
  exec "$studio"
fi

project="${project:-$hallwright_root/projects/superpod-h100-4su.hall.json}"
out="$hallwright_root/rendered"
mkdir -p -- "$out"
export QT_QPA_PLATFORM=offscreen
"$studio" --render hall --png "$out/hall_plan.png" "$project" || fail "the hall plan of $project could not be drawn."
"$studio" --report "$out/summary.pdf" "$project" || fail "the summary page of $project could not be written."
# Exit code 1 means that the design has findings, which is an answer and no failure.
status=0
"$cli" evaluate "$project" >"$out/figures.txt" || status=$?
((status <= 1)) || fail "the figures of $project could not be computed."

cat <<TEXT

No window was opened, since neither DISPLAY nor WAYLAND_DISPLAY is set. Instead, for $project:
  hall plan      $out/hall_plan.png
  summary page   $out/summary.pdf
  figures        $out/figures.txt
TEXT
