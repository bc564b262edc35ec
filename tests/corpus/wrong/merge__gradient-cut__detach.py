def merge_heads(x):
    return x.detach().transpose(1, 2).flatten(2)
