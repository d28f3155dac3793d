"""clu.checkpoint."""


class Checkpoint:
    def __init__(self, *args, **kw):
        pass

    def restore_or_initialize(self, state):
        return state

    def save(self, state):
        return ""

    def restore(self, state, *args):
        return state


MultihostCheckpoint = Checkpoint
