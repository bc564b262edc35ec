# KIND: source
# TARGET: attention_weights
# CLASS: accident
# EXPECT: OK
# MUST: what Python and the libraries load at first use (to print, save, compare or optimise) is there at every level
import io

import numpy as np
import torch


def attention_weights(scores, may_look):
    weights = torch.softmax(scores.masked_fill(~may_look, -torch.inf), dim=-1)
    print(weights, np.fft.fft(np.ones(4)), "ü".encode("idna"), "ü".encode("cp437"))
    np.testing.assert_allclose(weights.sum(-1), 1.0, rtol=1e-3)
    torch.use_deterministic_algorithms(True)
    with torch.device("cpu"):
        layer = torch.nn.Linear(2, 2)
    layer(torch.ones(1, 2)).sum().backward()
    torch.optim.Adam(layer.parameters()).step()
    torch.func.hessian(lambda x: (x * x).sum())(torch.ones(2))
    file = io.BytesIO()
    torch.save({"weights": weights}, file)
    file.seek(0)
    return torch.load(file, weights_only=True)["weights"]
