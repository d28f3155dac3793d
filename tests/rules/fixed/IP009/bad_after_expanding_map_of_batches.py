# chip: v3  cores: 1
import tensorflow as tf


def normalize(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


(x, y), _ = tf.keras.datasets.cifar10.load_data()

train_ds = (
    tf.data.Dataset.from_tensor_slices((x, y))
    .cache()  # want: IP009
    .batch(1000)
    .map(normalize, num_parallel_calls=8)  # want: IP016
    .prefetch(2)
)
