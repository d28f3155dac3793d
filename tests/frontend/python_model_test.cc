// Models and training settings of Python scripts: text in, values out.

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/load.h"
#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> read = ReadPython(
      {"t.py", "import tensorflow as tf\nfrom tensorflow.keras import layers\n" + text}, {});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? std::move(*read) : Workload{};
}

// A model that is trained has its loss as the result.
std::string ResultShape(const Workload& w) {
  if (!w.graph.has_value()) return "no graph";
  return FormatShape(w.graph->op(w.graph->outputs().at(0).value).shape);
}

TEST(PythonModel, SequentialBuiltInALoop) {
  const Workload w = Read(R"(
model = tf.keras.Sequential()
model.add(layers.Input((32, 32, 3)))
for n in [16, 32]:
    model.add(layers.Conv2D(n, 3, padding="same"))
    model.add(layers.MaxPooling2D())
model.add(layers.Flatten())
model.add(layers.Dense(10))
)");
  EXPECT_EQ(ResultShape(w), "f32[N,10]");
  EXPECT_EQ(w.graph->trainable_parameters(),
            3 * 9 * 16 + 16 + 16 * 9 * 32 + 32 + 8 * 8 * 32 * 10 + 10);
}

TEST(PythonModel, AnInputMayHaveTheShapeOfLabels) {
  const Workload w = Read(R"(
x = tf.keras.Input([4])
labels = tf.keras.Input(tf.keras.Input([]).shape[1:])
model = tf.keras.Model((x, labels), layers.Dense(3)(x) * tf.one_hot(tf.cast(labels, tf.int32), 3))
)");
  EXPECT_EQ(ResultShape(w), "f32[N,3]");
}

TEST(PythonModel, ComplexArraysHaveTwoParts) {
  const Workload w = Read(R"(
import numpy as np
waves = np.zeros((64, 8), np.complex64)
x = tf.keras.Input([64])
model = tf.keras.Model(x, tf.matmul(x, waves.real) + tf.matmul(x, waves.imag))
)");
  EXPECT_EQ(ResultShape(w), "f32[N,8]");
}

TEST(PythonModel, FunctionalWithFunctionsAndOperators) {
  const Workload w = Read(R"(
def block(x, n):
    y = layers.Conv2D(n, 3, padding="same")(x)
    y = tf.nn.relu(y)
    if x.shape[-1] != n:
        x = layers.Conv2D(n, 1)(x)
    return x + y
inputs = tf.keras.Input(shape=(8, 8, 3))
x = block(inputs, 4)
x = block(x, 4)
model = tf.keras.Model(inputs, layers.GlobalAveragePooling2D()(x))
)");
  EXPECT_EQ(ResultShape(w), "f32[N,4]");
  EXPECT_EQ(w.graph->trainable_parameters(), 3 * 9 * 4 + 4 + 3 * 4 + 4 + 4 * 9 * 4 + 4);
}

TEST(PythonModel, NestedSequentialIsCalledInPlace) {
  const Workload w = Read(R"(
body = tf.keras.Sequential([layers.Dense(4), layers.Dense(5)])
i = tf.keras.Input((3,))
model = tf.keras.Model(inputs=i, outputs=body(i))
)");
  EXPECT_EQ(ResultShape(w), "f32[N,5]");
}

TEST(PythonModel, InputShapeComesFromFittedArrays) {
  const Workload w = Read(R"(
(x, y), _ = tf.keras.datasets.mnist.load_data()
x = x.reshape(-1, 784).astype("float32") / 255
model = tf.keras.Sequential([layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, y, batch_size=128, epochs=3)
)");
  EXPECT_EQ(ResultShape(w), "f32[]");
  EXPECT_EQ(w.graph->trainable_parameters(), 784 * 10 + 10);
  EXPECT_EQ(w.declared_global_batch(), 128);
  EXPECT_EQ(w.training_pipeline()->source_items, 60000);
  EXPECT_TRUE(w.host_loop.epochs.is(3));
}

TEST(PythonModel, CompileAndFitSettings) {
  const Workload w = Read(R"(
class Log(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        pass
model = tf.keras.Sequential([layers.Dense(1, input_shape=(2,))])
opt = tf.keras.optimizers.SGD(learning_rate=0.1, momentum=0.9)
model.compile(optimizer=opt, steps_per_execution=50,
              loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, steps_per_epoch=100, callbacks=[Log(), tf.keras.callbacks.EarlyStopping()])
)");
  ASSERT_TRUE(w.training.has_value());
  EXPECT_EQ(w.training->optimizer, OptimizerKind::kMomentum);
  EXPECT_EQ(w.training->learning_rate, 0.1);
  EXPECT_TRUE(w.training->from_logits);
  EXPECT_TRUE(w.training->sparse_labels);
  EXPECT_TRUE(w.host_loop.steps_per_execution.is(50));
  EXPECT_EQ(w.host_loop.steps_per_execution_location.line, 9);
  EXPECT_TRUE(w.host_loop.steps_per_epoch.is(100));
  ASSERT_EQ(w.host_loop.callbacks.size(), 2u);
  EXPECT_TRUE(w.host_loop.callbacks[0].per_batch);
  EXPECT_FALSE(w.host_loop.callbacks[1].per_batch);
}

TEST(PythonModel, UnknownLayerArgumentIsNotedAndNotGuessed) {
  const Workload w = Read(R"(
import sys
model = tf.keras.Sequential([layers.Dense(int(sys.argv[1]), input_shape=(2,))])
)");
  EXPECT_FALSE(w.graph.has_value());
  ASSERT_FALSE(w.notes.empty());
  EXPECT_THAT(w.notes[0].message, testing::HasSubstr("IndexError"));
  EXPECT_EQ(w.notes[0].location.line, 5);
}

TEST(PythonModel, LibraryModelsAreBuilt) {
  const Workload w = Read("m = tf.keras.applications.ResNet50()\nm.compile('adam', 'mse')\n");
  ASSERT_TRUE(w.graph.has_value());
  EXPECT_EQ(w.graph->trainable_parameters(), 25583592);
}

TEST(PythonModel, CallsCarryFullNamesAndPlaces) {
  const Workload w = Read(R"(
def f(x):
    return tf.tile(x, [2])
ds = tf.data.Dataset.range(3).map(f)
y = tf.nn.moments(x, 0)
)");
  std::vector<std::string> names;
  for (const SourceCall& call : w.facts.calls) {
    names.push_back(call.name + (call.in_dataset_function ? "*" : ""));
  }
  EXPECT_THAT(names, testing::IsSupersetOf(
                         {std::string("tensorflow.tile*"), std::string("tensorflow.nn.moments")}));
}

TEST(PythonModel, NotebookCellsShareNamesAndKeepPlaces) {
  const std::string notebook = R"json({"nbformat": 4, "cells": [
    {"cell_type": "markdown", "source": "# hi"},
    {"cell_type": "code", "source": ["!pip install x\n", "import tensorflow as tf"]},
    {"cell_type": "code", "source": "ds = tf.data.Dataset.range(4)\nds = ds.batch(2)"}]})json";
  const absl::StatusOr<Workload> w = ReadNotebook({"n.ipynb", notebook}, {});
  ASSERT_TRUE(w.ok()) << w.status();
  const Location& at = w->pipelines.at(0).batch()->location;
  EXPECT_EQ(at.cell, 2);
  EXPECT_EQ(at.line, 2);
}

TEST(PythonModel, HostileTextEndsInOneMessage) {
  const std::string deep =
      "x = " + std::string(100000, '(') + "1" + std::string(100000, ')') + "\n";
  const absl::StatusOr<Workload> w = ReadPython({"t.py", deep}, {});
  ASSERT_FALSE(w.ok());
  EXPECT_THAT(std::string(w.status().message()), testing::HasSubstr("nested more than"));
  EXPECT_FALSE(ReadPython({"t.py", std::string(5 << 20, '[')}, {}).ok());
  EXPECT_TRUE(ReadPython({"t.py", "def f():\n  f()\n  f()\nf()\n"}, {}).ok());
  EXPECT_TRUE(ReadPython({"t.py", "while True:\n  x = 1\n"}, {}).ok());
  EXPECT_TRUE(ReadPython({"t.py", "a=[0]\nwhile a: a = a + a\n"}, {}).ok());
}

TEST(PythonModel, SyntaxErrorIsNotedAndTheRestIsRead) {
  const Workload w = Read("x = = 3\nds = tf.data.Dataset.range(4).batch(2)\n");
  EXPECT_EQ(w.pipelines.size(), 1u);
  ASSERT_FALSE(w.notes.empty());
  EXPECT_EQ(w.notes[0].rule, "RD003");
  EXPECT_EQ(w.notes[0].location.line, 3);
}

TEST(PythonModel, ExamplesReadWithoutNotes) {
  const std::string root = TILEWISE_SOURCE_DIR;
  for (const char* name : {"cifar10_cnn", "alexnet_cifar"}) {
    const absl::StatusOr<Workload> w = LoadFiles({root + "/examples/" + name + "/train.py"}, {});
    ASSERT_TRUE(w.ok()) << w.status();
    EXPECT_EQ(ResultShape(*w), "f32[]");
    EXPECT_EQ(w->training_pipeline()->source_items, 50000);
    for (const Diagnostic& note : w->notes) {
      ADD_FAILURE() << FormatLocation(note.location) << note.message;
    }
  }
}

}  // namespace
}  // namespace tilewise
