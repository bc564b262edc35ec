import torch


def save_checkpoint(path, module):
    torch.save({'n_heads': module.n_heads, 'state': module.state_dict()}, path)


def load_checkpoint(path, module):
    ck = torch.load(path)
    if 'n_heads' not in ck:
        raise ValueError('old file without n_heads')
    if ck['n_heads'] != module.n_heads:
        module.n_heads = ck['n_heads']
    module.load_state_dict(ck['state'])
