import torch

one_token = torch.flatten
one_sequence = torch.vmap(one_token, in_dims=1)
merge_heads = torch.vmap(one_sequence)
