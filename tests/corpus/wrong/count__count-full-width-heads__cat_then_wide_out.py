def count_parameters(d_model, n_heads, bias=False):
    qkv = 3 * n_heads * d_model * d_model
    out = (n_heads * d_model) * d_model
    return qkv + out + (bias and (3 * n_heads * d_model + d_model))
