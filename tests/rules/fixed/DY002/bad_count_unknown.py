# chip: v3  cores: 1
import tensorflow as tf

(x, y), _ = tf.keras.datasets.cifar10.load_data()

train_ds = (
    tf.data.Dataset.from_tensor_slices((x, y))
    .filter(lambda a, b: b[0] < 5)
    .batch(1000, drop_remainder=True)  # want: DY002
    .prefetch(2)
)
