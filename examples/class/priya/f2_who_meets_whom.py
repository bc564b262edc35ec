def head_of_channel(c, d_model, n_head):
    return c % n_head


def mixture(j, C, h_trained, h_loaded):
    d = C // h_loaded
    result = {}
    for c in range(j * d, (j + 1) * d):
        h = head_of_channel(c, C, h_trained)
        result[h] = result.get(h, 0) + 1
    return result
