"""Wrong ways to save and load that are worth naming. The docstring of each is the sentence its author hears."""

import torch

from autograder.course import misconception


def _read(path):
    """The weights and the head count of a file; None where it is an old one."""
    checkpoint = torch.load(path, weights_only=True)
    return checkpoint.get("state_dict", checkpoint), checkpoint.get("n_heads")


@misconception("guard-missing-in-file", proves="name")
def save_checkpoint(path, module):
    """The file holds the weights only, and no weight knows the number of heads: write it beside the state dict."""
    torch.save(module.state_dict(), path)


@misconception("guard-missing-in-file", proves="name")
def save_checkpoint(path, module):
    """You write down a fixed number of heads, so the file tells a story of its own: write module.n_heads."""
    torch.save({"n_heads": 16, "state_dict": module.state_dict()}, path)


@misconception("guard-writes-nothing", proves="name")
def save_checkpoint(path, module):
    """Nothing arrives in the file: hand path itself to torch.save."""


@misconception("guard-shapes-only")
def load_checkpoint(path, module):
    """The weights went in under the wrong number of heads, and no error said so. Shapes are the same for every number
    of heads, and a printed warning is soon overlooked: compare the head counts and raise."""
    module.load_state_dict(_read(path)[0])


@misconception("guard-shapes-only")
def load_checkpoint(path, module):
    """The weights went in under the wrong number of heads, and no error said so. Shapes are the same for every number
    of heads, and a printed warning is soon overlooked: compare the head counts and raise."""
    state, _ = _read(path)
    for name, weight in module.state_dict().items():
        if weight.shape != state[name].shape:
            raise ValueError(f"{name} has shape {tuple(state[name].shape)}, not {tuple(weight.shape)}")
    module.load_state_dict(state)


@misconception("guard-shapes-only")
def load_checkpoint(path, module):
    """The weights went in under the wrong number of heads, and no error said so. Shapes are the same for every number
    of heads, and a printed warning is soon overlooked: compare the head counts and raise."""
    state, trained = _read(path)
    if trained != module.n_heads:
        print(f"warning: trained with {trained} heads, loaded with {module.n_heads}")
    module.load_state_dict(state)


@misconception("guard-changes-config")
def load_checkpoint(path, module):
    """You set the module's head count to that of the file. Whoever built the module asked for another one and hears
    nothing: refuse instead."""
    state, trained = _read(path)
    module.n_heads = trained or module.n_heads
    module.load_state_dict(state)


@misconception("guard-returns-silently")
def load_checkpoint(path, module):
    """You return without loading and without a word, so the module keeps its random weights: raise."""
    state, trained = _read(path)
    if trained == module.n_heads:
        module.load_state_dict(state)


@misconception("guard-stumbles-over-old-file")
def load_checkpoint(path, module):
    """An old file has no head count, and looking it up ends in an error that explains nothing. Ask for it first, and
    say what is missing."""
    checkpoint = torch.load(path, weights_only=True)
    trained = checkpoint["n_heads"]
    if trained != module.n_heads:
        raise ValueError(f"trained with {trained} heads, the model has {module.n_heads}")
    module.load_state_dict(checkpoint["state_dict"])


@misconception("guard-trusts-old-file")
def load_checkpoint(path, module):
    """A file that tells no head count is loaded as if it fitted. It may be any: refuse what cannot be checked."""
    state, trained = _read(path)
    if trained is not None and trained != module.n_heads:
        raise ValueError(f"trained with {trained} heads, the model has {module.n_heads}")
    module.load_state_dict(state)


@misconception("guard-after-loading")
def load_checkpoint(path, module):
    """You check after loading, so the module is spoilt when the error comes: check first."""
    state, trained = _read(path)
    module.load_state_dict(state)
    if trained != module.n_heads:
        raise ValueError(f"trained with {trained} heads, the model has {module.n_heads}")


@misconception("guard-says-too-little")
def load_checkpoint(path, module):
    """Refused, but the message leaves out with how many heads the file was trained and how many the model has. Name
    both, or somebody has to search for them."""
    state, trained = _read(path)
    if trained != module.n_heads:
        raise ValueError("wrong number of heads")
    module.load_state_dict(state)


@misconception("guard-asserts")
def load_checkpoint(path, module):
    """assert is for one's own mistakes, and python -O leaves it out. What a file says wrong is a ValueError."""
    state, trained = _read(path)
    assert trained == module.n_heads, f"trained with {trained} heads, the model has {module.n_heads}"
    module.load_state_dict(state)


@misconception("guard-one-way-only")
def load_checkpoint(path, module):
    """You refuse only a model with fewer heads than the file. More heads cut the channels as wrongly: compare with
    != instead."""
    state, trained = _read(path)
    if trained is None or trained > module.n_heads:
        raise ValueError(f"trained with {trained} heads, the model has {module.n_heads}")
    module.load_state_dict(state)


@misconception("guard-one-way-only")
def load_checkpoint(path, module):
    """You refuse only a model with more heads than the file. Fewer heads cut the channels as wrongly: compare with
    != instead."""
    state, trained = _read(path)
    if trained is None or trained < module.n_heads:
        raise ValueError(f"trained with {trained} heads, the model has {module.n_heads}")
    module.load_state_dict(state)


@misconception("guard-refuses-all")
def load_checkpoint(path, module):
    """You refuse every file. One with the right number of heads has to be loaded."""
    raise ValueError(f"trained with {_read(path)[1]} heads, the model has {module.n_heads}")
