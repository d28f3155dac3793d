# chip: v3  cores: 1
import tensorflow as tf

(x, y), _ = tf.keras.datasets.cifar10.load_data()

train_ds = (
    tf.data.Dataset.from_tensor_slices((x, y))
    .shuffle(10000)  # want: IP010
    .repeat()
    .batch(1000)
    .prefetch(2)
)
