import torch


def save_checkpoint(path, module):
    torch.save({"n_heads": module.n_heads, "state_dict": module.state_dict()}, path)


def load_checkpoint(path, module):
    ck = torch.load(path)
    if ck.get("n_heads") != module.n_heads:
        raise RuntimeError(f"{ck.get('n_heads')} vs {module.n_heads}")
    module.load_state_dict(ck["state_dict"])
