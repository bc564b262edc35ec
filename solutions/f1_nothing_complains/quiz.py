"""Goal: see why a checkpoint trained with 16 heads loads into a model with 12 and nobody complains.

A state dict holds names and tensors. load_state_dict(strict=True) wants the same names on both sides and the same shape
for each; that is all it can look at. So the question is always: does the number of heads show in a name or in a shape?
In grouped-query attention several query heads share one key and value head: k and v have n_kv heads of the size C / h.
"""

from autograder.quiz import Choice, Number, Numbers, OneOf, SomeOf, Wrong

WIDTH, TRAINED, LOADED = 768, 16, 12


def sizes():
    return Numbers(
        ask=f"""
            A checkpoint of width {WIDTH} was trained with {TRAINED} heads and is loaded into a model with {LOADED}.
            What is the head size in training, and what in the model? Type two numbers.
        """,
        answer=[WIDTH // TRAINED, WIDTH // LOADED],
        says="More heads, smaller heads; their product is the width.",
        wrong=(
            Wrong(
                [WIDTH // LOADED, WIDTH // TRAINED],
                "The other way round: more heads of a fixed width are smaller.",
                "head-count-is-head-dim",
            ),
            Wrong([WIDTH, WIDTH], "That is the width. Each head has its share of it.", "split-full-width-heads"),
            Wrong([TRAINED, LOADED], "Those are the numbers of heads.", "head-count-is-head-dim"),
        ),
        otherwise="Divide the width by each number of heads.",
        example="[32, 96]",
    )


def layouts(rng):
    width, trained, loaded = _two_head_counts(rng)
    shapes = {
        "one fused nn.Linear(C, 3C)": lambda h: [(3 * width, width)],
        "four nn.Linear(C, C), for q, k, v and the output": lambda h: [(width, width)] * 4,
        "one parameter of shape (h, C, d) for each of q, k and v": lambda h: [(h, width, width // h)] * 3,
        "a list of h modules, each with an nn.Linear(C, d)": lambda h: [
            ("head", i, width // h, width) for i in range(h)
        ],
    }
    told = (
        "Its weight is (3C, C) whatever h is.",
        "Four squares of the width, whatever h is.",
        "h and d stand in the shape, so the shapes differ.",
        "Each head has a name and a shape of its own, so both differ.",
    )
    return SomeOf(
        f"""
            Width {width}, trained with {trained} heads, loaded with {loaded}. With which of these layouts does
            load_state_dict(strict=True) raise an error?
        """,
        tuple(
            Choice(
                name,
                says,
                right=shape(trained) != shape(loaded),
                slug="" if shape(trained) != shape(loaded) else "strict-checks-heads",
            )
            for (name, shape), says in zip(shapes.items(), told, strict=True)
        ),
    )


def key_rows(rng):
    width, h, _ = _two_head_counts(rng)
    groups = [g for g in range(2, h) if h % g == 0]
    n_kv = int(rng.choice(groups))
    return Number(
        ask=f"""
            A grouped-query layer of width {width} has {h} query heads and {n_kv} key heads. How many rows has its k
            weight?
        """,
        answer=n_kv * width // h,
        says="n_kv heads of size C / h.",
        wrong=(
            Wrong(width, "That is the q weight. The keys have fewer heads.", "kv-heads-are-query-heads"),
            *([Wrong(width // h, "That is one key head.", "count-one-head-only")] if n_kv > 1 else []),
            *(
                [
                    Wrong(
                        width // n_kv,
                        "The head size comes from the query heads: C / h, not C / n_kv.",
                        "kv-head-size-from-kv-heads",
                    )
                ]
                if n_kv * n_kv != h
                else []
            ),
        ),
        otherwise="First the head size, from the query heads; then how many heads the keys have.",
    )


def grouped(rng):
    while True:
        d = 16 * int(rng.integers(1, 9))
        width, h, n_kv = 12 * d, 12, int(rng.choice([2, 3, 4, 6]))
        others = [(16, 4), (16, 8), (24, 6), (24, 8), (24, 4), (6, 3), (6, 2), (12, 6), (12, 2), (8, 2), (8, 4)]
        options = [others[int(place)] for place in rng.permutation(len(others))[:4]]
        options = [option for option in options if option != (h, n_kv)]
        fits = [_rows(width, *option) == _rows(width, h, n_kv) for option in options if width % option[0] == 0]
        if len(fits) == 4 and 0 < sum(fits) < 4:
            break
    return SomeOf(
        f"""
            A grouped-query checkpoint of width {width} was trained with {h} query heads and {n_kv} key heads.
            Into which of these does it load without an error?
        """,
        tuple(
            Choice(
                f"{heads} query heads, {keys} key heads",
                f"{keys} heads of {width // heads} are {_rows(width, heads, keys)} rows, "
                + ("as in the checkpoint." if fit else f"and the checkpoint has {_rows(width, h, n_kv)}."),
                right=fit,
                slug="" if fit else "strict-ignores-shapes",
            )
            for (heads, keys), fit in zip(options, fits, strict=True)
        ),
    )


def strict():
    return OneOf(
        "What does strict=True make load_state_dict check?",
        (
            Choice(
                "that both models have the same number of heads",
                "The number of heads is no tensor, so it is not in the state dict at all.",
                slug="strict-checks-heads",
            ),
            Choice(
                "that the names on both sides are the same; shapes are always checked",
                "Without strict, names that are missing or left over are passed over.",
                right=True,
            ),
            Choice(
                "that the weights give the same outputs",
                "Nothing is run when weights are loaded.",
                slug="strict-checks-heads",
            ),
            Choice(
                "that both models were built with the same arguments",
                "Arguments are not part of a state dict, unless somebody puts them there.",
                slug="strict-checks-heads",
            ),
        ),
    )


def _two_head_counts(rng):
    """A width and two numbers of heads that both divide it."""
    unit = 48 * int(rng.integers(2, 25))
    pairs = [(16, 12), (12, 16), (8, 12), (12, 8), (16, 8), (8, 6), (6, 8), (12, 6), (24, 16), (16, 24)]
    fitting = [pair for pair in pairs if unit % pair[0] == 0 == unit % pair[1]]
    return unit, *fitting[int(rng.integers(0, len(fitting)))]


def _rows(width, heads, keys):
    """Rows of the k weight."""
    return keys * (width // heads)
