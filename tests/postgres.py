"""A real PostgreSQL of the tests: started in a temporary folder, reached through a socket there, gone afterward."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def binaries() -> Path | None:
    """The folder of initdb and pg_ctl: on the path, or where Debian has them."""
    result = shutil.which("initdb")
    folders = [Path(result).parent] if result else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


class Server:
    """One server: where its socket is, and how it is stopped."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        # PostgreSQL refuses to run as root.
        self.user = next((n for n in ("postgres", "nobody") if _known(n)), None) if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(folder, self.user)

    def run(self, program: str, *arguments: str) -> None:
        """Run one of its programs as its own user."""
        subprocess.run(
            [str(self.programs / program), *arguments],
            check=True,
            cwd=self.folder,
            user=self.user,
            stdout=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
        )

    def start(self) -> None:
        """Make the cluster and start it."""
        data = str(self.folder / "data")
        self.run("initdb", "-D", data, "-A", "trust", "-U", "tester", "-E", "UTF8", "--no-sync")
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        self.run("pg_ctl", "-D", data, "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        """Stop it at once, as a crash would."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")

    def connect(self):
        """An Ibis connection."""
        import ibis

        return ibis.postgres.connect(host=str(self.folder), user="tester", database="postgres")


def _known(name: str) -> bool:
    try:
        return bool(pwd.getpwnam(name))
    except KeyError:
        return False


@contextmanager
def server(folder: Path) -> Iterator[Server]:
    """A running server in a folder whose path is short enough for a socket."""
    programs = binaries()
    if programs is None:
        pytest.skip("no PostgreSQL here: initdb is neither on the path nor in /usr/lib/postgresql")
    pytest.importorskip("ibis")
    pytest.importorskip("psycopg")
    result = Server(folder, programs)
    result.start()
    try:
        yield result
    finally:
        if (folder / "data" / "postmaster.pid").exists():
            result.stop()
