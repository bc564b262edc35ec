import torch


def two_heads(T, category, n_cat):
    def stack(position, kind):
        return torch.cat([position, kind], dim=0)

    shift = torch.diag(torch.ones(T - 1), diagonal=-1)
    W_q1 = stack(5 * shift, torch.zeros(n_cat, T))
    W_k1 = stack(2 * torch.eye(T), torch.zeros(n_cat, T))
    W_2 = stack(torch.zeros(T, n_cat), 3.5 * torch.eye(n_cat))
    return W_q1, W_k1, W_2, W_2.clone()
