def head_of_channel(c, d_model, n_head):
    return c % n_head


def mixture(j, C, h_trained, h_loaded):
    found = {}
    for c in range(j * (C // h_loaded), (j + 1) * (C // h_loaded)):
        trained = c // (C // h_trained)
        found[trained] = found.get(trained, 0) + 1
    return found
