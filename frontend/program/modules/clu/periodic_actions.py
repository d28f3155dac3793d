"""clu.periodic_actions: nothing is done."""


class PeriodicAction:
    def __init__(self, *args, **kw):
        pass

    def __call__(self, step, *args, **kw):
        return False

    def timed(self, name, wait_jax_async_dispatch=True):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


ReportProgress = Profile = ProfileAllHosts = PeriodicCallback = PeriodicAction
