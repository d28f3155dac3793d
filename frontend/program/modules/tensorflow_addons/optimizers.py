"""tfa.optimizers."""

from keras.optimizers import (Adadelta, Adagrad, Adam, Adamax, AdamW as _AdamW, Lamb, Nadam,
                              Optimizer, RMSprop, SGD)


class AdamW(_AdamW):
    def __init__(self, weight_decay, learning_rate=0.001, *args, **kwargs):
        _AdamW.__init__(self, learning_rate, weight_decay, *args, **kwargs)


class SGDW(SGD):
    def __init__(self, weight_decay, learning_rate=0.001, momentum=0.0, **kwargs):
        SGD.__init__(self, learning_rate, momentum, weight_decay=weight_decay, **kwargs)


class LAMB(Lamb):
    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-6,
                 weight_decay=0.0, weight_decay_rate=None, exclude_from_weight_decay=None,
                 **kwargs):
        decay = weight_decay if weight_decay_rate is None else weight_decay_rate
        Lamb.__init__(self, learning_rate, beta_1, beta_2, epsilon, weight_decay=decay, **kwargs)


class LazyAdam(Adam):
    pass


class RectifiedAdam(Adam):
    _kind = "RAdam"

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7,
                 weight_decay=0.0, **kwargs):
        Adam.__init__(self, learning_rate, beta_1, beta_2, epsilon, weight_decay=weight_decay,
                      **kwargs)


class NovoGrad(Adam):
    _kind = "NovoGrad"


class Yogi(Adam):
    _kind = "Yogi"

    def __init__(self, learning_rate=0.01, beta1=0.9, beta2=0.999, epsilon=1e-3, **kwargs):
        Adam.__init__(self, learning_rate, beta1, beta2, epsilon, **kwargs)


class COCOB(Optimizer):
    _kind = "COCOB"


class _Around(Optimizer):
    """Another optimizer, of whose weights it keeps an average."""

    def __init__(self, optimizer, *args, **kwargs):
        Optimizer.__init__(self, 0.0)
        from keras import optimizers
        self._inner = optimizers.get(optimizer)

    def _record(self):
        self._inner._record()

    def _train(self, loss, variables):
        self._inner._train(loss, variables)

    def apply_gradients(self, grads_and_vars, *args, **kwargs):
        return self._inner.apply_gradients(grads_and_vars)

    @property
    def learning_rate(self):
        return self._inner.learning_rate

    @learning_rate.setter
    def learning_rate(self, value):
        pass

    lr = learning_rate

    def average_op(self, *args, **kwargs):
        pass

    def assign_average_vars(self, var_list):
        pass


class Lookahead(_Around):
    pass


class SWA(_Around):
    pass


class MovingAverage(_Around):
    pass


class MultiOptimizer(_Around):
    def __init__(self, optimizers_and_layers, *args, **kwargs):
        _Around.__init__(self, optimizers_and_layers[0][0])


def extend_with_decoupled_weight_decay(base):
    class Extended(base):
        def __init__(self, weight_decay, *args, **kwargs):
            base.__init__(self, *args, weight_decay=weight_decay, **kwargs)
    return Extended


class CyclicalLearningRate:
    def __init__(self, initial_learning_rate, maximal_learning_rate=None, step_size=None,
                 *args, **kwargs):
        self.initial_learning_rate = initial_learning_rate

    def initial_rate(self):
        return self.initial_learning_rate

    def __call__(self, step):
        return self.initial_learning_rate


TriangularCyclicalLearningRate = Triangular2CyclicalLearningRate = CyclicalLearningRate
ExponentialCyclicalLearningRate = CyclicalLearningRate
