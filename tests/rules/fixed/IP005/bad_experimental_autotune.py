# chip: v3
import tensorflow as tf

# train_ds.prefetch(tf.data.experimental.AUTOTUNE) is what it was written for.

AUTOTUNE = tf.data.AUTOTUNE  # want: IP005

train_ds = tf.data.Dataset.range(50000).shuffle(50000)
train_ds = train_ds.batch(1024, drop_remainder=True)
train_ds = train_ds.prefetch(tf.data.AUTOTUNE)
