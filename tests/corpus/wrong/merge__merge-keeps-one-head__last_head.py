def merge_heads(x):
    for i in range(x.size(1)):
        out = x[:, i]
    return out
