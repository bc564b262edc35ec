"""The worker that a check leaves behind: who may ask it, when it ends, and that nothing depends on it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.course.load import load_course
from autograder.learn import background
from autograder.learn.meeting import meeting_place, receive, send
from autograder.learn.version import version
from tests.conftest import ROOT, Run
from tests.learn.conftest import RIGHT, WRONG, answer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no worker stays behind")
#: A check that says at its end whether it has loaded NumPy itself.
WATCHED = """
import atexit, sys
from autograder.cli import cli
atexit.register(lambda: print("numpy" in sys.modules, file=sys.stderr))
cli(["check"], standalone_mode=False)
"""


def connected(place: Path) -> socket.socket | None:
    """A connection to the worker that listens there."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(str(place))
    except OSError:
        connection.close()
        return None
    return connection


def listening(place: Path) -> int:
    """The process that listens there; 0 where none does."""
    connection = connected(place)
    if connection is None:
        return 0
    with connection:
        pid, _, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return int(pid)


def started(place: Path) -> list[int]:
    """The processes that were started to listen there."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if str(place.parent).encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def until(found: Callable[[], int]) -> int:
    """What is found at last; a worker takes a moment to start."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if pid := found():
            return pid
        select.select([], [], [], 0.02)
    raise AssertionError("nothing came")


def gone(pid: int) -> bool:
    """Whether a process ends by itself."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    with contextlib.closing(os.fdopen(handle)):
        return bool(select.select([handle], [], [], 60)[0])


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where a worker of this test would listen; it is ended afterwards, with its zygote."""
    runtime = Path(tempfile.mkdtemp(prefix="hc"))  # short: the name of a socket may have 107 letters
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.setenv("TMPDIR", str(runtime))
    monkeypatch.setenv("HEADCOUNT_BACKGROUND", "120")
    place = runtime / "headcount" / "check"
    yield place
    for pid in started(place):  # one that is still starting too
        os.kill(pid, signal.SIGTERM)
        assert gone(pid)
    shutil.rmtree(runtime)
    assert not started(place)


@pytest.fixture
def worker(place: Path, kitchen: Path, headcount: Run) -> int:
    """The worker that a first check left behind."""
    answer(kitchen, WRONG)
    headcount("check", cwd=kitchen)
    return until(lambda: listening(place))


def asks_the_worker(course: Path) -> bool:
    """Whether a check leaves the work to a worker, and loads no NumPy itself; on a busy machine not every one does."""
    command = [sys.executable, "-c", WATCHED]
    runs = (subprocess.run(command, cwd=course, capture_output=True, text=True, check=False) for _ in range(5))
    return any(run.stderr.strip() == "False" for run in runs)


def test_the_second_check_is_left_to_it(worker: int, place: Path, kitchen: Path, headcount: Run) -> None:
    """It says the same as a check without it, in every form, and each check is noted once."""
    shown: list[tuple[str, ...]] = [(), ("--plain",), ("--json",)]
    told = [headcount("check", *form, cwd=kitchen) for form in shown]
    assert asks_the_worker(kitchen)
    assert listening(place) == worker
    alone = [headcount("check", "--no-background", *form, cwd=kitchen) for form in shown]
    assert [(run.returncode, run.stdout) for run in told] == [(run.returncode, run.stdout) for run in alone]
    entry = json.loads((kitchen / ".headcount" / "progress.json").read_text())["k1_scale_recipe"]
    assert entry["attempts"] >= 8
    assert len(entry["tries"]) == 1


def test_solving_is_noted(worker: int, kitchen: Path, headcount: Run) -> None:
    """A right answer leads on, and what is next has another library of drivers to run."""
    answer(kitchen, RIGHT)
    run = headcount("check", cwd=kitchen)
    assert run.returncode == 0
    assert "Next: headcount check k2" in run.stdout
    assert "heaviest is not written yet" in headcount("check", cwd=kitchen).stdout


def test_problems_are_told_as_without_it(worker: int, kitchen: Path, headcount: Run) -> None:
    """A course that does not run is one line and status 2."""
    (kitchen / "solutions" / "k1_scale_recipe" / "probes.py").write_text("def shown(\n")
    told, alone = headcount("check", cwd=kitchen), headcount("check", "--no-background", cwd=kitchen)
    assert told.returncode == alone.returncode == 2
    assert told.stderr.split()[1:] == alone.stderr.split()[1:]


def test_its_death_costs_nothing(worker: int, place: Path, kitchen: Path, headcount: Run) -> None:
    """Killed at any moment, the check goes on without it and leaves another one."""
    os.kill(worker, signal.SIGKILL)
    assert gone(worker)
    assert "divide by written_for" in headcount("check", cwd=kitchen).stdout
    assert until(lambda: listening(place)) != worker


def test_the_loss_of_its_zygote_costs_nothing(worker: int, kitchen: Path, headcount: Run) -> None:
    """It starts another one."""
    assert "divide by written_for" in headcount("check", cwd=kitchen).stdout
    (zygote,) = Path(f"/proc/{worker}/task/{worker}/children").read_text().split()
    os.kill(int(zygote), signal.SIGKILL)
    assert asks_the_worker(kitchen)


def test_it_ends_when_nobody_asks(place: Path, kitchen: Path, headcount: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time that HEADCOUNT_BACKGROUND names it is gone, and its zygote with it."""
    monkeypatch.setenv("HEADCOUNT_BACKGROUND", "0.5")
    headcount("check", cwd=kitchen)
    pid = until(lambda: listening(place))
    zygotes = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    assert gone(pid)
    assert all(gone(int(zygote)) for zygote in zygotes)
    assert not place.exists()


@pytest.mark.parametrize("setting", ["0", "off", "-1"])
def test_it_can_be_turned_off(
    place: Path, kitchen: Path, headcount: Run, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    """With HEADCOUNT_BACKGROUND=0 no folder is made and nothing is started."""
    monkeypatch.setenv("HEADCOUNT_BACKGROUND", setting)
    headcount("check", cwd=kitchen)
    assert not place.parent.exists()


def test_the_option_ends_it(worker: int, place: Path, kitchen: Path, headcount: Run) -> None:
    """--no-background also ends the one that is there."""
    headcount("check", "--no-background", cwd=kitchen)
    assert gone(worker)
    assert not listening(place)


def test_never_more_than_one(worker: int, place: Path, kitchen: Path) -> None:
    """A second one leaves at once."""
    course = load_course(kitchen)
    command = [
        sys.executable,
        "-c",
        background.START,
        str(place.parent),
        str(course.root),
        "k1_scale_recipe",
        json.dumps(sys.path),
    ]
    assert subprocess.run(command, timeout=60, check=False).returncode == 0
    assert listening(place) == worker


def test_it_outlives_no_new_engine(place: Path, kitchen: Path, monkeypatch: pytest.MonkeyPatch, headcount: Run) -> None:
    """When the engine has changed it ends, and the check is done by the new one."""
    engine = kitchen.parent / "engine"
    shutil.copytree(ROOT / "autograder", engine / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("PYTHONPATH", str(engine))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    answer(kitchen, WRONG)
    headcount("check", cwd=kitchen)
    old = until(lambda: listening(place))
    assert asks_the_worker(kitchen)
    message = engine / "autograder" / "learn" / "checking.py"
    message.write_text(message.read_text().replace("    return draw_check(", "    return 'NEW' + draw_check("))
    assert headcount("check", cwd=kitchen).stdout.startswith("NEW")
    assert gone(old)


def test_it_outlives_no_new_course(worker: int, kitchen: Path, headcount: Run) -> None:
    """When course.yaml has changed it ends."""
    path = kitchen / "course.yaml"
    path.write_text(path.read_text().replace("Cook for more people", "Cook for everybody"))
    assert "Cook for everybody" in headcount("check", cwd=kitchen).stdout
    assert gone(worker)


def test_what_makes_another_version(tmp_path: Path, kitchen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed library, a course at another place, a setting that workers are started with."""
    packages = tmp_path / "site-packages"
    packages.mkdir()
    monkeypatch.syspath_prepend(packages)
    course = load_course(kitchen)
    known = {version(course)}
    assert version(course) in known
    (packages / "torch-9.9.dist-info").mkdir()
    known.add(version(course))
    known.add(version(load_course(shutil.copytree(kitchen, tmp_path / "elsewhere"))))
    monkeypatch.setenv("HEADCOUNT_HIGHEST_ISOLATION", "2")
    known.add(version(course))
    assert len(known) == 4


def test_nonsense_does_not_end_it(worker: int, place: Path, kitchen: Path) -> None:
    """Whatever a process of the user sends, the next check is answered."""
    for sent in (b"", b"\n", b"[]\n", b'{"size": 99}\nhalf', b"\xff\xfe\n", b'{"size": 0}\n', b'{"size": "\n'):
        connection = connected(place)
        assert connection
        with connection:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1) == b""
    assert listening(place) == worker
    assert asks_the_worker(kitchen)


@pytest.mark.parametrize("said", [b"nonsense\n", b'{"event": "done", "size": 0}\n'])
def test_nonsense_from_a_worker_is_passed_over(place: Path, kitchen: Path, headcount: Run, said: bytes) -> None:
    """A check that gets no answer that makes sense is done without one."""
    answer(kitchen, WRONG)
    place.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener, open(place.parent / "lock", "ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        listener.bind(str(place))
        listener.listen()
        program = [sys.executable, "-m", "autograder", "check"]
        with subprocess.Popen(program, cwd=kitchen, stdout=subprocess.PIPE, text=True) as run:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(said)
                connection.shutdown(socket.SHUT_WR)
                assert run.stdout
                assert "divide by written_for" in run.stdout.read()


def test_a_folder_that_others_may_enter_is_not_used(
    place: Path, kitchen: Path, headcount: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is a link to one."""
    place.parent.mkdir(mode=0o755)
    (place.parent.parent / f"headcount-{os.geteuid()}").symlink_to(place.parent)
    monkeypatch.setattr(tempfile, "tempdir", None)  # found anew, by TMPDIR
    assert meeting_place() is None
    assert headcount("check", cwd=kitchen).returncode == 1
    assert not any(place.parent.iterdir())


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root can become somebody else")
def test_another_user_is_not_heard(worker: int, place: Path, kitchen: Path) -> None:
    """The folder keeps others out; and were it open, the worker would hang up."""
    program = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(30);"
    program += "s.sendall(b'{\"size\": 0, \"version\": \"x\"}\\n'); print('heard' if s.recv(1) else 'hung up')"
    somebody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    command = [
        *somebody,
        shutil.which("python3", path="/usr/bin:/usr/local/bin") or sys.executable,
        "-c",
        program,
        place,
    ]

    def try_it() -> tuple[int, str, str]:
        run = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
        return run.returncode, run.stdout, run.stderr.strip().rpartition("\n")[2]

    code, _, why = try_it()
    assert (code, why.partition(":")[0]) == (1, "PermissionError")
    for opened in (place.parent.parent, place.parent, place):
        opened.chmod(0o777)
    code, said, _ = try_it()
    assert said != "heard\n"
    place.parent.chmod(0o700)
    connection = connected(place)
    assert connection
    with connection:  # the same words of the user's own process are heard
        send(connection, {"version": "another"})
        assert next(receive(connection))[0]["event"] == "other version"
