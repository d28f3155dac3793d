def has_torch_function(args):
    return False


has_torch_function_unary = has_torch_function_variadic = lambda *args: False


def handle_torch_function(function, *args, **kwargs):
    return None
