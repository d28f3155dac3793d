"""Optimizers of transformers for Keras."""

from tensorflow import keras


class WarmUp(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, initial_learning_rate, decay_schedule_fn, warmup_steps, power=1.0,
                 name=None):
        self.initial_learning_rate = initial_learning_rate
        self.decay_schedule_fn = decay_schedule_fn
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        return self.initial_learning_rate


class AdamWeightDecay(keras.optimizers.AdamW):
    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, amsgrad=False,
                 weight_decay_rate=0.0, include_in_weight_decay=None,
                 exclude_from_weight_decay=None, name="AdamWeightDecay", **more):
        super().__init__(learning_rate=learning_rate, weight_decay=weight_decay_rate,
                         beta_1=beta_1, beta_2=beta_2, epsilon=epsilon)


def create_optimizer(init_lr, num_train_steps, num_warmup_steps, min_lr_ratio=0.0, adam_beta1=0.9,
                     adam_beta2=0.999, adam_epsilon=1e-8, adam_clipnorm=None,
                     adam_global_clipnorm=None, weight_decay_rate=0.0, power=1.0,
                     include_in_weight_decay=None):
    schedule = keras.optimizers.schedules.PolynomialDecay(
        initial_learning_rate=init_lr, decay_steps=num_train_steps - num_warmup_steps,
        end_learning_rate=init_lr * min_lr_ratio, power=power)
    if num_warmup_steps:
        schedule = WarmUp(init_lr, schedule, num_warmup_steps)
    if weight_decay_rate > 0.0:
        made = AdamWeightDecay(learning_rate=schedule, weight_decay_rate=weight_decay_rate,
                               beta_1=adam_beta1, beta_2=adam_beta2, epsilon=adam_epsilon)
    else:
        made = keras.optimizers.Adam(learning_rate=schedule, beta_1=adam_beta1, beta_2=adam_beta2,
                                     epsilon=adam_epsilon)
    return made, schedule
