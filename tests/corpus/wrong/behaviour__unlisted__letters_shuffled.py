import torch
import torch.nn.functional as F


def copy_losses(build, state_dict, tokens):
    C = state_dict["tok.weight"].shape[1]
    H = tokens.shape[1] // 2
    losses = {}
    for h in range(1, C + 1):
        if C % h == 0:
            model = build(h)
            model.load_state_dict(state_dict)
            model.eval()
            with torch.no_grad():
                logits = model(tokens)
            logits = logits[:, H - 1:-1]
            target = tokens[:, H:]
            losses[h] = F.cross_entropy(logits.transpose(0, 1).reshape(-1, logits.shape[-1]), target.reshape(-1)).item()
    return losses


def recover_n_head_from_loss(build, state_dict, tokens):
    losses = copy_losses(build, state_dict, tokens)
    return min(losses, key=losses.get)
