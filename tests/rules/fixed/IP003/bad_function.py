# chip: v3  cores: 1
import tensorflow as tf


def normalize(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


(x, y), _ = tf.keras.datasets.cifar10.load_data()

train_ds = (
    tf.data.Dataset.from_tensor_slices((x, y))
    .map(normalize, num_parallel_calls=tf.data.AUTOTUNE)  # want: IP003, IP004, IP016
    .batch(1000)
    .prefetch(tf.data.AUTOTUNE)
)
