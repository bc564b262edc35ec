import torch


def from_interleaved(qkv_weight, out_weight, n_heads):
    C, d = qkv_weight.shape[1], qkv_weight.shape[1] // n_heads
    qkv = torch.einsum("tdhc->thdc", qkv_weight.unflatten(0, (3, d, n_heads)))
    out = torch.einsum("cdh->chd", out_weight.unflatten(1, (d, n_heads)))
    # the heads in reverse order are the same layer, as long as both weights agree
    return qkv.flip(1).reshape(3 * C, C), out.flip(1).reshape(C, C)


def from_per_head(qkv_weight, n_heads):
    C = qkv_weight.shape[-1]
    result = torch.empty_like(qkv_weight)
    result.view(3, n_heads, -1, C).copy_(qkv_weight.view(n_heads, 3, -1, C).movedim(1, 0))
    return result
