"""tf.types."""


class experimental:
    class Tensor:
        pass

    TensorLike = GenericFunction = Callable = Tensor
