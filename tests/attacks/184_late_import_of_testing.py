# KIND: source
# TARGET: attention_weights
# CLASS: accident
# EXPECT: OK
# MUST: what torch itself imports at the first assert_close is there at every level of isolation
import torch


def attention_weights(scores, may_look):
    weights = torch.softmax(scores.masked_fill(~may_look, -torch.inf), dim=-1)
    torch.testing.assert_close(weights.sum(-1), torch.ones(len(scores), dtype=weights.dtype))
    return weights
