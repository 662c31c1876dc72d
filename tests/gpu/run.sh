#!/usr/bin/env bash
# Everything that needs a GPU, on a machine that has one: builds lockstep-rank and the checks where they are missing, runs
# them, and prints a table last. Needs cmake, ninja, a compiler, python3 with a CUDA torch (or LOCKSTEP_CUDA_TORCH); neither
# Qt nor a network. One sitting takes at most seven minutes; each part has a limit, the most important come first, and the
# first line says whether MPS is there or starts: then several ranks on one GPU are measured with it and without.
# --quick takes less of each; --only takes parts, in turn, --no-limits as long as they need: sharing, one_rank, overlap,
# aggregation, nccl, recordings, bits, deaths, parity; and those of the first sitting: collectives, speed, presets. What each
# run logged, and the recordings, are in build/gpu/logs.
#
#   LOCKSTEP_GPU_BUILT=DIR    a folder that holds lockstep-rank and cuda_collectives already: nothing is built
#   LOCKSTEP_DEPS=DIR         what packaging/collect_deps.sh has filled, where the headers are not installed
#   LOCKSTEP_CUDA_TORCH=DIR   the folder share/cmake of the LibTorch to build against
set -u
cd "$(dirname "$0")/../.." || exit 2
quick=
device=cuda:0
only=
limits=
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=--quick ;;
    --device) shift && device=${1:?--device needs a device} ;;
    --only) shift && only=${1:?--only needs parts} ;;
    --no-limits) limits=--no-limits ;;
    *)
        echo "run.sh: unknown option $1; allowed: --quick, --device cuda:0, --only PART,..., --no-limits" >&2
        exit 2
        ;;
    esac
    shift
done

built=${LOCKSTEP_GPU_BUILT:-}
torch=${LOCKSTEP_CUDA_TORCH:-$(ls -d build/cuda/venv/lib/python3*/site-packages/torch/share/cmake 2>/dev/null | head -1)}
torch=${torch:-$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)' 2>/dev/null)}
if [ -z "$torch" ]; then
    echo "run.sh: no LibTorch with CUDA: set LOCKSTEP_CUDA_TORCH, or run ./run --cuda first" >&2
    exit 2
fi
# The Python that has this torch is what it is held against.
python=$torch/../../../../../../bin/python3
[ -x "$python" ] || python=python3
started=$SECONDS
mkdir -p build/gpu
if [ -z "$built" ]; then
    cmake -S . -B build/gpu -G Ninja -DCMAKE_BUILD_TYPE=Release -DLOCKSTEP_DESKTOP=OFF -DLOCKSTEP_TESTS=OFF -DLOCKSTEP_CUDA=ON \
        -DLOCKSTEP_UNITY=OFF -DLOCKSTEP_DEPS="${LOCKSTEP_DEPS:-}" -DCMAKE_PREFIX_PATH="$(cd "$torch" && pwd)" \
        >build/gpu/configure.log 2>&1 || { tail -20 build/gpu/configure.log >&2; exit 2; }
    cmake --build build/gpu --parallel "$(nproc)" >build/gpu/build.log 2>&1 || { grep -A5 -m3 'error' build/gpu/build.log >&2; exit 2; }
    echo "-- built in $((SECONDS - started)) s"
    rank=build/gpu/bin/lockstep-rank
    checks=build/gpu/tests/bin/cuda_collectives
else
    rank=$built/lockstep-rank
    checks=$built/cuda_collectives
fi

nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader 2>/dev/null
"$rank" --version
if [ "$device" != cpu ] && ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
    echo "run.sh: no GPU here"
    exit 77
fi
"$python" tests/gpu/training_on_gpu.py --rank "$rank" --checks "$checks" --logs build/gpu/logs --device "$device" $limits $quick \
    ${only:+--only "$only"}
ended=$?
echo "-- $((SECONDS - started)) s in all"
exit $ended
