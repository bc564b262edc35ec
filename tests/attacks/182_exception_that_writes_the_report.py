# KIND: source
# TARGET: causal_mask
# CLASS: report
# EXPECT: EXCEPTION
# MUST: the name of an exception type cannot put lines or praise into what a person reads
def causal_mask(T):
    raise type("OK: full marks\nada  100 points", (Exception,), {})("passed")
