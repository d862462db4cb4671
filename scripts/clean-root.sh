#!/usr/bin/env bash
# A clean root: a machine with the essential packages of Debian and nothing else, to try packages in.
#
#   scripts/clean-root.sh make FOLDER              unpacks one into a new folder
#   scripts/clean-root.sh run FOLDER COMMAND…      runs a command there as root, with the processes of the root alone
#
# It is of this machine's release, from the mirror that apt uses here, and kept as $BUILD/clean-root.tar. It needs root
# and mmdebstrap; without, the exit status is 77.
set -euo pipefail
if [ "$(id -u)" -ne 0 ] || ! command -v mmdebstrap unshare >/dev/null; then
    echo "clean-root: it needs root, and mmdebstrap (apt-get install mmdebstrap)" >&2
    exit 77
fi

case ${1:-} in
make)
    tar=${BUILD:-build}/clean-root.tar
    if [ ! -e "$tar" ]; then
        mkdir -p "${tar%/*}"
        sources=$(find /etc/apt/sources.list /etc/apt/sources.list.d -name 'debian*.sources' -o -name sources.list \
            -size +0 | head -n 1)
        mmdebstrap --quiet --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$tar.new" "$sources" ||
            exit 77
        mv "$tar.new" "$tar"
    fi
    mkdir "$2"
    tar -C "$2" --numeric-owner -xf "$tar"
    cp -L /etc/resolv.conf "$2/etc/resolv.conf"
    printf '#!/bin/sh\nexit 101\n' >"$2/usr/sbin/policy-rc.d" # packages start no services
    chmod +x "$2/usr/sbin/policy-rc.d"
    ;;
run)
    root=$2
    shift 2
    exec unshare --mount --pid --fork bash -euc 'mount -t proc proc "$0/proc"; exec chroot "$0" env -i \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"' "$root" "$@"
    ;;
*)
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
