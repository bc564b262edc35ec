import torch


def causal_attention_weights(q, k):
    B, h, T, hd = q.shape
    rows = []
    for t in range(T):
        s = q[:, :, t : t + 1] @ k[:, :, : t + 1].transpose(-2, -1) / hd ** 0.5
        w = torch.softmax(s, dim=-1)
        rows.append(torch.nn.functional.pad(w, (0, T - t - 1)))
    return torch.cat(rows, dim=2)
