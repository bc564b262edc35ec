import torch


class HeadCountMismatch(ValueError):
    pass


KEY = "config.n_heads"


def save_checkpoint(path, module):
    state = module.state_dict()
    state[KEY] = torch.tensor(module.n_heads)
    torch.save(state, path)


def load_checkpoint(path, module):
    state = torch.load(path, map_location="cpu", weights_only=True)
    try:
        trained = int(state.pop(KEY))
    except KeyError as error:
        raise HeadCountMismatch(f"this file does not tell its head count; {module.n_heads} wanted") from error
    if trained != module.n_heads:
        raise HeadCountMismatch(f"expected {module.n_heads} heads, got {trained}")
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            parameter.copy_(state[name])
