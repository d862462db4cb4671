#!/usr/bin/env bash
# Removes what clang's OpenMP left in /dev/shm for processes that are gone. A process that may not write files leaves an
# empty one behind, and the next process that gets its number crashes on it before main.
#
#   tests/sweep.sh
for file in /dev/shm/__KMP_REGISTERED_LIB_*_"$(id -u)"; do
    process=${file##*LIB_}
    [ -e "$file" ] && ! kill -0 "${process%_*}" 2>/dev/null && rm -f "$file"
done
exit 0
