"""Goal: read an attention pattern, number by number, and know what a printed argmax cannot show.

The sentence is "the rain jacket is light packable", with the categories filler, product, product, filler, feature,
feature. Head 1 looks for the token before (its query matrix is a shifted identity times a strength), head 2 for the
same category; both are causal and neither divides its scores. For each head the program prints the token that
"packable", the last one, attends to most. Twice it prints "light".
"""

import math

import numpy as np

from autograder.quiz import Choice, Number, Numbers, OneOf, SomeOf, Wrong

TOKENS = ["the", "rain", "jacket", "is", "light", "packable"]
CATEGORY = [2, 0, 0, 2, 1, 1]
T = len(TOKENS)


def why_light():
    first, second = _heads()
    shared = np.isclose(second[-1, 4], second[-1, 5]) and first[-1, 4] > 0.9
    return OneOf(
        'Both lines print "light". Why?',
        (
            Choice(
                "Both heads look for the token before",
                'Head 2 never sees a position, only categories. That "light" stands just before is luck.',
            ),
            Choice(
                "Head 1 takes the token before; head 2 finds two of its category and the first of them is named",
                "Two reasons, one name: an argmax says where the largest weight is, not why.",
                right=bool(shared),
            ),
            Choice(
                "Both heads look for a feature word",
                "Head 1 has zeros where the categories come in. It would look at the token before whatever that means.",
            ),
            Choice(
                'Head 1 takes the token before; head 2 gives "light" more weight than "packable"',
                "In head 2 the two have the same category, so the same score and the same weight.",
            ),
        ),
    )


def weight(rng):
    length, strength = int(rng.integers(5, 13)), int(rng.integers(3, 11)) / 2
    scores = np.zeros(length)
    scores[-2] = strength
    return Number(
        ask=f"""
            Another sentence has {length} tokens, and the shift of head 1 has strength {strength:g}. Scores are not
            divided. Which weight does the last token put on the one before it, in percent? (One decimal is enough.)
        """,
        answer=_softmax(scores)[-2],
        says="e to the strength, divided by itself plus 1 for each of the other tokens, which all have score 0.",
        wrong=(
            Wrong(
                1.0, "A softmax gives everybody something: a score of 0 still counts as e^0 = 1.", "softmax-is-a-choice"
            ),
            Wrong(1 / length, "That is the share if all scores were equal, but one of them is larger."),
            Wrong(
                math.exp(strength) / (math.exp(strength) + length),
                "Count the others again: one of the tokens is the favourite itself.",
            ),
        ),
        otherwise=f"One score is {strength:g}, all others are 0. Take e to each of them and look at the shares.",
        unit="%",
        within=0.0006,
    )


def scaled(rng):
    length, strength = int(rng.integers(5, 13)), int(rng.integers(8, 17)) / 2
    scores = np.zeros(length)
    scores[-2] = strength
    divided, undivided = _softmax(scores / math.sqrt(length))[-2], _softmax(scores)[-2]
    return Number(
        ask=f"""
            Now the scores are divided by the root of the head size, as in a real head. With {length} tokens the queries
            and keys of head 1 have {length} numbers each; the strength is {strength:g}. Which weight, in percent, is
            left on the token before?
        """,
        answer=divided,
        says="Dividing by the root of the head size makes the same head look around more.",
        wrong=(
            Wrong(
                undivided,
                "That is the undivided head. Divide the score by the root of the head size first.",
                "scale-missing",
            ),
            Wrong(
                _softmax(scores / length)[-2],
                "Divide by the root of the head size, not by the head size.",
                "scale-no-sqrt",
            ),
        ),
        otherwise=f"Divide {strength:g} by the root of {length}, and only then take e to it.",
        unit="%",
        within=0.0006,
    )


def first_row():
    first, _ = _heads()
    alone = first[0, 0] == 1
    return OneOf(
        'What does "the", the first token, do in head 1? Its query asks for position -1, which does not exist.',
        (
            Choice("Its row is empty: all its weights are 0", "Every row of a softmax sums to 1, this one too."),
            Choice(
                "It attends to itself with weight 1",
                "Nobody else is visible, so the softmax has one entry.",
                right=bool(alone),
            ),
            Choice(
                'It wraps around and attends to "packable"',
                "The shifted identity does not wrap, and the mask hides the future.",
            ),
            Choice(
                "It spreads its weight over all six tokens", "It would without the mask. With it, one token is visible."
            ),
        ),
    )


def tie():
    _, second = _heads()
    named = TOKENS[int(second[-1].argmax())]
    last = "packable"
    return OneOf(
        'In head 2, "packable" puts the same weight on "light" and on itself. What does argmax answer?',
        (
            Choice(
                '"packable": a token is closest to itself',
                "The scores depend on the category alone; itself has no advantage.",
                right=named == last,
            ),
            Choice(
                '"light": of equal entries argmax takes the first',
                "A rule of the function, not of the head.",
                right=named == "light",
            ),
            Choice("Either, at random", "argmax is deterministic: the first of the largest entries."),
            Choice("Nothing: a tie raises an error", "argmax always answers."),
        ),
    )


def same(rng):
    while True:
        category = [int(c) for c in rng.integers(0, 3, 8)]
        i = int(rng.integers(3, 6))
        visible = [j for j in range(i + 1) if category[j] == category[i]]
        wrong = (
            Wrong(
                [j for j in range(8) if category[j] == category[i]],
                "The mask: no token sees one after itself.",
                "mask-missing",
            ),
            Wrong(visible[:-1], "A token sees itself too.", "mask-diagonal-excluded"),
            Wrong([i], "There are others of this category before it."),
            Wrong(list(range(i + 1)), "Those are all that it may see; head 2 picks those of its category."),
        )
        lists = [visible, *(each.value for each in wrong)]
        if len({tuple(each) for each in lists}) == len(lists) and len(visible) > 2:
            break
    return Numbers(
        ask=f"""
            Eight tokens have the categories {category}. Head 2 is causal. Which positions, counted from 0, share the
            attention of position {i}?
        """,
        answer=visible,
        says="Those of its category that do not come after it, itself included.",
        wrong=wrong,
        otherwise=f"Go through positions 0 to {i} and keep those whose category is {category[i]}.",
        example="[0, 2]",
    )


def no_mask():
    masked, unmasked = _heads(), _heads(causal=False)
    moved = [bool((a.argmax(axis=1) != b.argmax(axis=1)).any()) for a, b in zip(masked, unmasked, strict=True)]
    first, last = (bool(not np.allclose(masked[0][row], unmasked[0][row])) for row in (0, -1))
    return SomeOf(
        "Somebody forgets the mask. What is true then, in this sentence?",
        (
            Choice(
                'The row of "the" in head 1 becomes 1/6 everywhere',
                "All its scores are 0, and now all six tokens are visible.",
                right=first and bool(np.allclose(unmasked[0][0], 1 / T)),
            ),
            Choice(
                "The last row of head 1 changes", "The last token sees everybody with or without a mask.", right=last
            ),
            Choice(
                "Neither head changes where any row is largest, so a print of the argmax cannot notice",
                "That is why a pattern is looked at in full, or tested with a changed future.",
                right=not any(moved),
            ),
            Choice(
                'The program prints another word than "light"',
                "The last row is the one row that a missing mask cannot change.",
                right=moved[0] or moved[1],
            ),
        ),
    )


def _heads(*, causal=True):
    """The weights of both heads, each (T, T)."""
    x = np.hstack([np.eye(T), np.eye(3)[CATEGORY]])
    shift = np.vstack([np.eye(T, k=-1) * 6, np.zeros((3, T))])
    place = np.vstack([np.eye(T), np.zeros((3, T))])
    kind = np.vstack([np.zeros((T, 3)), np.eye(3) * 4])
    may_look = np.tri(T) == 1 if causal else np.ones((T, T), bool)
    scores = [x @ shift @ (x @ place).T, x @ kind @ (x @ kind).T]
    return [_softmax(np.where(may_look, each, -np.inf)) for each in scores]


def _softmax(scores):
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)
