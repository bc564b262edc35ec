import attention_helpers


def causal_mask(T):
    return attention_helpers.mask(T)
