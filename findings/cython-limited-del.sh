#!/bin/sh
# Cython 3.3.1, limited API below Python 3.15: `__del__` of an extension class is compiled and never called when the object goes, neither by
# its last reference nor by the collector of cycles. There is no error. Without the limited API both call it.
# `__dealloc__` is no replacement: when it runs, the collector may have freed what the object refers to.
# Guess before the run: it is called, as the stable ABI has had Py_tp_finalize since 3.5. (PyO3 refuses to compile the like.)
# Seen: "full: last reference, cycle", "limited: " and nothing. Needs gcc and Python's headers, 3.11 or newer.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
python3 -m venv env && env/bin/pip install -q --disable-pip-version-check cython==3.3.1 2>/dev/null
include=$(env/bin/python -c 'import sysconfig; print(sysconfig.get_path("include"))')
cat >lost.pyx <<'END'
cdef class Noted:
    cdef public object me, log, word
    def __del__(self):
        self.log.append(self.word)
END
cat >ask.py <<'END'
import gc
import lost

log = []
noted = lost.Noted()
noted.log, noted.word = log, "last reference"
del noted
noted = lost.Noted()
noted.log, noted.word, noted.me = log, "cycle", noted
del noted
gc.collect()
print(", ".join(log))
END
env/bin/cython -3 lost.pyx
mkdir full limited
gcc -w -shared -fPIC "-I$include" lost.c -o full/lost.so
gcc -w -shared -fPIC -DPy_LIMITED_API=0x030B0000 "-I$include" lost.c -o limited/lost.so
seen() { PYTHONPATH="$1" env/bin/python ask.py; }
test "$(seen full)" = "last reference, cycle"
test "$(seen limited)" = ""
