# chip: v3
import tensorflow as tf

train_ds = tf.data.Dataset.range(50000).shuffle(50000)
train_ds = train_ds.batch(1024, drop_remainder=True).prefetch(2)
iterator = iter(train_ds)  # want: IP005
first = iterator.get_next()
