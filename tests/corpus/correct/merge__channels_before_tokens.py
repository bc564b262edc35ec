def merge_heads(y):
    B, h, T, d = y.shape
    return y.mT.reshape(B, h * d, T).mT
