"""Wrong ways to scale a recipe."""

from autograder.course import misconception

_right = scale_recipe  # noqa: F821 - the model answer stands before this file


@misconception("ratio-upside-down")
def scale_recipe(amounts, written_for, guests):
    """The ratio is upside down: more guests need more, so multiply by guests and divide by written_for."""
    return _right(amounts, guests, written_for)


@misconception("ratio-forgotten")
def scale_recipe(amounts, written_for, guests):
    """You multiply by the guests, but the amounts are already for several persons: divide by written_for."""
    return amounts * guests


@misconception("ratio-added")
def scale_recipe(amounts, written_for, guests):
    """More persons means a multiple of everything, not the same extra for every ingredient."""
    return amounts + guests - written_for


@misconception("changes-recipe")
def scale_recipe(amounts, written_for, guests):
    """The amounts are right, but the recipe you were given has changed: build a new array instead of using *=."""
    result = _right(amounts, written_for, guests)
    amounts *= guests
    return result
