// Notebooks of Kaggle, and data whose files are not here: text in, values out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> read = ReadPython({"t.py", "import tensorflow as tf\n" + text}, {8});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? std::move(*read) : Workload{};
}

TEST(PythonFiles, FilesThatAreAssumedAreNotCounted) {
  const Workload w = Read(R"(
import glob
pairs = [(p, 1) for p in glob.glob("data/train/*/*.jpg")]
pairs = pairs[:int(0.9 * len(pairs))]
train_ds = tf.data.Dataset.from_tensor_slices(([p for p, _ in pairs], [n for _, n in pairs]))
train_ds = train_ds.batch(8)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_FALSE(w.pipelines[0].source_items.has_value());
  EXPECT_TRUE(w.host_loop.length_assumed);
}

TEST(PythonFiles, CellsOfAConvertedNotebookRun) {
  const Workload w = Read(R"(
get_ipython().run_cell_magic('time', '', 'BATCH = 24\n')
get_ipython().system('ls')
train_ds = tf.data.Dataset.range(1000).batch(BATCH)
)");
  EXPECT_EQ(w.declared_global_batch(), 24);
}

TEST(PythonFiles, EfficientNetsOfTheirOwnPackageAreRead) {
  const Workload w = Read(R"(
import efficientnet.tfkeras as efn
model = efn.EfficientNetB0(weights='noisy-student', include_top=False, input_shape=(224, 224, 3))
model.compile('adam', 'mse')
)");
  ASSERT_TRUE(w.model_size.has_value());
  EXPECT_EQ(w.model_size->trainable, 4007548);
}

TEST(PythonFiles, AMaskOfAttentionMayHaveADimForHeads) {
  const Workload w = Read(R"(
ids = tf.keras.Input((20,), dtype='int32')
x = tf.keras.layers.Embedding(100, 32, mask_zero=True)(ids)
mask = tf.cast(tf.not_equal(ids, 0), 'int32')[:, tf.newaxis, tf.newaxis, :]
x = tf.keras.layers.MultiHeadAttention(4, 8)(x, x, attention_mask=mask)
model = tf.keras.Model(ids, tf.keras.layers.Dense(3)(x))
model.compile('adam', 'mse')
model.fit(tf.zeros((64, 20)), tf.zeros((64, 20, 3)), batch_size=8)
)");
  EXPECT_TRUE(w.graph.has_value());
}

TEST(PythonFiles, APackageThatIsNotHereKeepsTheShapesOfImages) {
  const Workload w = Read(R"(
from some_augmentation_package import augment
images = tf.data.Dataset.from_tensor_slices((tf.zeros((512, 32, 32, 3)), tf.zeros((512, 4))))
train_ds = images.map(lambda x, y: (augment(x), y)).batch(64)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(4)])
model.compile('adam', 'mse')
model.fit(train_ds)
)");
  ASSERT_TRUE(w.model_size.has_value());
  EXPECT_EQ(w.model_size->trainable, 32 * 32 * 3 * 4 + 4);
}

}  // namespace
}  // namespace tilewise
