# KIND: source
# TARGET: causal_mask
# CLASS: results
# EXPECT: WRONG_TYPE
# MUST: a list that holds itself is no data, and is said to be none before memory or the stack runs out
def causal_mask(T):
    kept = []
    kept.append(kept)
    return kept
