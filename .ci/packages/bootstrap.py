"""The start of a bundled executable (see `bundle`): it unpacks itself once into the user's cache.

Compiled extensions cannot be imported from a zip file. The folder has a digest of the contents as its name,
so versions do not mix. It is created by one rename, so any number of engines may start at once. Every start
checks that the folder is the user's own and that its files are there; if not, it is unpacked again. Where the
cache cannot be used, a folder in /tmp serves, which goes with the process.

The usual start imports only modules that Python has loaded anyway: it takes 1 ms.
"""

# No pathlib here: it would double the start-up time.

import os
import stat
import sys

MARK = ".complete"  # written last; the process that runs from the folder holds a lock on it
KEPT = 8  # builds that are not running
PARTIAL = "part-"  # begins the name of a folder that is being unpacked; the process id follows
OTHERS = stat.S_IWGRP | stat.S_IWOTH


def unpacked(archive: str, digest: str, members: str) -> str:
    """The folder with the files of `archive`. members: a line "SIZE NAME" for each."""
    cache = cache_folder()
    home = f"{cache}/sssnake/{digest}"
    try:
        if cache and is_trusted(cache) and (is_whole(home, members) or unpack(archive, home, members)):
            hold(home)
            return home
    except OSError:  # full, or not writable
        pass
    return unpack_privately(archive)


def cache_folder() -> str:
    """The user's cache, an absolute path; "" if there is none."""
    wanted = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(wanted):  # to be ignored, says the XDG specification
        wanted = os.path.join(os.environ.get("HOME", os.path.expanduser("~")), ".cache")
    return os.path.realpath(wanted) if os.path.isabs(wanted) else ""


def is_trusted(path: str) -> bool:
    """Whether only this user and root can exchange what lies in a folder, or in one above it."""
    while True:
        try:
            found = os.lstat(path)
            foreign = found.st_uid not in (0, os.geteuid())
            if foreign or (found.st_mode & OTHERS and not found.st_mode & stat.S_ISVTX):
                return False
        except FileNotFoundError:
            pass
        if path == os.path.dirname(path):
            return True
        path = os.path.dirname(path)


def is_own(path: str) -> bool:
    """Whether a path is a folder, no link, that only this user can write to."""
    found = os.lstat(path)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & OTHERS


def is_whole(home: str, members: str) -> bool:
    """Whether a folder holds all files, unchanged as far as their sizes and dates tell."""
    try:
        if not is_own(os.path.dirname(home)) or not is_own(home):
            return False
        unpacked_at = os.lstat(f"{home}/{MARK}").st_mtime_ns
        folders = set()
        for line in members.splitlines():
            size, _, name = line.partition(" ")
            found = os.lstat(f"{home}/{name}")
            if (
                not stat.S_ISREG(found.st_mode)
                or found.st_size != int(size)
                or found.st_mtime_ns > unpacked_at
            ):
                return False
            folders.add(name.rpartition("/")[0])
        return all(stat.S_ISDIR(os.lstat(f"{home}/{folder}").st_mode) for folder in folders)
    except OSError:
        return False


def unpack(archive: str, home: str, members: str) -> bool:
    """Unpack into `home`, which may be damaged. False: it is another's. OSError: the cache cannot be used."""
    import shutil
    import tempfile

    parent = os.path.dirname(home)
    os.makedirs(os.path.dirname(parent), mode=0o700, exist_ok=True)
    try:
        os.mkdir(parent, 0o700)
    except FileExistsError:
        if not is_own(parent):
            return False
    remove_remains(parent)
    partial = tempfile.mkdtemp(prefix=f"{PARTIAL}{os.getpid()}-", dir=parent)
    try:
        extract(archive, f"{partial}/new")
        for _ in range(2):
            try:
                os.rename(f"{partial}/new", home)
                break
            except OSError:  # a damaged one, or another process was quicker
                if is_whole(home, members):
                    break
                os.rename(home, f"{partial}/old")
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    remove_old_builds(parent, home)
    return is_whole(home, members)


def extract(archive: str, folder: str) -> None:
    """Unpack all files, then write the mark."""
    import zipfile

    os.mkdir(folder, 0o700)
    with zipfile.ZipFile(archive) as files:
        files.extractall(folder)
    os.close(os.open(f"{folder}/{MARK}", os.O_CREAT | os.O_WRONLY, 0o600))


def remove_remains(parent: str) -> None:
    """Remove what killed processes have left half unpacked."""
    import shutil

    for name in os.listdir(parent):
        pid = name.removeprefix(PARTIAL).partition("-")[0]
        if name.startswith(PARTIAL) and not (pid.isdecimal() and is_running(int(pid))):
            shutil.rmtree(f"{parent}/{name}", ignore_errors=True)


def is_running(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass
    return True


def remove_old_builds(parent: str, home: str) -> None:
    """Keep this build, those that are running, and the last KEPT of the others."""
    import fcntl
    import shutil

    builds = [f"{parent}/{name}" for name in os.listdir(parent) if not name.startswith(PARTIAL)]
    builds = sorted(
        (path for path in builds if path != home and os.path.lexists(f"{path}/{MARK}")), key=used_at
    )
    for path in builds[: max(0, len(builds) - KEPT)]:
        try:
            mark = os.open(f"{path}/{MARK}", os.O_RDONLY | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)
        except OSError:  # in use
            pass
        finally:
            os.close(mark)


def used_at(home: str) -> float:
    """When a build was last started."""
    try:
        return os.lstat(home).st_mtime
    except OSError:
        return 0.0


def hold(home: str) -> None:
    """Note that the build is in use, as long as this process lives."""
    import fcntl

    try:
        os.utime(home)
        fcntl.flock(os.open(f"{home}/{MARK}", os.O_RDONLY | os.O_NOFOLLOW), fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:  # being removed just now, or a file system without locks
        pass


def unpack_privately(archive: str) -> str:
    """Unpack into a temporary folder of this process. One line, and exit, if that cannot be."""
    import shutil

    reason = "no safe place for temporary files"
    # Not tempfile's functions: a process killed in between would leave what they have made.
    for parent in (os.environ.get("TMPDIR", ""), "/tmp", "/var/tmp"):
        folder = f"{parent}/sssnake-{os.urandom(8).hex()}"
        try:
            if not (os.path.isabs(parent) and is_trusted(os.path.realpath(parent))):
                continue
            remove_later(folder)
            os.mkdir(folder, 0o700)
            extract(archive, f"{folder}/new")
            return f"{folder}/new"
        except OSError as error:
            reason = f"{parent}: {error.strerror}"
            shutil.rmtree(folder, ignore_errors=True)
    print(f"sssnake: cannot be unpacked: {reason}", file=sys.stderr)
    sys.exit(2)


def remove_later(folder: str) -> None:
    """Remove a folder when this process has ended, however it ends: another process waits for that."""
    import shutil

    alive, _held = os.pipe()  # the other end is closed by the end of this process
    middle = os.fork()
    if middle:
        os.close(alive)
        os.waitpid(middle, 0)
        return
    try:
        if os.fork() == 0:
            os.setsid()
            os.closerange(0, alive)
            os.closerange(alive + 1, 256)
            os.read(alive, 1)
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os._exit(0)
