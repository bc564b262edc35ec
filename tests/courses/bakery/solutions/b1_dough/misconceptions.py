"""Wrong amounts of dough."""

from autograder.course import misconception


@misconception("loaves-added")
def dough(amounts, loaves):
    """More loaves mean a multiple of everything, not one gram more for each."""
    return amounts + loaves


@misconception("loaves-ignored")
def dough(amounts, loaves):
    """The number of loaves changes nothing in your answer."""
    return amounts.copy()


@misconception("changes-flour")
def dough(amounts, loaves):
    """The amounts are right, but those you were given have changed."""
    amounts *= loaves
    return amounts
