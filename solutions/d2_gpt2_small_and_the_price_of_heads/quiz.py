"""Goal: count the attention of a real model, and say exactly what more heads cost.

GPT-2 small has width C = 768, 12 heads and 12 layers, and reads up to 1,024 tokens. In each layer the attention has a
fused projection from C to 3C and an output projection from C to C, both with biases. Arithmetic such as 4 * 768 * 768
is welcome as an answer, and so are 2,359,296 and 2^20.

While it writes a text, such a model keeps the keys and values of all heads for every token so far, so that it need not
compute them again.
"""

from autograder.quiz import Choice, Number, SomeOf, Wrong

C, HEADS, LAYERS, T = 768, 12, 12, 1024
#: All parameters of GPT-2 small: embeddings of 50,257 tokens and 1,024 places, 12 blocks, the last norm.
WHOLE = (50_257 + T) * C + LAYERS * (12 * C * C + 13 * C) + 2 * C


def head_size():
    return Number(
        ask="How many channels has one head of GPT-2 small?",
        answer=C // HEADS,
        says="The width is shared out among the heads.",
        wrong=(
            Wrong(C, "That is the whole width; the heads share it out.", "split-full-width-heads"),
            Wrong(C * HEADS, "The heads share the width out, they do not multiply it.", "count-full-width-heads"),
            Wrong(
                HEADS, "That is how many heads there are; the question is how wide one is.", "head-count-is-head-dim"
            ),
            Wrong(
                3 * C // HEADS,
                "That is its query, key and value together; each of them is a third of that.",
                "channel-qkv-width",
            ),
        ),
        otherwise="Divide the width by the number of heads.",
    )


def with_biases():
    return Number(
        ask="How many parameters has the attention of one layer, biases included?",
        answer=_layer(C),
        says="Four square projections, and a bias for each of their outputs.",
        wrong=_wrong_counts(C, 1),
        otherwise="Count the weights of both projections, and then one bias for each of their outputs.",
    )


def without_biases():
    return Number(
        ask="And how many would it have without any biases?",
        answer=_layer(C, qkv_bias=False, out_bias=False),
        says="Four squares of the width, however many heads.",
        wrong=(
            Wrong(_layer(C), "That still has the biases.", "count-bias-always"),
            Wrong(3 * C * C, "The output projection is missing.", "count-missing-output"),
            Wrong(4 * C * (C // HEADS), "That is one head. There are more.", "count-one-head-only"),
            Wrong(4 * C * C * HEADS, "The heads share the width out, so their number cancels.", "count-times-heads"),
        ),
        otherwise="Three quarters of them make q, k and v; the last quarter is the output projection.",
    )


def all_layers():
    return Number(
        ask="How many parameters have the attentions of all 12 layers together, biases included?",
        answer=LAYERS * _layer(C),
        says="The layers share nothing: twelve times one layer.",
        wrong=(
            Wrong(
                WHOLE,
                "That is the whole model. Attention is less than a quarter of it; the rest is MLPs and embeddings.",
            ),
            Wrong(124 * 10**6, "That is about the whole model. Attention is less than a quarter of it."),
            Wrong(_layer(C), "That is one layer.", "count-one-layer"),
            *_wrong_counts(C, LAYERS),
        ),
        otherwise="Take your count for one layer twelve times.",
    )


def multiplications():
    return Number(
        ask="""
            How many multiplications of two numbers do the scores q @ k.transpose(-2, -1) of one layer take, all heads
            together, for one sequence of 1,024 tokens, without making use of the mask?
        """,
        answer=_score_multiplications(HEADS),
        says="T times T dot products per head, each over d channels; h times d is the width again.",
        wrong=(
            Wrong(_score_multiplications(HEADS) // HEADS, "That is one head.", "count-one-head-only"),
            Wrong(_softmax_entries(HEADS), "That is how many scores come out; each of them takes d multiplications."),
            Wrong(
                HEADS * _score_multiplications(1),
                "Each head has a twelfth of the channels, so the heads cancel.",
                "count-times-heads",
            ),
            Wrong(
                2 * _score_multiplications(HEADS), "That counts the product with the values as well, or the additions."
            ),
        ),
        otherwise="Each of T times T pairs of tokens takes one dot product per head, of length d.",
    )


def entries():
    return Number(
        ask="""
            A model of the same width has a single head of 768 channels. By what factor do the entries of all softmaxes
            of a layer become more when it gets 12 heads instead?
        """,
        answer=_softmax_entries(HEADS) // _softmax_entries(1),
        says="Every head has its own T times T pattern. That is what more heads really cost.",
        wrong=(
            Wrong(1, "Some things stay the same, but every head has a pattern of its own.", "heads-are-free"),
            Wrong(HEADS**2, "The patterns are T by T whatever the head size; only their number grows."),
        ),
        otherwise="Count the T by T squares before and after.",
    )


def stays_the_same():
    def same(count):
        return count(1) == count(HEADS)

    def cached(h):
        return 2 * T * h * (C // h)

    return SomeOf(
        "Twelve heads instead of one, at the same width. What stays the same?",
        (
            Choice(
                "the number of parameters",
                "h heads of C / h channels are C channels again.",
                right=same(lambda h: h * 3 * C * (C // h) + C * C),
            ),
            Choice(
                "the number of softmax entries",
                "Each head has its own T times T pattern, so there are 12 times as many.",
                right=same(_softmax_entries),
                slug="heads-are-free",
            ),
            Choice(
                "the multiplications in the scores",
                "12 times as many dot products, each a twelfth as long.",
                right=same(_score_multiplications),
            ),
            Choice(
                "the number of attention patterns",
                "That is the whole point: 12 instead of 1.",
                right=same(lambda h: h),
                slug="heads-are-free",
            ),
            Choice(
                "the keys and values kept while generating",
                "Per token 2 times C numbers, however they are cut.",
                right=same(cached),
            ),
        ),
    )


def another_model(rng):
    h, d = int(rng.integers(5, 33)), 16 * int(rng.integers(2, 9))
    width, layers = h * d, int(rng.integers(4, 41))
    return Number(
        ask=f"""
            Another model has width {width}, {h} heads and {layers} layers, and biases everywhere, as GPT-2 has. How
            many parameters have all its attentions together?
        """,
        answer=layers * _layer(width),
        says="layers times (4 C squared + 4 C).",
        wrong=(Wrong(_layer(width), "That is one layer.", "count-one-layer"), *_wrong_counts(width, layers, h)),
        otherwise="Count one layer as you did for GPT-2 small; the number of heads plays no part.",
    )


def _layer(width, *, qkv_bias=True, out_bias=True):
    """Parameters of one attention: C to 3C and C to C, each with or without a bias."""
    return width * 3 * width + 3 * width * qkv_bias + width * width + width * out_bias


def _wrong_counts(width, layers, h=HEADS):
    """How people miscount a layer with biases."""
    return (
        Wrong(layers * _layer(width, qkv_bias=False, out_bias=False), "The biases are missing.", "count-bias-ignored"),
        Wrong(
            layers * _layer(width, qkv_bias=False),
            "Only the output projection got its bias; q, k and v have one too.",
            "count-bias-partial",
        ),
        Wrong(layers * _layer(width, out_bias=False), "The output projection has a bias too.", "count-bias-partial"),
        Wrong(layers * (3 * width * width + 3 * width), "The output projection is missing.", "count-missing-output"),
        Wrong(
            layers * h * _layer(width), "The heads share the width out, so their number cancels.", "count-times-heads"
        ),
        Wrong(
            layers * (4 * width * width + 4 * width * h),
            "A bias belongs to an output, and the heads have no outputs of their own.",
            "count-bias-per-head",
        ),
    )


def _score_multiplications(h):
    return h * T * T * (C // h)


def _softmax_entries(h):
    return h * T * T
