import torch


def split_heads(x, n_heads):
    head_dim, rest = divmod(x.shape[-1], n_heads)
    if rest != 0:
        raise ValueError(f"{rest} channels left over")
    heads = []
    for i in range(n_heads):
        heads.append(x[:, :, i * head_dim : (i + 1) * head_dim])
    return torch.stack(heads, dim=1)
