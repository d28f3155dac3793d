# chip: v3  cores: 1
import tensorflow as tf

(x, y), _ = tf.keras.datasets.cifar10.load_data()

train_ds = (
    tf.data.Dataset.from_tensor_slices((x, y))
    .map(lambda a, b: (tf.cast(a, tf.float32), b), num_parallel_calls=tf.data.AUTOTUNE)  # want: IP003, IP004, IP016
    .batch(1000)
    .prefetch(2)
)
