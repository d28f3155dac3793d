"""Environments of gym and gymnasium: what they show and take; what happens in them is not known."""

import _python
import _tilewise
import numpy

_SHOWN = 400  # steps of an episode at most

# Name up to its version: (shape of what is seen, actions). Actions are a number of choices, or a
# tuple: the shape of a box.
_KNOWN = {
    "CartPole": ((4,), 2), "MountainCar": ((2,), 3), "MountainCarContinuous": ((2,), (1,)),
    "Pendulum": ((3,), (1,)), "Acrobot": ((6,), 3), "LunarLander": ((8,), 4),
    "LunarLanderContinuous": ((8,), (2,)), "BipedalWalker": ((24,), (4,)),
    "BipedalWalkerHardcore": ((24,), (4,)), "CarRacing": ((96, 96, 3), (3,)),
    "FrozenLake": (16, 4), "FrozenLake8x8": (64, 4), "Taxi": (500, 6), "CliffWalking": (48, 4),
    "HalfCheetah": ((17,), (6,)), "Hopper": ((11,), (3,)), "Walker2d": ((17,), (6,)),
    "Ant": ((111,), (8,)), "Humanoid": ((376,), (17,)), "HumanoidStandup": ((376,), (17,)),
    "Swimmer": ((8,), (2,)), "Reacher": ((11,), (2,)), "Pusher": ((23,), (7,)),
    "InvertedPendulum": ((4,), (1,)), "InvertedDoublePendulum": ((11,), (1,)),
    "AntBulletEnv": ((28,), (8,)), "HalfCheetahBulletEnv": ((26,), (6,)),
    "HopperBulletEnv": ((15,), (3,)), "Walker2DBulletEnv": ((22,), (6,)),
    "HumanoidBulletEnv": ((44,), (17,)), "ReacherBulletEnv": ((9,), (2,)),
    "RoboschoolAnt": ((28,), (8,)), "RoboschoolHalfCheetah": ((26,), (6,)),
    "RoboschoolHopper": ((15,), (3,)), "RoboschoolWalker2d": ((22,), (6,)),
    "RoboschoolHumanoid": ((44,), (17,)),
}
_NEWER = {"Ant-v4": 27, "Ant-v5": 105, "Humanoid-v5": 348, "HumanoidStandup-v5": 348,
          "Reacher-v5": 10, "InvertedDoublePendulum-v5": 9}
# Environments that data sets of earlier runs were gathered in have further words in their names:
# halfcheetah-medium-expert-v2, antmaze-umaze-v2, pen-human-v1.
_GATHERED = {
    "halfcheetah": _KNOWN["HalfCheetah"], "hopper": _KNOWN["Hopper"],
    "walker2d": _KNOWN["Walker2d"], "ant": _KNOWN["Ant"], "antmaze": ((29,), (8,)),
    "maze2d": ((4,), (2,)), "pen": ((45,), (24,)), "door": ((39,), (28,)),
    "hammer": ((46,), (26,)), "relocate": ((39,), (30,)), "kitchen": ((60,), (9,)),
}
_ATARI = {"Pong": 6, "Breakout": 4, "SpaceInvaders": 6, "Qbert": 6, "Seaquest": 18,
          "BeamRider": 9, "Enduro": 9, "MsPacman": 9, "Assault": 7, "Asterix": 9, "Asteroids": 14,
          "Boxing": 18, "Freeway": 3, "Frostbite": 18, "Alien": 18, "Amidar": 10, "Atlantis": 4,
          "Centipede": 18, "DemonAttack": 6, "Gopher": 8, "Hero": 18, "Kangaroo": 18, "Krull": 18,
          "KungFuMaster": 14, "MontezumaRevenge": 18, "Riverraid": 18, "RoadRunner": 18,
          "Robotank": 18, "Tennis": 18, "Tutankham": 8, "VideoPinball": 9, "WizardOfWor": 10}


class Space:
    shape, dtype = None, None

    def __class_getitem__(cls, item):
        return cls

    def seed(self, seed=None):
        return [seed]

    def contains(self, x):
        return True

    __contains__ = contains


class Box(Space):
    def __init__(self, low=None, high=None, shape=None, dtype="float32", seed=None):
        if shape is None:
            shape = numpy.array(low).shape
        self.shape, self.dtype = tuple(shape), numpy.dtype(dtype)
        self.low, self.high = self._bound(low), self._bound(high)

    def _bound(self, value):
        if isinstance(value, (int, float)):
            return numpy.full(self.shape, value, "float32")
        if value is not None and getattr(value, "shape", self.shape) == ():
            return numpy.ndarray(list(self.shape), "float32")
        return value if value is not None else numpy.ndarray(list(self.shape), "float32")

    def sample(self, mask=None):
        return numpy.ndarray(list(self.shape), self.dtype)

    def is_bounded(self, manner="both"):
        return True


class Discrete(Space):
    shape = ()

    def __init__(self, n, seed=None, start=0):
        self.n, self.start, self.dtype = n, start, numpy.int64

    def sample(self, mask=None):
        return 0


class MultiDiscrete(Space):
    def __init__(self, nvec, dtype="int64", seed=None, start=None):
        self.nvec = numpy.array(nvec)
        self.shape, self.dtype = self.nvec.shape, numpy.dtype(dtype)

    def sample(self, mask=None):
        return numpy.zeros(self.shape, "int64")


class MultiBinary(Space):
    def __init__(self, n, seed=None):
        self.n, self.dtype = n, numpy.int8
        self.shape = (n,) if isinstance(n, int) else tuple(n)

    def sample(self, mask=None):
        return numpy.zeros(self.shape, "int8")


class Tuple(Space):
    def __init__(self, spaces, seed=None):
        self.spaces = tuple(spaces)

    def __getitem__(self, i):
        return self.spaces[i]

    def __len__(self):
        return len(self.spaces)

    def sample(self, mask=None):
        return tuple([s.sample() for s in self.spaces])


class Dict(Space):
    def __init__(self, spaces=None, seed=None, **more):
        self.spaces = dict(spaces or {}, **more)

    def __getitem__(self, key):
        return self.spaces[key]

    def items(self):
        return self.spaces.items()

    def keys(self):
        return self.spaces.keys()

    def sample(self, mask=None):
        return {k: s.sample() for k, s in self.spaces.items()}


def flatdim(space):
    if isinstance(space, Discrete):
        return space.n
    n = 1
    for k in space.shape:
        n *= k
    return n


def flatten_space(space):
    return Box(-1.0, 1.0, (flatdim(space),))


# ---- environments


class Spec:
    def __init__(self, id):
        self.id, self.name = id, id
        self.max_episode_steps = 200 if id == "CartPole-v0" else 500 if "CartPole" in id else 1000
        self.reward_threshold = 1e9
        self.kwargs = {}


class Env:
    metadata = {"render_modes": [], "render.modes": [], "video.frames_per_second": 30}
    reward_range = (-1e9, 1e9)
    render_mode, spec = None, None
    action_space = observation_space = None
    new = False  # five results, and a pair from reset

    def __class_getitem__(cls, item):
        return cls

    @property
    def unwrapped(self):
        return self

    @property
    def np_random(self):
        return numpy.random

    def seed(self, seed=None):
        return [seed]

    def reset(self, seed=None, options=None, **rest):
        return None

    def render(self, mode="human", **rest):
        return numpy.ndarray([400, 600, 3], "uint8")

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def get_action_meanings(self):
        return ["NOOP", "FIRE", "UP", "RIGHT"]

    def get_wrapper_attr(self, name):
        return getattr(self, name)


class _Console:
    """What emulators of games tell."""

    def lives(self):
        return _tilewise.unknown("the lives that are left")

    def getMinimalActionSet(self):
        return list(range(18))

    getLegalActionSet = getMinimalActionSet

    def getRAM(self):
        return numpy.ndarray([128], "uint8")

    def getScreenGrayscale(self, screen=None):
        return screen

    getScreenRGB = getScreenRGB2 = getScreenGrayscale


class Known(Env):
    """One of which only the spaces are known."""

    ale = _Console()

    def __init__(self, id, new, render_mode=None):
        self.spec, self.new, self.render_mode = Spec(id), new, render_mode
        self._taken = 0
        self._max_episode_steps = self.spec.max_episode_steps

    def seen(self):
        space = self.observation_space
        return space.sample()

    def get_dataset(self, *args, **kw):
        """What was recorded of it, where it is one of d4rl."""
        from d4rl import dataset_of
        return dataset_of(self)

    def get_normalized_score(self, score):
        return _tilewise.unknown("the score of an environment")

    @property
    def ale(self):
        """The emulator of an Atari game; other environments have none."""
        if len(getattr(self.observation_space, "shape", ())) != 3:
            raise AttributeError(type(self).__name__ + " has no attribute 'ale'")
        return _Console()

    def reset(self, seed=None, options=None, **rest):
        self._taken = 0
        return (self.seen(), {}) if self.new else self.seen()

    def step(self, action):
        self._taken += 1
        over = self._taken >= min(_SHOWN, self._max_episode_steps)
        if self.new:
            return self.seen(), 0.0, over, False, {}
        return self.seen(), 0.0, over, {}


class Atari(Known):
    pass


class atari:
    """What gym.envs.atari has."""

    class atari_env:
        AtariEnv = Atari


def _space(size, picture):
    if isinstance(size, int):
        return Discrete(size)
    if picture:
        return Box(0, 255, size, "uint8")
    return Box(-1.0, 1.0, size, "float32")


def spaces_of(id):
    """Both spaces of an environment; None where it is not known."""
    name = id.split("/")[-1]
    base = name.rsplit("-v", 1)[0]
    if base in _KNOWN:
        shape, action = _KNOWN[base]
        if name in _NEWER:
            shape = (_NEWER[name],)
        return _space(shape, len(shape) == 3 if isinstance(shape, tuple) else False), \
            _space(action, False)
    gathered = _GATHERED.get(base.split("-")[0]) if "-" in base else None
    if gathered is not None:
        return _space(gathered[0], False), _space(gathered[1], False)
    game = base
    for end in ("NoFrameskip", "Deterministic"):
        game = game.replace(end, "")
    ram = game.endswith("-ram") or "-ram" in name
    game = game.replace("-ram", "")
    if game in _ATARI or "NoFrameskip" in name or id.startswith("ALE/"):
        if game not in _ATARI:
            _tilewise.note("how many actions " + id + " has is not known; 18 are taken")
        return Box(0, 255, (128,) if ram else (210, 160, 3), "uint8"), \
            Discrete(_ATARI.get(game, 18))
    return None


class _Registry(dict):
    """What programs ask whether an environment is there: those that are known, of any version."""

    def __init__(self):
        names = list(_KNOWN) + [game + end for game in _ATARI
                                for end in ("", "NoFrameskip", "Deterministic", "-ram")]
        for name in names:
            for version in range(6):
                self._add(name + "-v" + str(version))
        for game in _ATARI:
            self._add("ALE/" + game + "-v5")

    def _add(self, id):
        self[id] = Spec(id)

    @property
    def env_specs(self):
        return self

    def all(self):
        return list(self.values())


REGISTRY = _Registry()
_registered = {}


def register(id=None, entry_point=None, **rest):
    REGISTRY._add(id)
    _registered[id] = (entry_point, rest.get("kwargs") or {})


def _own(id, options):
    point, kwargs = _registered[id]
    kwargs = dict(kwargs, **options)
    if isinstance(point, str):
        path, _, name = point.partition(":")
        point = getattr(_python.import_module(path), name)
    return point(**kwargs)


def make(id, new, options):
    if _tilewise.is_unknown(id):
        return id
    if not isinstance(id, str):
        return _tilewise.unknown("an environment")
    if id in _registered:
        return _own(id, options)
    found = spaces_of(id)
    if found is None:
        return _tilewise.unknown("what the environment " + id + " shows and takes")
    kind = Atari if len(found[0].shape or ()) == 3 else Known
    env = kind(id, new, options.get("render_mode"))
    env.observation_space, env.action_space = found
    return env


def five_results():
    """Whether the program takes five results from step, as gym gives since 0.26."""
    import sys
    text = _python.read_file(sys.argv[0]) if sys.argv else None
    if text is None:
        return False
    for line in text.split("\n"):
        before, sign, after = line.partition("=")
        if sign and ".step(" in after and "env" in after.split(".step(")[0]:
            if before.count(",") == 4:
                return True
            if before.count(",") == 3:
                return False
    return "terminated" in text or "truncated" in text
