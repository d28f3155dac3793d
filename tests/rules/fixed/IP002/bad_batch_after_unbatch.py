# chip: v3  cores: 1
import tensorflow as tf

(x, y), _ = tf.keras.datasets.cifar10.load_data()

train_ds = (
    tf.data.Dataset.from_tensor_slices((x, y))
    .batch(1000)
    .unbatch()
    .batch(200, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)  # want: IP002
)
