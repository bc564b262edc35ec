import torch


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    B, T, C = x.shape
    d = C // n_heads
    Wq, Wk, Wv = qkv_weight.split(C)
    future = torch.ones(T, T, dtype=torch.bool).triu(1)
    result = torch.zeros_like(x)
    for j in range(n_heads):
        rows = slice(j * d, (j + 1) * d)
        q = torch.einsum("btc,dc->btd", x, Wq[rows])
        k = torch.einsum("btc,dc->btd", x, Wk[rows])
        v = torch.einsum("btc,dc->btd", x, Wv[rows])
        scores = torch.einsum("bid,bjd->bij", q, k) / d**0.5
        w = scores.masked_fill(future, float("-inf")).softmax(-1)
        # every head adds its own share to the output: its columns of W_O
        result = result + torch.einsum("bij,bjd,cd->bic", w, v, out_weight[:, rows])
    return result
