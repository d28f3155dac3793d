# chip: v3  cores: 1
import tensorflow as tf

(x, y), _ = tf.keras.datasets.cifar10.load_data()

ds = tf.data.Dataset.from_tensor_slices((x, y))
ds = ds  # want: IP002
ds = ds.batch(1000).prefetch(16)
