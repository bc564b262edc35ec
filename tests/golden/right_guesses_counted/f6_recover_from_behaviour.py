import torch


def copy_losses(build, state_dict, tokens):
    C, H = state_dict["tok.weight"].shape[1], tokens.shape[1] // 2
    wrong = {}
    for n_head in range(1, C + 1):
        if C % n_head == 0:
            model = build(n_head)
            model.load_state_dict(state_dict)
            with torch.no_grad():
                guesses = model(tokens)[:, H - 1 : -1].argmax(dim=-1)
            wrong[n_head] = (guesses != tokens[:, H:]).float().mean().item()
    return wrong


def recover_n_head_from_loss(build, state_dict, tokens):
    wrong = copy_losses(build, state_dict, tokens)
    return min(wrong, key=wrong.get)
