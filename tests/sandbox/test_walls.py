"""The walls hold: what a hostile submission tries at each level of isolation, and how a level is chosen."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.sandbox import child, launch, paths, seccomp, syscalls
from autograder.sandbox.isolation import FULL, GOOD, LIMITED, NONE
from autograder.sandbox.launch import Zygote
from tests.sandbox.conftest import Ask
from tests.sandbox.hostile import HOSTILE, before

LEVELS = {FULL: "full", GOOD: "good", LIMITED: "limited"}
ORDINARY = 1000


@pytest.fixture(scope="module", params=LEVELS, ids=LEVELS.values())
def zygote(request: pytest.FixtureRequest) -> Iterator[Zygote]:
    """A zygote at each level this machine gives."""
    with Zygote(1, ["numpy"], highest=request.param) as zygote:
        if zygote.isolation.level < request.param:
            pytest.skip("; ".join(zygote.isolation.reasons))
        yield zygote


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A file that anybody may read, in a folder where anybody may write."""
    tmp_path.chmod(0o777)
    file = tmp_path / "canary"
    file.write_text("not for workers")
    file.chmod(0o666)
    return file


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_submission_gets_nowhere(zygote: Zygote, canary: Path, ask: Ask, what: str) -> None:
    """Nothing that a hostile submission tries succeeds, at any level with walls."""
    seen, printed = ask(zygote, HOSTILE[what] + "return done", before=before(zygote, canary))
    assert (seen.outcome, seen.raised, printed) == ("returned", None, "")
    assert seen.parts == {"result": []}
    assert [path.name for path in canary.parent.iterdir()] == ["canary"]
    assert canary.read_text() == "not for workers"


def test_files_are_out_of_sight(zygote: Zygote, canary: Path, ask: Ask) -> None:
    """At the highest level a worker cannot even tell whether a file exists."""
    if zygote.isolation.level < FULL:
        pytest.skip("below it, names can be probed, contents cannot")
    seen, _ = ask(zygote, f"import os\nreturn [os.path.exists(p) for p in ({str(canary)!r}, {paths.__file__!r})]")
    assert seen.parts == {"result": [False, False]}


def test_the_engine_cannot_be_imported(zygote: Zygote, ask: Ask) -> None:
    """The engine's modules are neither loaded nor found, so a submission cannot look for answers in them."""
    seen, _ = ask(
        zygote, "import sys\nfound = [m for m in sys.modules if 'autograder' in m]\nimport autograder\nreturn found"
    )
    assert seen.outcome == "raised"
    assert seen.raised
    assert seen.raised.type in ("ModuleNotFoundError", "PermissionError")
    seen, _ = ask(zygote, "import sys\nreturn [name for name in sys.modules if 'autograder' in name]")
    assert seen.parts == {"result": []}


def test_an_installed_engine_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the engine lies among the packages, its neighbours can be read and it cannot."""
    packages = tmp_path / "site-packages"
    for name in ("autograder/sandbox", "numpy"):
        (packages / name).mkdir(parents=True)
    (packages / "six.py").touch()
    monkeypatch.setattr(paths, "_ENGINE", packages / "autograder")
    monkeypatch.setattr(sys, "path", [*sys.path, str(packages)])
    readable = paths.readable()
    assert {str(packages / "numpy"), str(packages / "six.py")} <= set(readable)
    assert not any("autograder" in path or path == str(packages) for path in readable)


def test_late_imports_work_where_files_can_be_read(zygote: Zygote, ask: Ask) -> None:
    """A module of the standard library that nobody loaded yet can be imported at the two highest levels."""
    seen, _ = ask(zygote, "import sys\nassert 'wave' not in sys.modules\nimport wave\nreturn wave.WAVE_FORMAT_PCM")
    assert seen.outcome == ("returned" if zygote.isolation.level >= GOOD else "raised")


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_torch_imports_late_what_it_wants(level: int, ask: Ask) -> None:
    """Torch finds its own modules in a worker, and computes gradients there, also of what is no single number.

    Where no file can be opened, only what it needs for gradients is there.
    """
    pytest.importorskip("torch")
    with Zygote(1, ["numpy", "torch"], highest=level) as zygote:
        if zygote.isolation.level < level:
            pytest.skip("; ".join(zygote.isolation.reasons))
        body = """
            x = torch.ones(3, requires_grad=True)
            (x * x).backward(torch.ones(3))
            if anything:
                from torch.utils import cpp_backtrace
            return x.grad
        """
        seen, printed = ask(zygote, body, before=f"import torch\nanything = {level >= GOOD}")
        assert (seen.outcome, seen.raised, printed) == ("returned", None, "")


def test_foreign_system_calls_kill(zygote: Zygote, ask: Ask) -> None:
    """A call numbering that the filter does not know ends the worker at once."""
    if os.uname().machine != "x86_64":
        pytest.skip("only x86_64 has a second numbering")
    body = "import ctypes\nreturn ctypes.CDLL(None).syscall(0x40000000 | 39)"
    seen, _ = ask(zygote, body)
    assert (seen.outcome, seen.detail) == ("crashed", "SIGSYS")


def test_unknown_system_calls_are_not_there(zygote: Zygote, ask: Ask) -> None:
    """A call newer than the filter is answered as missing, so that the C library falls back."""
    body = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nreturn [libc.syscall(900), ctypes.get_errno()]"
    seen, _ = ask(zygote, body)
    assert seen.parts == {"result": [-1, errno.ENOSYS]}


def test_without_walls_the_hostile_get_somewhere(canary: Path, ask: Ask) -> None:
    """The attempts are real: without walls the same code reads a file and opens a socket."""
    with Zygote(1, [], highest=NONE) as zygote:
        assert zygote.isolation.level == NONE
        for what in ("read other files", "use the network"):
            seen, _ = ask(zygote, HOSTILE[what] + "return len(done)", before=before(zygote, canary))
            assert seen.outcome == "returned"
            assert seen.parts != {"result": 0}


BROKEN = {
    "namespaces are refused": ("namespaces.enter = refuse", GOOD, "not full: PermissionError"),
    "namespaces and landlock are refused": (
        "namespaces.enter = landlock.version = refuse", LIMITED, "not good: PermissionError",
    ),
    "the filter is refused": ("seccomp.install = refuse", NONE, "not good, with limits: OSError: PermissionError"),
    "the filter does nothing": ("seccomp.install = ignore", NONE, "open a socket"),
    "the view shows everything": (
        "namespaces._build_view = ignore; landlock.restrict = ignore", LIMITED, "see a file of yours",
    ),
    "landlock does nothing": (
        "namespaces.enter = refuse; landlock.restrict = ignore", LIMITED, "read a file of yours",
    ),
    "the machine is unknown": ("syscalls.MACHINES.clear()", NONE, "are not known here"),
}  # fmt: skip


def started_with(change: str) -> str:
    """The program a zygote is started with, with something in it broken."""
    helpers = """
        from autograder.sandbox import landlock, namespaces, seccomp, syscalls, zygote

        def refuse(*arguments):
            raise PermissionError(1, "refused")

        def ignore(*arguments):
            pass
    """
    return launch.START.replace("main()", f"{textwrap.dedent(helpers)}\n{change}\nmain()")


@pytest.mark.parametrize("what", BROKEN)
def test_a_level_that_does_not_hold_is_not_used(what: str, monkeypatch: pytest.MonkeyPatch, ask: Ask) -> None:
    """Where a wall is missing or does nothing, a lower level is used, and the reason given."""
    change, most, reason = BROKEN[what]
    monkeypatch.setattr(launch, "START", started_with(change))
    with Zygote(1, []) as zygote:
        assert zygote.isolation.level <= most
        if zygote.isolation.level == most:
            assert any(reason in given for given in zygote.isolation.reasons), zygote.isolation.reasons
        seen, _ = ask(zygote, "return n + 1")
        assert seen.parts == {"result": 2}


def test_a_lower_level_can_be_asked_for() -> None:
    """No level above the one asked for is tried, and no reason is given for that."""
    with Zygote(1, [], highest=NONE) as zygote:
        assert zygote.isolation.level == NONE
        assert not any(reason.startswith("not ") for reason in zygote.isolation.reasons)


def test_a_missing_library_is_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """When no level can load the libraries, the error says what is missing."""
    broken = "zygote._load_libraries = lambda *arguments: __import__('no_such_library')"
    monkeypatch.setattr(launch, "START", started_with(broken))
    with pytest.raises(child.SandboxError, match="no_such_library"), Zygote(1, []):
        pass


def test_nothing_is_left_behind() -> None:
    """When a zygote has ended, so have its workers, and no folder or control group of its own remains."""
    with Zygote(1, []) as zygote:
        pid = zygote._process.pid
    assert not list(Path(tempfile.gettempdir()).glob(f"headcount-canary-{pid}-*"))
    assert not list(Path("/sys/fs/cgroup").glob(f"*/headcount-{pid}"))


def test_what_to_load_can_be_said_later(ask: Ask) -> None:
    """A zygote may start before it is known what it has to load."""
    zygote = Zygote(1, None)
    zygote.load(["numpy"])
    with zygote:
        seen, _ = ask(zygote, "import sys\nreturn 'numpy' in sys.modules")
        assert seen.parts == {"result": True}


def test_a_zygote_that_nobody_wants_ends() -> None:
    """One that is never told what to load ends in peace when its grader hangs up, and leaves nothing behind."""
    zygote = Zygote(1, None)
    zygote.close()
    pid = zygote._process.pid
    assert zygote._process.returncode == 0
    assert not list(Path(tempfile.gettempdir()).glob(f"headcount-canary-{pid}-*"))
    assert not list(Path("/sys/fs/cgroup").glob(f"*/headcount-{pid}"))


@pytest.mark.parametrize("name", syscalls.MACHINES)
def test_the_filter_fits_every_machine(name: str) -> None:
    """A filter can be written for each machine in the table, and none of its jumps leaves it."""
    for files in (True, False):
        program = seccomp.program(syscalls.MACHINES[name], files=files)
        steps = [program[i : i + 8] for i in range(0, len(program), 8)]
        assert len(steps) < 4096
        for place, step in enumerate(steps):
            if step[0] != 0x06 and step[0] != 0x20:
                assert place + 1 + max(step[2], step[3]) < len(steps)


@pytest.mark.parametrize(
    ("machine", "header"),
    [("x86_64", "x86_64-linux-gnu/asm/unistd_64.h"), ("aarch64", "asm-generic/unistd.h")],
    ids=["x86_64", "aarch64"],
)
def test_numbers_are_the_kernels(machine: str, header: str) -> None:
    """The table of system calls says what the kernel's headers say."""
    path = Path("/usr/include", header)
    if not path.exists():
        pytest.skip(f"{path} is not installed")
    words = [line.split()[:3] for line in path.read_text().splitlines() if line.startswith("#define __NR")]
    official = {
        w[1].removeprefix("__NR3264_").removeprefix("__NR_"): int(w[2]) for w in words if len(w) == 3 and w[2].isdigit()
    }
    official.setdefault("newfstatat", official.get("fstatat", -1))
    ours = syscalls.MACHINES[machine].numbers
    assert ours == {call: official[call] for call in ours}


@pytest.mark.slow
def test_the_same_holds_for_an_ordinary_user() -> None:
    """As root, run this file's hostile submissions once more as an ordinary user."""
    if os.getuid() != 0:
        pytest.skip("this run is an ordinary user's already")
    setpriv = shutil.which("setpriv")
    if not setpriv:
        pytest.skip("setpriv is not installed")
    become = [setpriv, f"--reuid={ORDINARY}", f"--regid={ORDINARY}", "--clear-groups"]
    library = [sysconfig.get_paths()["stdlib"], str(Path(__file__).parent)]
    reach = subprocess.run([*become, "ls", *library], capture_output=True, check=False)
    if reach.returncode != 0:
        pytest.skip("an ordinary user cannot reach this interpreter or these tests")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", "hostile or holds or imports", __file__]
    again = subprocess.run([*become, *command], capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stdout[-4000:]
