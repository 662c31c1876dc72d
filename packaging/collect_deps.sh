#!/usr/bin/env bash
# packaging/collect_deps.sh DIR: puts what lockstep-rank needs beyond LibTorch into one folder, from the packages of this
# machine, so that a bare GPU host builds it with cmake, ninja, nvcc and a LibTorch alone:
#
#   cmake -S . -B build/cuda -G Ninja -DLOCKSTEP_DESKTOP=OFF -DLOCKSTEP_TESTS=OFF -DLOCKSTEP_DEPS=DIR -DCMAKE_PREFIX_PATH=...
set -eu
cd "$(dirname "$0")/.."
folder=${1:?packaging/collect_deps.sh needs a folder}/include
mkdir -p "$folder"
find_header() {
    local place
    for place in /usr/include /usr/local/include "/usr/include/$(gcc -print-multiarch)"; do
        if [ -e "$place/$1" ]; then
            printf '%s\n' "$place"
            return
        fi
    done
    printf 'collect_deps.sh: %s is not on this machine; ./run installs what is missing\n' "$1" >&2
    exit 2
}
for name in flatbuffers fmt nlohmann; do
    cp -R "$(find_header "$name")/$name" "$folder/"
done
# A few of OpenSSL's headers are the architecture's own.
for place in /usr/include "/usr/include/$(gcc -print-multiarch)" "$(find_header openssl/evp.h)"; do
    [ ! -d "$place/openssl" ] || cp -RL "$place/openssl" "$folder/"
done
for name in zlib.h zconf.h; do
    cp "$(find_header "$name")/$name" "$folder/"
done
flatc --cpp --cpp-std c++17 --scoped-enums -o "$folder" core/wire/lockstep.fbs
