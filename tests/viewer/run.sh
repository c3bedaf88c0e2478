#!/usr/bin/env bash
# Tests of the viewer: tests/viewer/run.sh units | dist | page PROGRAM. Exit code 77: skipped, with the reason.
set -euo pipefail
[[ $# -lt 2 ]] || CORACLE=$(realpath "$2")
export CORACLE
cd "$(dirname "$0")"
skip() {
  echo "skipped: $1"
  exit 77
}
command -v node >/dev/null || skip "there is no node; ./do test installs nodejs where it can"
[[ $1 == units || -d ../../viewer/node_modules/vite ]] || skip "viewer/node_modules is missing; ./do test runs npm ci there where it can"
if [[ $1 == page ]]; then
  CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "there is no chromium"
  export CHROMIUM
fi
exec timeout 500 node --test "$1"/*.test.mjs
