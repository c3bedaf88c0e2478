#!/usr/bin/env bash
# Set-up, build, demo and checks, on a machine that may have none of the tools yet.
set -euo pipefail
cd "$(dirname "$0")"
jobs=${JOBS:-$(nproc)}

usage() {
  cat <<'TEXT'
./do demo       install what is missing, build, simulate a dam break against a beam into runs/demo, render a film
./do test       install what is missing, fast checks, build, all tests
./do build      build only the program, build/coracle, without the cases of validate and bench
./do python     build the Python module and say how to import it
./do viewer     rebuild the viewer's page, viewer/dist, from viewer/src
./do characters rebuild the characters that ship, scenes/characters, from tools/characters
./do lint       fast checks and clang-tidy
./do sanitize   the tests under the address and undefined-behaviour sanitizers
./do validate   compare with theory and experiment; writes docs/validation-report.md
./do bench      run timed cases
./do docs       build the manual as a site, build-docs/site
./do package    build the Debian package, build-package/coracle_VERSION_amd64.deb, for every x86-64 machine
./do format     clang-format every file in place
./do help       this text

Packages come from Debian (packages.txt). JOBS=n sets the number of parallel jobs (default: one per core).
TEXT
}

# ---- Stages: one line each, with the time in seconds

# stage NAME COMMAND...: quiet unless it fails.
stage() {
  local name=$1 start=$SECONDS log
  shift
  log=$(mktemp)
  if "$@" >"$log" 2>&1; then
    echo "== $name: $((SECONDS - start)) s"
    rm -f "$log"
  else
    cat "$log"
    rm -f "$log"
    echo "== $name: FAILED after $((SECONDS - start)) s"
    exit 1
  fi
}

# loud_stage NAME COMMAND...: shows the command's output.
loud_stage() {
  local name=$1 start=$SECONDS
  shift
  echo "== $name"
  if "$@"; then
    echo "== $name: $((SECONDS - start)) s"
  else
    echo "== $name: FAILED after $((SECONDS - start)) s"
    exit 1
  fi
}

# ---- Set-up

# Packages of the named sections of packages.txt.
packages() {
  awk -v wanted=" $* " '
    /^# \[/ { gsub(/[#\[\] ]/, ""); section = $0; next }
    { sub(/#.*/, "") }
    NF && index(wanted, " " section " ") { print $1 }' packages.txt
}

setup() {
  local needed missing=() package root=()
  mapfile -t needed < <(packages "$@")
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "This system has no apt-get. Needed, under their Debian names: ${needed[*]}"
    command -v cmake >/dev/null || exit 1
    return
  fi
  for package in "${needed[@]}"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  if [[ $EUID -ne 0 ]]; then
    if ! command -v sudo >/dev/null || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
      echo "Some packages are missing, and only root can install them. As root, type:"
      echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
      exit 1
    fi
    root=(sudo)
  fi
  echo "== installing ${missing[*]}"
  root+=(env DEBIAN_FRONTEND=noninteractive apt-get)
  stage "package lists" "${root[@]}" update
  stage "packages" "${root[@]}" install -y --no-install-recommends "${missing[@]}"
}

# ---- Build

# build PRESET FOLDER TARGET CMAKE_OPTION...
build() {
  local preset=$1 folder=$2 target=$3
  shift 3
  stage "configure $folder" cmake --preset "$preset" "$@"
  if [[ -t 1 ]]; then
    loud_stage "build $folder" cmake --build "$folder" --target "$target" -j "$jobs"
  else
    stage "build $folder" cmake --build "$folder" --target "$target" -j "$jobs"
  fi
}

# build_program CMAKE_OPTION...: without the tests, and without cases unless an option asks for them.
build_program() {
  setup build
  build release build coracle -DCORACLE_TESTS=OFF -DCORACLE_VALIDATION=OFF -DCORACLE_BENCH=OFF "$@"
}

# The Python of Debian, whose packages the module is built with.
python_options=(-DCORACLE_PYTHON=ON "-DPython_EXECUTABLE=${PYTHON:-/usr/bin/python3}")

# The tools that build and test the viewer's page. npm need not come from Debian.
viewer_tools() {
  command -v npm >/dev/null || setup viewer
  stage "npm packages" npm ci --prefix viewer --no-audit --no-fund
}

fast_checks() {
  stage "format" tools/check_format
  stage "layers" tools/check_layers
  stage "kinds of fluid" tools/check_kinds
  stage "citations" tools/check_citations
}

# ---- Commands

demo() {
  build_program
  loud_stage "dam break" build/coracle run dam_break -o runs/demo --overwrite --preset preview
  loud_stage "picture" build/coracle render runs/demo -o runs/demo/render.png --frame 12
  loud_stage "film" build/coracle render runs/demo -o runs/demo/render.mp4 --frame 0:47 --samples 5
  echo
  echo "The result is in runs/demo: a picture, render.png, and a film of its first two seconds, render.mp4."
  echo "Its figures:         build/coracle info runs/demo"
  echo "In the browser:      build/coracle view runs/demo"
  echo "In ParaView: open runs/demo/frames/surface.pvd."
}

python() {
  setup build python
  build release build coracle_python -DCORACLE_TESTS=OFF -DCORACLE_VALIDATION=OFF -DCORACLE_BENCH=OFF "${python_options[@]}"
  echo "The module is in build/python. To import it:"
  echo "  export PYTHONPATH=$PWD/build/python"
  echo "  ${PYTHON:-/usr/bin/python3} -c 'import coracle; help(coracle)'"
}

run_tests() {
  setup build tests python
  fast_checks
  (viewer_tools && setup viewer-tests) || echo "== the viewer's tests in a browser will be skipped"
  build release build all -DCORACLE_TESTS=ON -DCORACLE_VALIDATION=ON -DCORACLE_BENCH=OFF -DCORACLE_INSTALL_CHECK=ON \
    "${python_options[@]}"
  loud_stage "tests" ctest --test-dir build --output-on-failure -j "$jobs"
}

viewer() {
  viewer_tools
  loud_stage "viewer/dist" npm run --silent --prefix viewer build
}

characters() {
  setup build
  build release build characters -DCORACLE_TESTS=OFF
  loud_stage "scenes/characters" build/characters scenes/characters
}

# Checks our own files without precompiled headers, so that missing includes are found too.
tidy() {
  run-clang-tidy -quiet -p build-lint -j "$jobs" "^$PWD/(src|app|python|validation|bench|tests|tools)/" 2>&1 |
    sed -E 's/\x1b\[[0-9;]*m//g; /^(clang-tidy|Enabled checks:| +[a-z]+-|$)|warnings? .*(generated|suppressed|treated)|^(Suppressed|Use -)/d'
}

lint() {
  setup build tests python lint
  fast_checks
  loud_stage "types of the Python module" /usr/bin/mypy --strict --cache-dir build-lint/mypy python/coracle
  stage "configure build-lint" cmake --preset lint -DCORACLE_TESTS=ON -DCORACLE_BENCH=ON "${python_options[@]}"
  loud_stage "clang-tidy" tidy
}

sanitize() {
  setup build tests
  build sanitize build-sanitize all
  export LSAN_OPTIONS=suppressions=$PWD/tools/lsan.supp
  loud_stage "tests under sanitizers" ctest --test-dir build-sanitize --output-on-failure -j "$jobs"
}

validate() {
  build_program -DCORACLE_VALIDATION=ON
  loud_stage "validation" build/coracle validate --report docs/validation-report.md
}

bench() {
  build_program -DCORACLE_BENCH=ON
  loud_stage "bench" build/coracle bench
}

docs() {
  setup docs
  loud_stage "manual" tools/site
}

package() {
  setup build python package
  build package build-package package "${python_options[@]}"
  ls build-package/coracle_*.deb
  echo "To install it: apt-get install ./FILE. To try it in a minimal Debian first: tools/check_package FILE (as root)."
}

format() {
  setup tests
  { find include src app python tests validation bench tools \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' \) -print0 2>/dev/null || true; } |
    xargs -0 -r clang-format -i
}

case ${1:-help} in
  demo) demo ;;
  test) run_tests ;;
  build) build_program ;;
  python) python ;;
  viewer) viewer ;;
  characters) characters ;;
  lint) lint ;;
  sanitize) sanitize ;;
  validate) validate ;;
  bench) bench ;;
  docs) docs ;;
  package) package ;;
  format) format ;;
  help | -h | --help) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
