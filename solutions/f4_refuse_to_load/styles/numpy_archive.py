import numpy as np
import torch


def save_checkpoint(path, module):
    arrays = {name: value.numpy() for name, value in module.state_dict().items()}
    np.savez(path, __n_heads__=np.array(module.n_heads), **arrays)


def load_checkpoint(path, module):
    with np.load(path) as archive:
        if "__n_heads__" not in archive.files:
            raise ValueError("no head count in this file")
        trained = int(archive["__n_heads__"])
        if trained != module.n_heads:
            raise ValueError(f"n_heads: file {trained}, model {module.n_heads}")
        state = {name: torch.from_numpy(archive[name]) for name in archive.files if name != "__n_heads__"}
    module.load_state_dict(state)
