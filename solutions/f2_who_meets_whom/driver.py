"""How the worker drives the two functions: head_of_channel is asked for many channels in one probe."""

from numbers import Integral


def drive(learner, inputs, ask):
    """Channels go to head_of_channel one by one; without channels it is mixture that is asked."""
    if "channels" in inputs:
        head_of_channel = learner["head_of_channel"]
        return {"result": [head_of_channel(c, inputs["d_model"], inputs["n_head"]) for c in inputs["channels"]]}
    found = learner["mixture"](inputs["j"], inputs["C"], inputs["h_trained"], inputs["h_loaded"])
    if isinstance(found, dict):  # a Counter, and NumPy integers as keys, are as good as a plain dict
        found = {str(int(head)) if isinstance(head, Integral) else repr(head): n for head, n in found.items()}
    return {"result": found}
