# chip: v3
import tensorflow as tf

resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
strategy = tf.distribute.TPUStrategy(resolver)
(x, y), _ = tf.keras.datasets.cifar10.load_data()

train_ds = tf.data.Dataset.from_tensor_slices((x, y)).cache().repeat().batch(4000, drop_remainder=True).prefetch(2)  # want: AL002

with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(128, 3, activation="relu", input_shape=(32, 32, 3)),  # want: AL005
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", steps_per_execution=200)  # want: HL001, PR001

model.fit(train_ds, steps_per_epoch=500, epochs=20)
