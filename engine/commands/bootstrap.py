"""The start of a bundled executable (see `bundle`): it unpacks itself once into the user's cache.

Compiled extensions cannot be imported from a zip file. The folder has a digest of the contents as its name,
so versions do not mix, and is created by one atomic rename, so any number of engines may start at once. The
usual start imports only modules that Python has loaded anyway: it takes 1 ms.
"""

# No pathlib here: it would double the start-up time.

import os


def unpacked(archive: str, digest: str) -> str:
    """The folder with the files of `archive`. It is made at the first start."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    home = f"{cache}/sssnake/{digest}"
    return home if os.path.isdir(home) else unpack(archive, home)


def unpack(archive: str, home: str) -> str:
    """Unpack into `home`, or, if that cannot be written, into a temporary folder of this process."""
    import shutil
    import tempfile
    import zipfile

    partial = None
    if os.path.isabs(home):
        try:
            os.makedirs(os.path.dirname(home), mode=0o700, exist_ok=True)
            partial = tempfile.mkdtemp(dir=os.path.dirname(home))
        except OSError:
            pass
    if partial is None:
        import atexit

        partial = home = tempfile.mkdtemp(prefix="sssnake-")
        atexit.register(shutil.rmtree, home, ignore_errors=True)

    with zipfile.ZipFile(archive) as files:
        files.extractall(partial)
    if partial != home:
        try:
            os.rename(partial, home)
        except OSError:  # another process was quicker
            shutil.rmtree(partial)
    return home
