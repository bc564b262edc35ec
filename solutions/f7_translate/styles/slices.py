import torch


def from_interleaved(qkv_weight, out_weight, n_heads):
    def sort(rows):
        return torch.cat([rows[head::n_heads] for head in range(n_heads)])

    q, k, v = qkv_weight.chunk(3)
    return [torch.cat([sort(q), sort(k), sort(v)]), sort(out_weight.t()).t()]


def from_per_head(qkv_weight, n_heads):
    heads = [head.chunk(3) for head in qkv_weight.chunk(n_heads)]
    return torch.cat([torch.cat(part) for part in zip(*heads, strict=True)])
