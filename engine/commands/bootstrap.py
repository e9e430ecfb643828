"""What a bundled executable (see `bundle`) runs first: unpack once into the user's cache, start from there.

Compiled extensions cannot be imported from inside a zip file, hence the folder. It is named after the
contents, so that versions never mix, and appears by one atomic rename, so that any number of engines may
start at once. Only modules that Python has loaded anyway are imported on the usual path: it costs 1 ms.
"""

# No pathlib here: it would double the start-up time.

import os


def unpacked(archive: str, digest: str) -> str:
    """The folder with the files of `archive`, made when this user first runs these contents."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    home = f"{cache}/sssnake/{digest}"
    return home if os.path.isdir(home) else unpack(archive, home)


def unpack(archive: str, home: str) -> str:
    """Unpack into `home`; where that cannot be written, into a folder for this process alone."""
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
