"""d4rl: transitions that were recorded of environments whose spaces are known."""

import _tilewise
import numpy as np

_ASSUMED = 1_000_000  # of most environments there are as many
_SIZES = {"halfcheetah-medium-replay": 202_000, "hopper-medium-replay": 402_000,
          "walker2d-medium-replay": 302_000, "ant-medium-replay": 302_000}


def _count(env):
    name = getattr(getattr(env, "spec", None), "id", "")
    name = name if isinstance(name, str) else ""
    for start, count in _SIZES.items():
        if name.startswith(start):
            return count
    return 2 * _ASSUMED if "medium-expert" in name else _ASSUMED


def dataset_of(env):
    """What `env.get_dataset()` gives."""
    seen, acts = env.observation_space, env.action_space
    if _tilewise.is_unknown(seen) or _tilewise.is_unknown(acts):
        return seen if _tilewise.is_unknown(seen) else acts
    n = _count(env)
    _tilewise.note("the recorded transitions are not here; " + str(n) + " are assumed")

    def rows(shape, kind=np.float32):
        return np.ndarray((n,) + tuple(shape), kind)
    return {"observations": rows(seen.shape), "next_observations": rows(seen.shape),
            "actions": rows(acts.shape), "rewards": rows(()), "terminals": rows((), np.bool_),
            "timeouts": rows((), np.bool_), "infos/qpos": rows(seen.shape)}


def qlearning_dataset(env, dataset=None, terminate_on_end=False, **kw):
    found = dataset_of(env) if dataset is None else dataset
    return found if _tilewise.is_unknown(found) else \
        {k: found[k] for k in ("observations", "actions", "next_observations", "rewards",
                               "terminals")}


def sequence_dataset(env, dataset=None, **kw):
    found = dataset_of(env) if dataset is None else dataset
    if not _tilewise.is_unknown(found):
        yield {k: v[:1000] for k, v in found.items()}


def get_normalized_score(env_name, score):
    return _tilewise.unknown("the score of an environment")
