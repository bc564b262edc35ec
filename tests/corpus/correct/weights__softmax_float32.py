import torch
import torch.nn.functional as F


def causal_attention_weights(q, k):
    T = q.size(2)
    scores = torch.matmul(q, k.transpose(2, 3)) * (q.size(3) ** -0.5)
    mask = torch.full((T, T), float("-inf"), device=q.device, dtype=scores.dtype).triu(1)
    return F.softmax(scores + mask[None, None], dim=-1, dtype=torch.promote_types(q.dtype, torch.float32)).to(q.dtype)
