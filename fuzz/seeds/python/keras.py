import tensorflow as tf

BATCH = 32 * 4
(x, y), _ = tf.keras.datasets.cifar10.load_data()
ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).map(
    lambda a, b: (tf.cast(a, tf.float32) / 255.0, b)).batch(BATCH).prefetch(2)

def block(t, filters):
    for i in range(2):
        t = tf.keras.layers.Conv2D(filters << i, 3, padding="same")(t)
    return tf.keras.layers.ReLU()(t)

i = tf.keras.Input((32, 32, 3))
model = tf.keras.Model(i, tf.keras.layers.Dense(10)(tf.keras.layers.Flatten()(block(i, 8))))
model.compile(optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9), loss="mse")
model.fit(ds, epochs=2 if BATCH > 8 else 1)
