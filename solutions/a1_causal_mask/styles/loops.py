import numpy as np


def causal_mask(T):
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        for j in range(i + 1):
            mask[i, j] = True
    return mask


if __name__ == "__main__":
    print(causal_mask(4))
