# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by packaging/setup.sh: the CUDA flavour of lockstep-rank, built into build/cuda against a LibTorch of its own.
#
#   LOCKSTEP_CUDA_TORCH=DIR   a LibTorch with CUDA that is there already (its folder share/cmake, or the one above it)

# The LibTorch that GPU hosts have; its package brings CUDA 13, cuDNN and NCCL.
cuda_torch_version=2.11.0
cuda_version=13.0 # its; without nvidia-cuda-crt and -cccl the headers of its runtime and of NCCL are not whole
cuda_packages="torch==$cuda_torch_version nvidia-cuda-crt==$cuda_version.* nvidia-cuda-cccl==$cuda_version.*"
cuda_environment=build/cuda/venv

gpu_answers() { command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; }

# The folder that CMake is told, or nothing.
cuda_torch_prefix() {
    if [ -n "${LOCKSTEP_CUDA_TORCH:-}" ]; then
        printf '%s\n' "$LOCKSTEP_CUDA_TORCH"
        return
    fi
    local found
    for found in "$PWD/$cuda_environment"/lib/python3*/site-packages/torch/share/cmake; do
        # Written last by pip: without it the installation was interrupted.
        if [ -e "$found/../../lib/libtorch_cuda.so" ] && [ "$(cat "$cuda_environment/complete" 2>/dev/null)" = "$cuda_packages" ]; then
            printf '%s\n' "$found"
            return
        fi
    done
}

# Says why on stderr and returns 1 where it cannot be had.
install_cuda_torch() {
    [ -z "$(cuda_torch_prefix)" ] || return 0
    if [ -n "${LOCKSTEP_NO_INSTALL:-}" ]; then
        say "LOCKSTEP_NO_INSTALL is set, and there is no LibTorch with CUDA in $cuda_environment"
        return 1
    fi
    local free absent
    free=$(df -Pk build | awk 'NR == 2 { print int($4 / 1048576) }')
    if [ "$free" -lt 8 ]; then
        say "the CUDA flavour needs 8 GB of disk, $PWD/build has $free"
        return 1
    fi
    if command -v apt-get >/dev/null; then
        mapfile -t absent < <(missing_packages python3-venv)
        [ ${#absent[@]} = 0 ] || apt_install "${absent[@]}"
    fi
    say "installing the PyPI package torch $cuda_torch_version with CUDA into $cuda_environment (3 GB to download, 5 GB on disk)"
    [ -e "$cuda_environment/complete" ] || rm -rf "$cuda_environment" # of another version: what is new is added
    # shellcheck disable=SC2086 # a list
    if ! { python3 -m venv "$cuda_environment" \
        && "$cuda_environment/bin/pip" install --quiet --no-cache-dir --no-compile --disable-pip-version-check \
            $cuda_packages; } >build/install-cuda.log 2>&1; then
        say "it could not be installed: $(tail -n 1 build/install-cuda.log) (log: build/install-cuda.log)"
        return 1
    fi
    printf '%s\n' "$cuda_packages" >"$cuda_environment/complete"
}

# build_cuda NAME=VALUE...: as build_all, into build/cuda. Returns 1 where LibTorch with CUDA cannot be had.
build_cuda() {
    mkdir -p build/cuda
    install_cuda_torch || return 1
    configure_and_build cuda build/cuda "$@" "CMAKE_PREFIX_PATH=$(cuda_torch_prefix)"
}
