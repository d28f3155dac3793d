# chip: v3
import tensorflow as tf

train_ds = tf.data.TextLineDataset("/data/train.txt")
train_ds = train_ds.shuffle(10000)
train_ds = train_ds.batch(1024, drop_remainder=True).prefetch(tf.data.AUTOTUNE)  # want: IP001
