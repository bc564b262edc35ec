import math

import torch


def causal_attention_weights(q, k):
    B, h, T, d = q.shape
    rows = []
    for t in range(T):
        # token t sees tokens 0..t, so there is nothing to mask
        s = (q[:, :, t:t + 1] * k[:, :, :t + 1]).sum(-1) / math.sqrt(d)
        w = torch.softmax(s, dim=-1)
        rows.append(torch.cat([w, w.new_zeros(B, h, T - t - 1)], dim=-1))
    return torch.stack(rows, dim=2)


if __name__ == "__main__":
    q = torch.randn(1, 2, 3, 4)
    print(causal_attention_weights(q, q).sum(-1))
