def transformer_auto_wrap_policy(*args, **kwargs):
    return True


size_based_auto_wrap_policy = always_wrap_policy = transformer_auto_wrap_policy
