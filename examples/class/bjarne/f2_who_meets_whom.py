def head_of_channel(c, d_model, n_head):
    d = d_model // n_head
    head = 0
    while c >= (head + 1) * d:
        head += 1
    return head


def mixture(j, C, h_trained, h_loaded):
    out = {}
    for c in range(C):
        if head_of_channel(c, C, h_loaded) == j:
            old = head_of_channel(c, C, h_trained)
            if old not in out:
                out[old] = 0
            out[old] += 1
    return out
