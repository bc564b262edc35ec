import torch


def causal_attention_weights(q, k):
    T = q.size(-2)
    scores = torch.matmul(q, k.transpose(-2, -1))
    scores.div_(q.size(-1) ** 0.5)
    scores.masked_fill_(torch.triu(torch.ones(T, T, device=q.device), diagonal=1).bool()[:T, :T], -torch.inf)
    return scores.softmax(dim=-1)
