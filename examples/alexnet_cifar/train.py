"""A network of AlexNet's shape (one tower, no dense head) on CIFAR-10, TF 1 style.

The batch ladder of this program was measured on a Colab v2-8: see
docs/accuracy.md.
"""

import tensorflow as tf

BATCH = 1024

(x_train, y_train), _ = tf.keras.datasets.cifar10.load_data()
x_train = x_train.astype("float32") / 255.0
y_train = tf.keras.utils.to_categorical(y_train, 10)


def conv(x, filters):
    return tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)


inputs = tf.keras.layers.Input((32, 32, 3))
x = conv(inputs, 48)
x = tf.keras.layers.MaxPooling2D(2)(x)
x = conv(x, 128)
x = tf.keras.layers.MaxPooling2D(2)(x)
x = conv(x, 192)
x = conv(x, 192)
x = conv(x, 128)
x = tf.keras.layers.MaxPooling2D(2)(x)
x = tf.keras.layers.GlobalAveragePooling2D()(x)
outputs = tf.keras.layers.Dense(10, activation="softmax")(x)

model = tf.keras.models.Model(inputs, outputs)
model.compile(tf.train.MomentumOptimizer(0.01, 0.9), loss="categorical_crossentropy", metrics=["acc"])

tpu_model = tf.contrib.tpu.keras_to_tpu_model(
    model,
    strategy=tf.contrib.tpu.TPUDistributionStrategy(
        tf.contrib.cluster_resolver.TPUClusterResolver()))
tpu_model.fit(x_train, y_train, batch_size=BATCH, epochs=20)
