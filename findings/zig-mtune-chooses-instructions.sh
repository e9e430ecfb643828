#!/bin/sh
# zig 0.17.1 (PyPI's ziglang), as a C compiler: `-mtune=` is another spelling of `-march=`, and the last of the two wins. With gcc and
# clang it only orders instructions that every processor has. A module built with `-march=x86_64 -mtune=haswell` needs AVX2.
# Guess before the run: -mtune=generic is accepted, and -mtune changes no instruction set, as with gcc.
# Seen: `-march=x86_64 -mtune=haswell` defines __AVX2__, in the other order it does not; `-mtune=generic` is an error. gcc defines it in none.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
python3 -m venv env && env/bin/pip install -q --disable-pip-version-check ziglang==0.17.1 2>/dev/null
export ZIG_GLOBAL_CACHE_DIR="$work/cache" ZIG_LOCAL_CACHE_DIR="$work/cache"
zig() { env/bin/python -m ziglang cc -target x86_64-linux-gnu -c ask.c -o ask.o "$@" 2>error; }
cat >ask.c <<'C'
#ifndef __AVX2__
#error every processor
#endif
C
zig -march=x86_64 -mtune=haswell
! zig -mtune=haswell -march=x86_64 && grep -q "every processor" error
! zig -march=x86_64 && grep -q "every processor" error
! zig -march=x86_64 -mtune=generic && grep -q "unknown target CPU 'generic'" error
if command -v gcc >/dev/null && [ "$(uname -m)" = x86_64 ]; then ! gcc -march=x86-64 -mtune=haswell -c ask.c 2>/dev/null; fi
