# shellcheck shell=bash disable=SC2034
# Sourced by ./run and ./test: installs what is missing, configures, builds. Every step says what it does, and a step
# that has nothing to do takes no time.
#
#   LOCKSTEP_NO_INSTALL=1   never install anything; fail with the list instead
#   LOCKSTEP_JOBS=n         parallel compile jobs (default: the number of cores)
#   LOCKSTEP_WERROR=ON      turn warnings into errors, as CI does

# What each package is for: resources/docs/dependencies.md.
packages_build=(g++ cmake ninja-build ccache git ca-certificates
    qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libqt6sql6-sqlite libqcustomplot-dev libgl-dev
    libflatbuffers-dev flatbuffers-compiler flatbuffers-compiler-dev nlohmann-json3-dev libfmt-dev zlib1g-dev libzip-dev libssl-dev
    libopenmpi-dev openmpi-bin)
packages_torch=(libtorch-dev libgloo-dev libopenblas0-pthread libdnnl-dev)
packages_run=(python3 bubblewrap poppler-utils fonts-noto-cjk fonts-dejavu-core qt6-translations-l10n libqt6svg6)
packages_lint=(clang-format-14 clang-tidy-14)
packages_test=(python3-docx python3-yaml xvfb xauth sqlite3 procps appstream desktop-file-utils fish man-db mandoc zsh)
packages_test_if_offered=(python3-torch) # Debian 13 and Ubuntu 24.04 have none

# Open reports, for ./test --label documents.
packages_documents=(libreoffice-writer-nogui texlive-xetex texlive-latex-recommended texlive-lang-chinese texlive-pictures chromium)

# Hosts out of namespaces with sshd and Slurm, for ./test --label cluster.
packages_cluster=(iproute2 openssh-client openssh-server slurm-wlm munge)

# A Debian from nothing, for ./test --label containers.
packages_containers=(mmdebstrap iproute2)

say() { printf '\033[1m== %s\033[0m\n' "$*" >&2; }
fail() {
    printf 'lockstep: %s\n' "$*" >&2
    exit 2
}

# Names those of its arguments that are not installed, one a line.
missing_packages() {
    comm -23 <(printf '%s\n' "$@" | sort -u) \
        <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | sort -u)
}

apt_install() {
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "these packages are missing and there is no sudo: $*. As root, run: apt-get install $*"
        as_root=(sudo)
    fi
    say "installing with apt: $*"
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1; then
        say "refreshing apt's package lists"
        "${as_root[@]}" apt-get update -qq >>"$log" 2>&1 || fail "apt-get update failed, see $log. Is the network there?"
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >>"$log" 2>&1 \
            || fail "apt could not install: $*. Its last words: $(tail -n 2 "$log" | tr '\n' ' ') (all of them: $log)"
    fi
}

# apt's LibTorch where apt has one, else the PyPI package torch in a virtual environment of our own.
install_torch() {
    local absent
    mapfile -t absent < <(missing_packages "${packages_torch[@]}")
    if [ ${#absent[@]} = 0 ] || torch_from_pypi_is_there; then
        return
    fi
    if apt-cache show libtorch-dev >/dev/null 2>&1; then
        apt_install "${absent[@]}"
        return
    fi
    say "apt has no LibTorch here: installing the PyPI package torch into build/torch (a large download)"
    mapfile -t absent < <(missing_packages python3-venv)
    [ ${#absent[@]} = 0 ] || apt_install "${absent[@]}"
    { python3 -m venv build/torch && build/torch/bin/pip install --quiet torch numpy; } \
        || fail "the PyPI package torch could not be installed into build/torch; with a LibTorch of your own, run: cmake --preset release -DCMAKE_PREFIX_PATH=/path/to/libtorch"
}

torch_from_pypi_is_there() { [ -x build/torch/bin/python ] && build/torch/bin/python -c 'import torch' 2>/dev/null; }

torch_prefix() {
    if torch_from_pypi_is_there; then
        build/torch/bin/python -c 'import torch; print(torch.utils.cmake_prefix_path)'
    fi
}

# install_missing PACKAGE...
install_missing() {
    mkdir -p build
    log=$PWD/build/install.log
    if ! command -v apt-get >/dev/null; then
        if command -v cmake >/dev/null && command -v ninja >/dev/null; then
            say "no apt here: going on with what is installed (needed: Qt 6.4, QCustomPlot for Qt 6, LibTorch, FlatBuffers, nlohmann-json, {fmt}, zlib, libzip, OpenSSL)"
            return
        fi
        fail "this machine has no apt (Debian, Ubuntu). Install by its own means: ${packages_build[*]} ${packages_torch[*]}, then run this again"
    fi
    local absent
    mapfile -t absent < <(missing_packages "$@")
    if [ ${#absent[@]} != 0 ]; then
        [ -z "${LOCKSTEP_NO_INSTALL:-}" ] || fail "LOCKSTEP_NO_INSTALL is set and these packages are missing: ${absent[*]}"
        apt-cache show qt6-base-dev >/dev/null 2>&1 || refresh_lists
        apt_install "${absent[@]}"
    fi
    install_torch
}

# install_if_offered PACKAGE...: those that apt has; names the others. After install_missing.
install_if_offered() {
    local package absent offered=()
    command -v apt-get >/dev/null || return 0
    mapfile -t absent < <(missing_packages "$@")
    [ ${#absent[@]} != 0 ] || return 0
    apt-cache show qt6-base-dev >/dev/null 2>&1 || [ -n "${LOCKSTEP_NO_INSTALL:-}" ] || refresh_lists
    for package in "${absent[@]}"; do
        if apt-cache show "$package" >/dev/null 2>&1; then
            offered+=("$package")
        else
            say "apt has no $package here: the tests that need it will be skipped"
        fi
    done
    [ ${#offered[@]} = 0 ] || install_missing "${offered[@]}"
}

refresh_lists() {
    say "refreshing apt's package lists"
    if [ "$(id -u)" = 0 ]; then apt-get update -qq; else sudo apt-get update -qq; fi >"$log" 2>&1 \
        || fail "apt-get update failed, see $log. Is the network there?"
}

# install_without_services PACKAGE...: as root; what they bring is not started now.
install_without_services() {
    local policy=/usr/sbin/policy-rc.d
    if [ -e "$policy" ]; then
        install_missing "$@"
        return
    fi
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy"
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    install_missing "$@"
    rm -f "$policy"
    trap - EXIT
}

# configured_as FOLDER OPTION...: whether that build already has these NAME=VALUE, and MPI if this machine has it by now.
configured_as() {
    local folder=$1 option
    shift
    [ -f "$folder/build.ninja" ] || return 1
    if command -v mpicxx >/dev/null && grep -q '^MPI_CXX_COMPILER:[A-Z]*=.*-NOTFOUND$' "$folder/CMakeCache.txt"; then
        return 1
    fi
    for option in "$@"; do
        grep -q "^${option%%=*}:[A-Z]*=${option#*=}\$" "$folder/CMakeCache.txt" || return 1
    done
}

# configure_and_build PRESET FOLDER NAME=VALUE... [-- TARGET...]: configures where these differ from what the folder has, and
# builds.
configure_and_build() {
    local preset=$1 folder=$2 jobs=${LOCKSTEP_JOBS:-$(nproc)} options=()
    shift 2
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    [ $# = 0 ] || shift
    [ -z "${LOCKSTEP_WERROR:-}" ] || options+=("LOCKSTEP_WERROR=$LOCKSTEP_WERROR")
    mkdir -p "$folder"
    if ! configured_as "$folder" "${options[@]}"; then
        say "configuring $folder (log: $folder/configure.log)"
        cmake --preset "$preset" -B "$folder" "${options[@]/#/-D}" >"$folder/configure.log" 2>&1 \
            || fail "cmake could not configure: $(grep -A3 -m1 'CMake Error' "$folder/configure.log" | tr '\n' ' ') (all of it: $folder/configure.log)"
    fi
    say "building $folder with $jobs jobs"
    build_with_progress "$folder" "$jobs" "$@" || fail "the build failed; its errors are printed above"
}

# build_all NAME=VALUE...: the workbench and the CPU flavour of the rank program.
build_all() {
    local prefix options=("$@")
    prefix=$(torch_prefix)
    # The package of PyPI may have CUDA inside: what is built for that stands in build/cuda.
    [ -z "$prefix" ] || options+=("CMAKE_PREFIX_PATH=$prefix" LOCKSTEP_CUDA=OFF)
    configure_and_build release build "${options[@]}"
}

# build_separately: each source file by itself, which shows the includes that a file lacks.
build_separately() {
    configure_and_build separate build/separate
}

. packaging/progress.sh
. packaging/setup_cuda.sh
