import torch


def _remember_heads(module):
    def get_extra_state(self):
        return {"n_heads": self.n_heads}

    def set_extra_state(self, state):
        if state["n_heads"] != self.n_heads:
            raise ValueError(f"checkpoint has {state['n_heads']} heads but this module has {self.n_heads}")

    cls = type(module)
    cls.get_extra_state, cls.set_extra_state = get_extra_state, set_extra_state


def save_checkpoint(path, module):
    _remember_heads(module)
    torch.save(module.state_dict(), path)


def load_checkpoint(path, module):
    _remember_heads(module)
    module.load_state_dict(torch.load(path))
