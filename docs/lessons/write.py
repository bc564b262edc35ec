"""Draw the pictures of the lessons and write what is generated in them: `python -m docs.lessons.write`."""

from __future__ import annotations

from pathlib import Path

from autograder.course.load import load_course
from docs.lessons import draw, taught

HERE = Path(__file__).parent
BEGIN, END = "<!-- taught: written by docs.lessons.write -->", "<!-- end of taught -->"


def written() -> dict[Path, str]:
    """The text of every file that is generated, wholly or between marks."""
    readme = HERE / "README.md"
    before, _, rest = readme.read_text("utf-8").partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not closed:
        raise ValueError(f"{readme.name} lacks the marks '{BEGIN}' and '{END}'")
    table = taught.table(load_course(draw.ROOT))
    drawn = {HERE / "pictures" / name: text for name, text in draw.pictures().items()}
    return {readme: f"{before}{BEGIN}\n{table}\n{END}{after}", **drawn}


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, "utf-8")
