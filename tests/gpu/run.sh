#!/usr/bin/env bash
# Everything that needs a GPU, on a machine that has one: builds lockstep-rank and the checks where they are missing, runs
# them, and prints a table last. Needs cmake, ninja, a compiler, python3 with a CUDA torch (or LOCKSTEP_CUDA_TORCH); neither
# Qt nor a network. Under nine minutes on one GPU; --quick in two or three. --only takes parts of it, in turn:
# bits (collectives, right to the bit), parity, collectives (their speed), speed, deaths, presets. What each run logged is
# in build/gpu/logs.
#
#   LOCKSTEP_GPU_BUILT=DIR    a folder that holds lockstep-rank and cuda_collectives already: nothing is built
#   LOCKSTEP_DEPS=DIR         what packaging/collect_deps.sh has filled, where the headers are not installed
#   LOCKSTEP_CUDA_TORCH=DIR   the folder share/cmake of the LibTorch to build against
set -u
cd "$(dirname "$0")/../.." || exit 2
quick=
device=cuda:0
only=bits,parity,collectives,speed,deaths,presets
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=--quick ;;
    --device) shift && device=${1:?--device needs a device} ;;
    --only) shift && only=${1:?--only needs parts} ;;
    *)
        echo "run.sh: unknown option $1; allowed: --quick, --device cuda:0, --only PART,..." >&2
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
told=build/gpu/collectives.txt
: >"$told"
code=0
case ,$only, in
*,bits,*)
    # Whatever hangs there, the rest is still to be seen.
    timeout 240 "$checks" $quick | tee "$told"
    code=${PIPESTATUS[0]}
    [ "$code" != 124 ] || echo "FAIL cuda_collectives: not done within 240 s" | tee -a "$told"
    ;;
esac
if [ "$code" = 77 ] && [ "$device" != cpu ]; then
    exit 77
fi
rest=$(echo "$only" | tr , '\n' | grep -v '^bits$' | paste -sd, -)
trained=0
if [ -n "$rest" ]; then
    "$python" tests/gpu/training_on_gpu.py --rank "$rank" --logs build/gpu/logs --device "$device" --only "$rest" --first "$told" $quick
    trained=$?
fi
echo "-- $((SECONDS - started)) s in all"
[ "$code" = 0 ] || [ "$code" = 77 ] || exit 1
exit $trained
