def apply_to_collection(data, dtype, function, *args, **kwargs):
    if isinstance(data, dtype):
        return function(data)
    if isinstance(data, dict):
        return {k: apply_to_collection(v, dtype, function) for k, v in data.items()}
    if isinstance(data, (list, tuple)):
        return type(data)([apply_to_collection(v, dtype, function) for v in data])
    return data
