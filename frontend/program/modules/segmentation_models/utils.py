"""What programs do with a model that is made."""


def set_trainable(model, recompile=True, **ignored):
    for layer in model.layers:
        layer.trainable = True
    if recompile:
        model.compile(model.optimizer, loss=model.loss)


def set_regularization(model, kernel_regularizer=None, bias_regularizer=None, **others):
    """The weights of a model that is built also cost what the regularizers say."""
    from keras import regularizers
    for layer in model.layers:
        for name, regularizer in (("kernel", kernel_regularizer), ("bias", bias_regularizer)):
            weight = getattr(layer, name, None)
            if regularizer is not None and weight is not None:
                layer._regularizers = layer._regularizers + (
                    (weight, regularizers.get(regularizer)),)
    return model
