# chip: v3  cores: 1
import tensorflow as tf


def augment(image, label):
    return tf.image.random_flip_left_right(image), label


(x, y), _ = tf.keras.datasets.cifar10.load_data()

train_ds = (
    tf.data.Dataset.from_tensor_slices((x, y))
    .cache()  # want: IP008
    .map(augment, num_parallel_calls=8)
    .batch(1000)
    .prefetch(2)
)
