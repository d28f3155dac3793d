"""Plans of tensor parallelism: the module is read whole."""


class ParallelStyle:
    def __init__(self, *args, **kwargs):
        pass


class ColwiseParallel(ParallelStyle):
    pass


class RowwiseParallel(ParallelStyle):
    pass


class SequenceParallel(ParallelStyle):
    pass


class PrepareModuleInput(ParallelStyle):
    pass


class PrepareModuleOutput(ParallelStyle):
    pass


class PrepareModuleInputOutput(ParallelStyle):
    pass


def parallelize_module(module, device_mesh=None, parallelize_plan=None, **options):
    import _tilewise
    _tilewise.note("tensor parallelism is not spread over cores here: the step is that of the "
                   "whole module")
    return module


class loss_parallel:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False
