#!/bin/sh
# packaging/containers/steps.sh build|run: what the Containerfile does, one stage a word, on Debian or a system that has its
# packages. The test of it carries out the same steps in a root file system.
#
#   build  in the source folder: installs what compiles lockstep-rank, compiles it, and leaves it in /opt/lockstep/bin
#   run    installs what lockstep-rank needs to run, and looks whether it starts
set -eu
export DEBIAN_FRONTEND=noninteractive

install() {
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "$@"
    rm -rf /var/lib/apt/lists/*
}

# The packages of the libraries that a program names: they have other names in other releases.
packages_of() {
    objdump -p "$1" | sed -n 's/^ *NEEDED *//p' | while read -r library; do
        path=$(ldd "$1" | sed -n "s|^[[:space:]]*$library => \([^ ]*\) .*|\1|p")
        [ -z "$path" ] || dpkg-query --search "*/$(basename "$(realpath "$path")")" | sed 's/[:,].*//'
    done | sort -u
}

case ${1:-} in
    build)
        # What each is for: resources/docs/dependencies.md.
        install g++ cmake ninja-build libtorch-dev libgloo-dev libopenblas0-pthread libdnnl-dev libflatbuffers-dev \
            flatbuffers-compiler flatbuffers-compiler-dev nlohmann-json3-dev libfmt-dev zlib1g-dev libssl-dev
        cmake --preset rank -DLOCKSTEP_TESTS=OFF
        cmake --build --preset rank --target lockstep-rank
        mkdir -p /opt/lockstep/bin
        cp build/rank/bin/lockstep-rank /opt/lockstep/bin/
        packages_of build/rank/bin/lockstep-rank >/opt/lockstep/packages
        ;;
    run)
        # shellcheck disable=SC2046 # a name a word
        install libopenblas0-pthread $(cat /opt/lockstep/packages)
        ln -sf /opt/lockstep/bin/lockstep-rank /usr/local/bin/lockstep-rank
        lockstep-rank --version
        ;;
    *)
        sed -n '2,6p' "$0" >&2
        exit 2
        ;;
esac
