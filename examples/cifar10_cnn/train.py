"""Trains a small CNN on CIFAR-10 on a TPU, the way many first programs do it."""

import tensorflow as tf

BATCH_PER_CORE = 512
EPOCHS = 20


def connect():
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    return tf.distribute.TPUStrategy(resolver)


strategy = connect()
global_batch = BATCH_PER_CORE * strategy.num_replicas_in_sync


def normalize(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


(x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()

train_ds = (
    tf.data.Dataset.from_tensor_slices((x_train, y_train))
    .map(normalize)
    .prefetch(tf.data.AUTOTUNE)
    .batch(global_batch)
    .cache()
)

test_ds = (
    tf.data.Dataset.from_tensor_slices((x_test, y_test))
    .map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    .cache()
    .batch(global_batch)
    .prefetch(tf.data.AUTOTUNE)
)


def build_model():
    return tf.keras.Sequential([
        tf.keras.layers.Input(shape=(32, 32, 3)),
        tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(128, 3, padding="same", activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])


with strategy.scope():
    model = build_model()
    model.compile(
        optimizer=tf.keras.optimizers.Adam(learning_rate=1e-3),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )

model.fit(
    train_ds,
    epochs=EPOCHS,
    validation_data=test_ds,
    callbacks=[tf.keras.callbacks.EarlyStopping(patience=3, restore_best_weights=True)],
)
