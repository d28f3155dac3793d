"""Optimizers whose state is spread over the processes."""


def ZeroRedundancyOptimizer(params, optimizer_class=None, **options):
    for name in ("process_group", "parameters_as_bucket_view", "overlap_with_ddp"):
        options.pop(name, None)
    return optimizer_class(params, **options)
