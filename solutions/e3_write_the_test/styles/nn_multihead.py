import torch
from torch import nn


def check(mha):
    for seed, (T, C, h) in enumerate([(4, 12, 3), (9, 32, 4), (3, 20, 10)]):
        torch.manual_seed(seed)
        module = nn.MultiheadAttention(C, h, bias=False, batch_first=True)
        x = torch.randn(2, T, C)
        future = torch.ones(T, T, dtype=torch.bool).triu(1)
        with torch.no_grad():
            wanted, _ = module(x, x, x, attn_mask=future, need_weights=False)
        got = mha(x, module.in_proj_weight, module.out_proj.weight, h)
        assert torch.allclose(got, wanted, rtol=1e-3, atol=1e-5), f"{h} heads over {T} tokens"
