"""A bed is a rectangle of earth. Its area says how much it can carry, its seasons say when."""

from autograder.quiz import Choice, Number, Numbers, OneOf, Ordering, Shape, SomeOf, Wrong


def tool():
    return OneOf(
        "What turns the earth?",
        (
            Choice("a sieve", "A sieve sorts the earth, it does not turn it."),
            Choice("a spade", "A spade turns it.", right=True),
            Choice("a hose", "A hose brings water."),
        ),
    )


def roots():
    return SomeOf(
        "Which of these are roots?",
        (
            Choice("carrot", "A carrot is a root.", right=True),
            Choice("spinach", "Spinach is a leaf."),
            Choice("beetroot", "So is a beetroot.", right=True),
            Choice("lettuce", "Lettuce is a leaf."),
        ),
    )


def area(rng):
    length, width = (int(side) for side in rng.integers(3, 20, 2))
    width += width == length or (length, width) == (3, 6)
    return Number(
        ask=f"How many square metres has a bed of {length} by {width} metres?",
        answer=length * width,
        says="Length times width.",
        wrong=(
            Wrong(length + width, "You added the sides; their product is the area.", "area-sides-added"),
            Wrong(max(length, width), "That is one side only.", "area-is-length"),
        ),
        otherwise="Draw the bed on squared paper and count the squares.",
    )


def rows(rng):
    first, step = int(rng.integers(1, 30)), int(rng.integers(2, 9))
    return Numbers(
        ask=f"The first row is {first} cm from the path, and each following one {step} cm more. Where are rows 1 to 3?",
        answer=[first, first + step, first + 2 * step],
        says="Each row is one step further.",
        wrong=(Wrong([first, step, step], "Those are the steps, not the places."),),
        otherwise="Start at the path and add one step a row.",
    )


def water():
    return Shape(
        ask="A tray has rows (r) of pots (p) with seeds (s) in them. What are its axes, from the outside in?",
        answer=("r", "p", "s"),
        says="From the outside in.",
        wrong=(Wrong(("s", "p", "r"), "That is from the inside out."),),
        otherwise="Every axis is there once.",
        names={"r": ("rows",), "p": ("pots",), "s": ("seeds",)},
    )


def seasons():
    return Ordering(
        ask="What comes first?",
        answer=("dig", "sow", "water", "harvest"),
        says="That is the year of a bed.",
        wrong=(Wrong(("harvest", "water", "sow", "dig"), "You read it from the end.", "season-turned-round"),),
        otherwise="Nothing can be harvested that was not sown.",
    )
