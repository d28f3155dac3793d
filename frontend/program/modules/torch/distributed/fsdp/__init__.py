"""torch.distributed.fsdp: each weight is split over the processes."""

from enum import Enum, auto

import _tilewise
import _tilewise_shards
from ...nn._module import Module
from .. import init_process_group


class _Setting:
    def __init__(self, *args, **kwargs):
        self.given = kwargs


class ShardingStrategy(Enum):
    FULL_SHARD = auto()
    SHARD_GRAD_OP = auto()
    NO_SHARD = auto()
    HYBRID_SHARD = auto()
    _HYBRID_SHARD_ZERO2 = auto()


class BackwardPrefetch:
    BACKWARD_PRE, BACKWARD_POST = range(2)


class StateDictType:
    FULL_STATE_DICT, LOCAL_STATE_DICT, SHARDED_STATE_DICT = range(3)


def _setting(name):
    return type(name, (_Setting,), {})


(MixedPrecision, CPUOffload, FullStateDictConfig, ShardedStateDictConfig, LocalStateDictConfig,
 FullOptimStateDictConfig, ShardedOptimStateDictConfig, StateDictConfig, MixedPrecisionPolicy,
 OffloadPolicy, CPUOffloadPolicy, OptimStateKeyType) = [_setting(n) for n in (
     "MixedPrecision", "CPUOffload", "FullStateDictConfig", "ShardedStateDictConfig",
     "LocalStateDictConfig", "FullOptimStateDictConfig", "ShardedOptimStateDictConfig",
     "StateDictConfig", "MixedPrecisionPolicy", "OffloadPolicy", "CPUOffloadPolicy",
     "OptimStateKeyType")]


class _Nothing:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def split(module, strategy=None, mesh=None):
    name = getattr(strategy, "name", None) or "FULL_SHARD"
    if name == "NO_SHARD":
        return
    if mesh is not None:
        _tilewise_shards.over_mesh(module, mesh)
    else:
        _tilewise_shards.over_processes(module, _tilewise.hosts() if "HYBRID" in name else 1)
    if name in ("SHARD_GRAD_OP", "_HYBRID_SHARD_ZERO2"):
        _tilewise_shards.kept_whole(name)


class FullyShardedDataParallel(Module):
    def __init__(self, module, process_group=None, sharding_strategy=None, *args,
                 mixed_precision=None, device_mesh=None, **options):
        Module.__init__(self)
        self.module = module
        split(module, sharding_strategy, device_mesh)
        kind = mixed_precision.given.get("param_dtype") if mixed_precision is not None else None
        if kind is not None:
            module.to(kind)

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def __getattr__(self, name):
        try:
            return Module.__getattr__(self, name)
        except AttributeError:
            return getattr(self.__dict__["module"], name)

    def clip_grad_norm_(self, max_norm, norm_type=2.0):
        pass

    def no_sync(self):
        return _Nothing()

    @staticmethod
    def state_dict_type(*args, **kwargs):
        return _Nothing()

    @staticmethod
    def summon_full_params(*args, **kwargs):
        return _Nothing()

    @staticmethod
    def full_optim_state_dict(*args, **kwargs):
        return {}

    optim_state_dict = optim_state_dict_to_load = set_state_dict_type = full_optim_state_dict


FSDP = FullyShardedDataParallel


FSDPModule = Module


def fully_shard(module, *, mesh=None, reshard_after_forward=None, mp_policy=None, **options):
    """The module stays what it is; it takes what FSDP2 adds to modules."""
    split(module, mesh=mesh)
    if reshard_after_forward is False:
        _tilewise_shards.kept_whole("reshard_after_forward=False")
    kind = mp_policy.given.get("param_dtype") if mp_policy is not None else None
    if kind is not None:
        module.to(kind)
    for name in ("unshard", "reshard", "set_requires_gradient_sync", "set_is_last_backward",
                 "set_modules_to_forward_prefetch", "set_modules_to_backward_prefetch",
                 "set_reshard_after_backward"):
        module.__dict__[name] = _ignored
    return module


def _ignored(*args, **kwargs):
    return None
