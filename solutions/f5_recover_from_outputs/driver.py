"""How a worker questions recover_n_head. A refusal is an answer like any other."""


def drive(learner, inputs, ask):
    """What was found, in the words of a message: the head count, or that there was a refusal."""
    try:
        found = learner["recover_n_head"](*(inputs[name] for name in ("qkv_weight", "out_weight", "x", "y")))
    except NotImplementedError:
        raise
    except (ValueError, AssertionError, LookupError) as error:
        kind = "a ValueError" if isinstance(error, ValueError) else "another error than a ValueError"
        return {"found": f"refuses to answer, with {kind}"}
    number = found.item() if hasattr(found, "item") and getattr(found, "ndim", 0) == 0 else found
    if type(number) is not int:
        return {"found": f"comes back with {type(number).__name__}, where an int or a ValueError is wanted"}
    return {"found": f"finds {number} heads"}
