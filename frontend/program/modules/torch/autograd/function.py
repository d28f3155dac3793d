class FunctionCtx:
    saved_tensors = ()
    needs_input_grad = (True,) * 16

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *tensors):
        pass

    mark_dirty = mark_non_differentiable

    def set_materialize_grads(self, value):
        pass


class Function:
    @classmethod
    def apply(cls, *args, **kwargs):
        context = FunctionCtx()
        if hasattr(cls, "setup_context"):
            result = cls.forward(*args, **kwargs)
            cls.setup_context(context, args, result)
            return result
        return cls.forward(context, *args, **kwargs)


InplaceFunction = NestedIOFunction = Function


def once_differentiable(function):
    return function
