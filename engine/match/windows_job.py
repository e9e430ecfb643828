"""A Windows job: a process and all that it starts, ended together. Elsewhere process groups do this."""

import subprocess
import sys
from typing import Any

KILL_ON_CLOSE = 0x2000  # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE: they end with us too, even if we are killed
EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation


class WindowsJob:
    """Takes a process in, with its descendants from now on. OSError."""

    _system: Any
    _handle: Any  # None: ended

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        if sys.platform != "win32":
            raise OSError("jobs are of Windows")
        import ctypes
        from ctypes import wintypes

        class Limits(ctypes.Structure):  # JOBOBJECT_EXTENDED_LIMIT_INFORMATION
            _fields_ = (
                ("times", wintypes.LARGE_INTEGER * 2),
                ("flags", wintypes.DWORD),
                ("sizes", ctypes.c_size_t * 2),
                ("processes", wintypes.DWORD),
                ("affinity", ctypes.c_size_t),
                ("classes", wintypes.DWORD * 2),
                ("input_output", ctypes.c_uint64 * 6),
                ("memory", ctypes.c_size_t * 4),
            )

        self._system = system = ctypes.WinDLL("kernel32", use_last_error=True)
        system.CreateJobObjectW.restype = wintypes.HANDLE
        handle = wintypes.HANDLE(system.CreateJobObjectW(None, None))
        limits = Limits(flags=KILL_ON_CLOSE)
        if not (
            handle
            and system.SetInformationJobObject(
                handle, EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
            )
            and system.AssignProcessToJobObject(handle, wintypes.HANDLE(int(process._handle)))
        ):
            raise ctypes.WinError(ctypes.get_last_error())
        self._handle = handle

    def end(self) -> None:
        """Kill them all."""
        if self._handle is not None:
            self._system.TerminateJobObject(self._handle, 1)
            self._system.CloseHandle(self._handle)
            self._handle = None
