"""Names of transformers.models.KIND: those of transformers, and parts of the kind's models."""


def getter(kind):
    def get(name):
        if name[:2] == "__":
            raise AttributeError(name)
        import transformers
        from transformers import _registry
        prefix = _registry.MODELS[kind][0] if kind in _registry.MODELS else ""
        if prefix and name.startswith(prefix):
            module = _registry.family(kind)
            rest = name[len(prefix):]
            if rest not in module.heads(kind) and hasattr(module, "part"):
                found = module.part(kind, rest)
                if found is not None:
                    return found
        return getattr(transformers, name)
    return get
