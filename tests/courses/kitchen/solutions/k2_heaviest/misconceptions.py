"""Wrong ways to find the heaviest bowl."""

from autograder.course import misconception


@misconception("first-bowl-only")
def heaviest(scale, bowls):
    """You stopped at the first bowl: weigh all of them."""
    return 0


@misconception("index-from-one")
def heaviest(scale, bowls):
    """Bowls are numbered from 0."""
    return max(range(bowls), key=scale) + 1


@misconception("lightest-bowl", same_as=())
def heaviest(scale, bowls):
    """That is the lightest bowl."""
    return min(range(bowls), key=scale)
