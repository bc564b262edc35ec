import torch


def mha_by_loop(x, qkv_weight, out_weight, n_heads, eps=0.0):
    B, T, C = x.shape
    d = C // n_heads
    concat = torch.empty(B, T, C, dtype=x.dtype)
    mask = torch.tril(torch.ones(T, T))
    for i in range(n_heads):
        Wq = qkv_weight[i * d : (i + 1) * d, :]
        Wk = qkv_weight[C + i * d : C + (i + 1) * d, :]
        Wv = qkv_weight[2 * C + i * d : 2 * C + (i + 1) * d, :]
        Q = torch.matmul(x, Wq.T)
        K = torch.matmul(x, Wk.T)
        V = torch.matmul(x, Wv.T)
        S = torch.matmul(Q, K.permute(0, 2, 1)) / torch.sqrt(torch.tensor(d))
        S = S.masked_fill(mask == 0, float("-inf"))
        concat[:, :, i * d : (i + 1) * d] = torch.softmax(S + eps, dim=2) @ V
    return concat @ out_weight.T
