"""orbax.checkpoint: nothing is saved; what is restored is what is given."""

import _tilewise as _t


class _Saver:
    def __init__(self, *args, **kw):
        pass

    def save(self, *args, **kw):
        return True

    def restore(self, step=None, *args, **kw):
        for v in list(args) + [kw.get("item"), kw.get("items")]:
            if v is not None and not isinstance(v, (str, int)):
                return v
        return _t.unknown("what a checkpoint holds")

    def latest_step(self):
        return None

    def all_steps(self, *args):
        return []

    def should_save(self, step):
        return False

    def wait_until_finished(self):
        return None

    def check_for_errors(self):
        return None

    def reached_preemption(self, step):
        return False

    def reload(self):
        return None

    def item_metadata(self, step):
        return _t.unknown("what a checkpoint holds")

    def metadata(self, *args):
        return _t.unknown("what a checkpoint holds")

    def close(self):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False

    def __call__(self, *args, **kw):
        return self


PyTreeCheckpointer = Checkpointer = AsyncCheckpointer = StandardCheckpointer = _Saver
CheckpointManager = CheckpointManagerOptions = PyTreeCheckpointHandler = _Saver
StandardCheckpointHandler = JsonCheckpointHandler = SaveArgs = RestoreArgs = _Saver
ArrayRestoreArgs = Checkpoint = Options = PyTreeSave = PyTreeRestore = StandardSave = _Saver
StandardRestore = ArrayCheckpointHandler = _Saver


class args:
    Composite = StandardSave = StandardRestore = PyTreeSave = PyTreeRestore = _Saver
    JsonSave = JsonRestore = ArraySave = ArrayRestore = CheckpointArgs = _Saver

    @staticmethod
    def register_with_handler(*args, **kw):
        return lambda given: given


class utils:
    @staticmethod
    def fully_replicated_host_local_array_to_global_array(x):
        return x

    @staticmethod
    def checkpoint_steps(*args):
        return []


class checkpoint_utils:
    construct_restore_args = staticmethod(lambda *args, **kw: None)


class test_utils:
    pass


class type_handlers:
    register_type_handler = staticmethod(lambda *args, **kw: None)


class multihost:
    sync_global_processes = staticmethod(lambda *args, **kw: None)
