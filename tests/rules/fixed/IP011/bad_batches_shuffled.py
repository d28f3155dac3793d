# chip: v3
import tensorflow as tf

(x, y), _ = tf.keras.datasets.cifar10.load_data()

train_ds = (
    tf.data.Dataset.from_tensor_slices((x, y))
    .shuffle(102400)  # want: IP011
    .batch(1024, drop_remainder=True)
    .prefetch(2)
)
