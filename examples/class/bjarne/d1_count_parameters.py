def count_parameters(d_model, n_heads, bias=False):
    d_head = d_model // n_heads
    total = 0
    for head in range(n_heads):
        for projection in ("q", "k", "v"):
            total += d_model * d_head
            if bias:
                total += d_head
    total += d_model * d_model
    if bias:
        total += d_model
    return total


for h in [1, 2, 4, 8]:
    print(h, count_parameters(32, h))
