"""Finding, loading and caching a course."""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.course.cache import recall, store
from autograder.course.errors import CourseError
from autograder.course.load import find_course, load_course
from autograder.course.model import Check, Course, Exercise, Family, Late, Limits, ReadyMade, Stage

from .conftest import COURSE

TERMS = """\
attempts: best
late:
  due: 2026-03-02T18:00+01:00
  grace_minutes: 15
  penalty_per_day: 10
  cap: 50
  extensions: {ada: 2026-03-09T18:00+01:00}
ready_made: {policy: flag, names: [Transformer, flex_attention]}
"""


def test_nearest_course_upwards(root: Path) -> None:
    """From deep inside a course, its folder is found."""
    (root / "exercises" / "deep").mkdir(parents=True)
    assert find_course(root / "exercises" / "deep") == root


def test_no_course_upwards(tmp_path: Path) -> None:
    """Outside of any course the message says what to do."""
    with pytest.raises(CourseError) as caught:
        find_course(tmp_path)
    assert str(caught.value) == (
        f"There is no course.yaml in {tmp_path} or above it. Go to the folder of the course with 'cd', or lay one out "
        "with `headcount init NEW_FOLDER`."
    )


def test_every_field(course: Course, root: Path) -> None:
    """The model holds what the file says, and defaults for the rest."""
    mask = Exercise(
        id="a1_mask", title="Who may look where", stage="A", kind="code", library="numpy", defines=("mask",),
        points=3.0, minutes=5, lesson="Write the mask.", hints=("where", "the idea", "the line"),
        checks=(Check("values", 2.0, "the mask is right"), Check("corners", 1.0, "one token works", ("values",))),
    )  # fmt: skip
    look = Exercise(
        id="b1_look", title="What a head sees", stage="B", kind="quiz", points=2.5, minutes=4, needs=("a1_mask",),
        seeds={"S1": [7, 19]}, lesson="Read the split.", hints=("look", "the thought", "the row"),
        checks=(Check("look", 2.5, "the split is read"),),
    )  # fmt: skip
    assert course == Course(
        root=root,
        title="Tiny course",
        stages=(Stage("A", "See a head"), Stage("B", "Split")),
        families=(
            Family("mask", "The mask hides the wrong tokens.", ("mask-inverted", "mask-missing")),
            Family("layout", "The axes are in the wrong order.", ("split-view", "split-order")),
        ),
        exercises=(mask, look),
        limits=Limits(),
        attempts="last",
        late=None,
        ready_made=ReadyMade("allow", ()),
        sha256=sha256(COURSE.encode()).hexdigest(),
    )


def test_options(root: Path) -> None:
    """Limits, bonus and attempts are read; an exercise changes only the limits it names."""
    text = COURSE + "    bonus: true\n    limits: {wall_seconds: 90}\n"
    (root / "course.yaml").write_text("attempts: best\nlimits: {memory_mb: 1024}\n" + text)
    course = load_course(root)
    assert course.attempts == "best"
    assert course.exercise("b1_look").bonus
    assert course.limits_of(course.exercise("a1_mask")) == Limits(memory_mb=1024)
    assert course.limits_of(course.exercise("b1_look")) == Limits(memory_mb=1024, wall_seconds=90.0)


@pytest.mark.parametrize("quote", ["", "'", '"'])
@pytest.mark.parametrize("due", ["2026-03-02T18:00+01:00", "2026-03-02T18:00:30+01:00", "2026-03-02T18:00:00Z"])
def test_times_stay_as_written(root: Path, due: str, quote: str) -> None:
    """A time is the text in the file, quoted or not, also where YAML would see a timestamp and move it to UTC."""
    extended = due.replace("03-02", "03-09")
    head = f"late:\n  due: {quote}{due}{quote}\n  extensions: {{ada: {quote}{extended}{quote}}}\n"
    (root / "course.yaml").write_text(head + COURSE + f"    due: {quote}{due}{quote}\n")
    course = load_course(root)
    assert course.late == Late(due, extensions={"ada": extended})
    assert course.exercise("b1_look").due == due


def test_every_term_of_handing_in(root: Path) -> None:
    """Lateness and ready-made names are read with all their options, and so is what an exercise changes."""
    (root / "course.yaml").write_text(TERMS + COURSE + "    due: 2026-04-01T12:00Z\n    ready_made: forbid\n")
    course = load_course(root)
    assert course.late == Late("2026-03-02T18:00+01:00", 15, 10.0, 50.0, {"ada": "2026-03-09T18:00+01:00"})
    assert course.ready_made == ReadyMade("flag", ("Transformer", "flex_attention"))
    exercise = course.exercise("b1_look")
    assert (exercise.due, exercise.ready_made) == ("2026-04-01T12:00Z", "forbid")


def test_terms_have_defaults(root: Path) -> None:
    """A due time alone costs nothing, and names alone are allowed."""
    (root / "course.yaml").write_text("late: {due: 2026-03-02T18:00Z}\nready_made: {names: [argmax]}\n" + COURSE)
    course = load_course(root)
    assert course.late == Late("2026-03-02T18:00Z", 0, 0.0, 100.0, {})
    assert course.ready_made == ReadyMade("allow", ("argmax",))


@pytest.mark.parametrize(
    "text", [COURSE, COURSE + "    limits: {wall_seconds: 90}\n", TERMS + COURSE + "    ready_made: allow\n"]
)
def test_cached_course_is_the_same(root: Path, text: str) -> None:
    """The second load, from the cache, equals the first in every field and type."""
    (root / "course.yaml").write_text(text)
    first = load_course(root)
    assert recall(_cached(first)) is not None
    assert repr(load_course(root)) == repr(first)


def test_cached_course_follows_its_folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A copy of the file in another folder has its own root although the cache is shared."""
    load_course(root)
    other = tmp_path_factory.mktemp("other")
    (other / "course.yaml").write_text(COURSE)
    assert load_course(other).root == other


def test_cache_of_an_older_model_is_ignored(root: Path) -> None:
    """A course that was kept before it had terms of handing in is read again."""
    first = load_course(root)
    kept = json.loads(recall(_cached(first)) or b"")
    old = {key: value for key, value in kept.items() if key not in ("attempts", "late")} | {"ready_made": "flag"}
    store(_cached(first), json.dumps(old).encode())
    assert repr(load_course(root)) == repr(first)


@pytest.mark.parametrize("content", [b"[]", b"{}", b"{", b'{"title": "x", "families": 3}'])
def test_useless_cache_is_ignored(root: Path, content: bytes) -> None:
    """A cache entry that is no course is read over, and replaced."""
    first = load_course(root)
    store(_cached(first), content)
    assert load_course(root) == first
    kept = recall(_cached(first))
    assert kept is not None
    assert json.loads(kept)["title"] == "Tiny course"


def test_a_broken_course_is_not_cached(root: Path, own_cache: Path) -> None:
    """Only courses that passed every rule are kept."""
    (root / "course.yaml").write_text("title: x\n")
    with pytest.raises(CourseError):
        load_course(root)
    assert not own_cache.exists() or not list(own_cache.iterdir())


def test_cached_load_is_light(root: Path) -> None:
    """On a cache hit neither the YAML reader nor pydantic nor NumPy is imported."""
    load_course(root)
    code = (
        "import sys; from pathlib import Path; from autograder.course.load import load_course;"
        "load_course(Path()); print(sorted({'ruamel', 'pydantic', 'numpy', 'torch', 'difflib'} & sys.modules.keys()))"
    )
    package = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(package)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_windows_line_ends_and_byte_order_mark(root: Path) -> None:
    """A file saved by a Windows editor is read like any other."""
    (root / "course.yaml").write_bytes(b"\xef\xbb\xbf" + COURSE.replace("\n", "\r\n").encode())
    assert load_course(root).title == "Tiny course"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "course.yaml: the file is empty; a course starts with 'title: ...'"),
        (b"# only a comment\n", "course.yaml: the file is empty; a course starts with 'title: ...'"),
        (b"- a\n- b\n", "course.yaml:1:1: 'title: ...' and other keys belong at the top, but there is a list"),
        (b"hello\n", "course.yaml:1:1: 'title: ...' and other keys belong at the top, but there is only text"),
        (b"title: x\nlesson: caf\xe9\n", "course.yaml:2: is not UTF-8 text; save the file with that encoding"),
        (b"#" * 1_000_001, "course.yaml: is larger than 1 MB, so it cannot be a course file"),
        (b"a: " + b"[" * 5000, "course.yaml: lists and mappings are nested too deeply"),
        (b"a: 1\nb: \x01\n", "course.yaml:2:4: a character that no text file should have (code 1)"),
        (
            b"title: a: b\n",
            "course.yaml:1:9: this is not valid YAML: mapping values are not allowed here"
            " (text that contains ': ' needs quotes)",
        ),
        (
            b"title:\n\t- x\n",
            "course.yaml:2:1: this is not valid YAML: while scanning for the next token,"
            r" found character '\t' that cannot start any token"
            " (indent with spaces, not with tabs)",
        ),
        (
            b"title: @x\n",
            "course.yaml:1:8: this is not valid YAML: while scanning for the next token,"
            " found character '@' that cannot start any token"
            " (text that starts with a special character needs quotes)",
        ),
        (
            b"title: *x*\n",
            "course.yaml:1:8: this is not valid YAML: found undefined alias 'x*'"
            " (text that starts with '*' needs quotes)",
        ),
        (
            b"stages: [A\ntitle: x\n",
            "course.yaml:2:6: this is not valid YAML: while parsing a flow sequence, expected ',' or ']', but got ':'"
            " (a bracket is missing its partner)",
        ),
        (
            b"a: 1\n---\nb: 2\n",
            "course.yaml:2:1: this is not valid YAML: expected a single document in the stream,"
            " but found another document",
        ),
        (
            b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
            "course.yaml:1:4: write it out: anchors and aliases (&a) are not used in a course\n"
            "course.yaml:2:4: write it out: anchors and aliases (&b) are not used in a course",
        ),
        (b"a: &a [*a]\n", "course.yaml:1:4: write it out: anchors and aliases (&a) are not used in a course"),
        (b"a: !!python/name:os.system x\n", "course.yaml:1:4: tags (!!python/name:os.system) are not used in a course"),
        (
            b'a: "\\ud800"\n',
            r"course.yaml:1:4: this text holds half of a character (an escape from \ud800 to \udfff)",
        ),
        (b"a: !mine [x]\n", "course.yaml:1:4: tags (!mine) are not used in a course"),
    ],
)
def test_files_that_are_no_course(root: Path, content: bytes, message: str) -> None:
    """Whatever the file is instead of a course is said in one line with its place."""
    (root / "course.yaml").write_bytes(content)
    with pytest.raises(CourseError) as caught:
        load_course(root)
    assert str(caught.value) == message


def test_missing_file(tmp_path: Path) -> None:
    """A folder without course.yaml is named."""
    with pytest.raises(CourseError) as caught:
        load_course(tmp_path)
    assert str(caught.value) == f"{tmp_path}/course.yaml: there is no such file"


def test_unreadable_file(root: Path) -> None:
    """What the system says about a file that cannot be read is passed on."""
    (root / "course.yaml").unlink()
    (root / "course.yaml").mkdir()
    with pytest.raises(CourseError) as caught:
        load_course(root)
    assert str(caught.value) == "course.yaml: cannot be read (Is a directory)"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    start=st.integers(0, len(COURSE)),
    length=st.integers(0, 40),
    new=st.one_of(st.text(max_size=8), st.sampled_from([": ", "[", "{", "- ", "x: 1", "null", "\n", "3", "&a ", "*a"])),
)
def test_any_damage_is_a_course_error(root: Path, start: int, length: int, new: str) -> None:
    """Whatever is typed into a course, it loads or is refused with places; nothing else is raised."""
    damaged = COURSE[:start] + new + COURSE[start + length :]
    (root / "course.yaml").write_bytes(damaged.encode("utf-8", "surrogatepass"))
    try:
        load_course(root)
    except CourseError as error:
        assert all(line.startswith("course.yaml:") and "\n" not in line for line in error.problems)  # noqa: PT017


def _cached(course: Course) -> str:
    from autograder import __version__

    return f"course-{__version__}-{course.sha256}.json"
