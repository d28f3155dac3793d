"""gymnasium.vector: several environments side by side."""

from _tilewise_gymwrap import VectorEnv

SyncVectorEnv = AsyncVectorEnv = VectorEnv


class AutoresetMode:
    NEXT_STEP, SAME_STEP, DISABLED = "next", "same", "disabled"


def make(id, num_envs=1, **options):
    import gymnasium
    return VectorEnv([lambda: gymnasium.make(id)] * num_envs)
