def merge_heads(y):
    return y.transpose(1, 2)
