import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    future = torch.ones(T, T, device=q.device).triu(1) > 0

    def one(qi, ki):
        return torch.softmax((qi @ ki.mT / hd ** 0.5).masked_fill(future, float("-inf")), dim=-1)

    return torch.func.vmap(torch.func.vmap(one))(q, k)
