def count_parameters(d_model, n_heads, bias=False):
    shapes = [(d_model, d_model), (d_model, d_model)]
    return sum(a * b + (a if bias else 0) for a, b in shapes)
