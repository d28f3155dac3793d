# chip: v3
import tensorflow as tf


def parse(record):
    example = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.image.decode_jpeg(example["image"], channels=3)
    return tf.image.resize(image, (224, 224)), example["label"]


def load(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)  # want: IP016
    ds = ds.shuffle(2048)
    ds = ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)  # want: IP001
    return ds
