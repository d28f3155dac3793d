# chip: v3
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE  # want: IP005

train_ds = tf.data.Dataset.range(50000).shuffle(50000)
train_ds = train_ds.batch(1024, drop_remainder=True)
train_ds = train_ds.prefetch(tf.data.AUTOTUNE)
