import numpy as np
import torch.nn.functional as F
from torch import inference_mode


def copy_losses(build, state_dict, tokens):
    found = {}
    length = tokens.shape[1]
    for n_head in reversed(range(1, 49)):
        try:
            model = build(n_head)
        except ValueError:
            continue
        model.load_state_dict(state_dict)
        with inference_mode():
            loss = F.cross_entropy(model(tokens).transpose(1, 2)[..., :-1], tokens[..., 1:], reduction="none")
        found[n_head] = np.mean(loss.double().numpy()[:, length // 2 - 1 :])
    return found


def recover_n_head_from_loss(build, state_dict, tokens):
    losses = copy_losses(build, state_dict, tokens)
    return sorted(losses.items(), key=lambda item: item[1])[0][0]
