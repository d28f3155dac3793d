// Builders of data sets that a program defines with tensorflow_datasets.

#include <gtest/gtest.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

TEST(DatasetBuilders, TheirConfigurationsAreDataclasses) {
  ProgramOptions options;
  absl::StatusOr<Workload> workload = ReadProgram("train.py",
                                                  {{R"(
import dataclasses
import keras
import numpy as np
import tensorflow_datasets as tfds

@dataclasses.dataclass
class Split(tfds.core.BuilderConfig):
    split: str = ''

class Sized(tfds.core.BuilderConfig):
    def __init__(self, size, **kwargs):
        super().__init__(**kwargs)
        self.size = size

split = Split(name='short', split='train')
sized = Sized(48, name='sized', version='1.0.0')
width = sized.size if (split.name, split.split) == ('short', 'train') else 7
model = keras.Sequential([keras.layers.Dense(width, input_shape=(32,))])
model.compile('sgd', 'mse')
model.fit(np.zeros((4096, 32)), np.zeros((4096, width)), batch_size=256)
)",
                                                    0}},
                                                  options);
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_TRUE(workload->model_size.has_value());
  EXPECT_EQ(workload->model_size->trainable, 32 * 48 + 48);
}

}  // namespace
}  // namespace tilewise::program
