"""stable_baselines3.common.atari_wrappers."""

from _tilewise_gymwrap import AtariPreprocessing, WarpFrame, same

ClipRewardEnv, EpisodicLifeEnv, FireResetEnv, MaxAndSkipEnv, NoopResetEnv = (
    same(n) for n in ("ClipRewardEnv", "EpisodicLifeEnv", "FireResetEnv", "MaxAndSkipEnv",
                      "NoopResetEnv"))


class AtariWrapper(WarpFrame):
    def __init__(self, env, noop_max=30, frame_skip=4, screen_size=84, *args, **kwargs):
        super().__init__(env, screen_size, screen_size)
