import torch

HEADS = []


def save_checkpoint(path, module):
    HEADS.append(module.n_heads)
    torch.save(module.state_dict(), path)


def load_checkpoint(path, module):
    state = torch.load(path, weights_only=True)
    if not HEADS:
        raise ValueError("no head count was saved")
    if HEADS[-1] != module.n_heads:
        raise ValueError(f"trained with {HEADS[-1]} heads, the model has {module.n_heads}")
    module.load_state_dict(state)
