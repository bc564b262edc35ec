import torch


def mha_by_loop(x, w, o, h):
    B, T, C = x.shape
    d = C // h
    ys = []
    for i in range(h):
        Q, K, V = w[i*d:(i+1)*d], w[C+i*d:C+(i+1)*d], w[2*C+i*d:2*C+(i+1)*d]
        s = (x @ Q.T) @ (x @ K.T).mT / d ** 0.5
        s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
        a = s.softmax(-1)
        y = a @ (x @ V.T)
        ys.append(y)
    return sum(y @ o[j * d:(j + 1) * d].T for j, y in enumerate(ys))
