import torch


def head_of_channel(c, d_model, n_head):
    heads = torch.arange(d_model).view(n_head, -1)
    return (heads == c).any(dim=1).nonzero().item()


def mixture(j, C, h_trained, h_loaded):
    trained = torch.arange(h_trained).repeat_interleave(C // h_trained)
    loaded = torch.arange(h_loaded).repeat_interleave(C // h_loaded)
    table = torch.zeros(h_trained, h_loaded, dtype=torch.long)
    table.index_put_((trained, loaded), torch.ones(C, dtype=torch.long), accumulate=True)
    return {head: n for head, n in enumerate(table[:, j].tolist()) if n}
