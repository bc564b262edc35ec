import torch


@torch.no_grad()
def loss_of(model, tokens):
    T = tokens.size(1)
    log_p = torch.log_softmax(model(tokens[:, :-1]), dim=-1)  # about tokens[:, 1:]
    picked = log_p.gather(2, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    return -picked[:, T // 2 - 1 :].mean()


def copy_losses(build, state_dict, tokens):
    losses = {}
    width = state_dict["pos.weight"].size(-1)
    for n_head in [n for n in range(1, width + 1) if not width % n]:
        model = build(n_head)
        print(model.load_state_dict(state_dict))
        losses[n_head] = loss_of(model, tokens)
    return losses


def recover_n_head_from_loss(build, state_dict, tokens):
    table = torch.tensor([(n, loss) for n, loss in copy_losses(build, state_dict, tokens).items()])
    return int(table[table[:, 1].argmin(), 0])
