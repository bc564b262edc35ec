import math

import torch


def one_layer(x, qkv, n):
    T, C = x.shape
    q, k, v = [part.reshape(T, n, C // n) for part in (x @ qkv.T).chunk(3, dim=1)]
    result = torch.zeros(T, n, C // n, dtype=x.dtype)
    for t in range(T):
        scores = torch.einsum("hd,khd->hk", q[t], k[: t + 1]) / math.sqrt(C // n)
        result[t] = torch.einsum("hk,khd->hd", torch.softmax(scores, dim=1), v[: t + 1])
    return result.reshape(T, C)


def recover_n_head(qkv_weight, out_weight, x, y):
    x, y, qkv, out = (tensor.squeeze(0).double() for tensor in (x, y, qkv_weight, out_weight))
    C = x.shape[1]
    errors = {}
    for n in filter(lambda n: C % n == 0, range(1, C + 1)):
        errors[n] = torch.linalg.norm(one_layer(x, qkv, n) @ out.T - y) / torch.linalg.norm(y)
    best, *rest = sorted(errors, key=errors.get)
    if errors[best] > 1e-4 or (rest and errors[rest[0]] < 1e-4):
        raise ValueError("cannot tell")
    return best
