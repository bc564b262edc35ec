"""K2. The heaviest bowl.

Example
    >>> heaviest({0: 120, 1: 300, 2: 80}.get, 3)
    1
"""


def heaviest(scale, bowls: int) -> int:
    """The number, from 0, of the heaviest of `bowls` bowls; `scale(number)` weighs one of them, in grams."""
    ### BEGIN SOLUTION
    return max(range(bowls), key=scale)
    ### END SOLUTION
