import torch


def save_checkpoint(path, module):
    torch.save(module.state_dict(), path)


def load_checkpoint(path, module):
    module.load_state_dict(torch.load(path), strict=True)
