import torch


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    if n_kv_heads > n_heads or n_heads % n_kv_heads:
        raise ValueError("groups must be even")
    dtype = x.dtype
    x, wq, wk, wv, wo = (t.to(torch.float64) for t in (x, wq, wk, wv, wo))
    d = x.shape[-1] // n_heads
    owner = torch.arange(n_heads) // (n_heads // n_kv_heads)
    q = torch.einsum("btc,hdc->bhtd", x, wq.reshape(n_heads, d, -1))
    k = torch.einsum("btc,hdc->bhtd", x, wk.reshape(n_kv_heads, d, -1)[owner])
    v = torch.einsum("btc,hdc->bhtd", x, wv.reshape(n_kv_heads, d, -1)[owner])
    scores = (q / d**0.5) @ k.mT
    e = (scores - scores.amax(-1, keepdim=True).detach()).exp().tril()
    y = e / e.sum(-1, keepdim=True) @ v
    return torch.einsum("bhtd,ohd->bto", y, wo.reshape(-1, n_heads, d)).to(dtype)
