"""Callbacks of fit(), which work between epochs."""

from tensorflow import keras


class KerasMetricCallback(keras.callbacks.Callback):
    def __init__(self, metric_fn=None, eval_dataset=None, output_cols=None, label_cols=None,
                 batch_size=None, predict_with_generate=False, use_xla_generation=False,
                 generate_kwargs=None):
        super().__init__()


class PushToHubCallback(keras.callbacks.Callback):
    def __init__(self, output_dir=None, save_strategy="epoch", save_steps=None, tokenizer=None,
                 hub_model_id=None, hub_token=None, checkpoint=False, **more):
        super().__init__()
