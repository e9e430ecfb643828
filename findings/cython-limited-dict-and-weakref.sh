#!/bin/sh
# Cython 3.3.1, limited API of Python 3.11: a class that takes both new attributes (`__dict__`) and weak references (`__weakref__`) is
# compiled without a warning and cannot be imported by any Python. Either one alone works, and so do both without the limited API.
# Guess before the run: a weak reference to such an object works.
# Seen: KeyError '__dictoffset__' in 3.11; from 3.12 on SystemError "Multiple Py_tp_members slots are not supported". Needs gcc and Python's
# headers, 3.11 or newer.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
python3 -m venv env && env/bin/pip install -q --disable-pip-version-check cython==3.3.1 2>/dev/null
include=$(env/bin/python -c 'import sysconfig; print(sysconfig.get_path("include"))')
printf 'cdef class A:\n    cdef object __weakref__\n' >weak.pyx
printf 'cdef class A:\n    cdef dict __dict__\n' >new.pyx
printf 'cdef class A:\n    cdef dict __dict__\n    cdef object __weakref__\n' >both.pyx
build() { env/bin/cython -3 "$2.pyx" -o "$1/$2.c" && gcc -w -shared -fPIC $3 "-I$include" "$1/$2.c" -o "$1/$2.so"; }
mkdir limited full
for name in weak new both; do build limited $name -DPy_LIMITED_API=0x030B0000; done
build full both ""
ask() { PYTHONPATH="$1" env/bin/python -c "import weakref, $2 as module; weakref.ref(module.A()) if '$2' != 'new' else setattr(module.A(), 'x', 1)" 2>&1 | tail -1; }
test -z "$(ask limited weak)$(ask limited new)$(ask full both)"
ask limited both | grep -q -e "KeyError: '__dictoffset__'" -e "Multiple Py_tp_members slots are not supported"
