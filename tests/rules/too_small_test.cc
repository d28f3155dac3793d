// What rules see and take for too little to be a finding is named with its place and the reason.

#include <algorithm>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/rule.h"
#include "tests/program/analysed.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

// "little of the HBM at line 12"; empty: the rule is not named.
std::string NamedOf(const RuleRun& run, std::string_view rule) {
  const auto found = std::ranges::find_if(
      run.too_small, [&](const TooSmall& small) { return small.finding.rule == rule; });
  if (found == run.too_small.end()) return "";
  return found->why + " at line " + std::to_string(found->finding.location.line);
}

// "12", the line of `program` in which `part` stands first.
std::string LineOf(std::string_view program, std::string_view part) {
  const auto end = program.begin() + static_cast<std::ptrdiff_t>(program.find(part));
  return std::to_string(1 + std::count(program.begin(), end, '\n'));
}

RuleRun Lint(std::string_view program) {
  const auto analysed = AnalyseProgram(program);
  return RunRules(analysed->facts(), {}, {});
}

constexpr std::string_view kJax = R"(
import jax
import jax.numpy as jnp
import numpy as np
import optax
import torch.utils.data as data
from flax import linen as nn
from flax.training import train_state
from torchvision import transforms
from torchvision.datasets import CIFAR10

def to_numpy(img):
    return np.array(img, dtype=np.float32) / 255.

def collate(items):
    images, labels = zip(*items)
    return np.stack(images), np.array(labels)

pictures = CIFAR10(root='.', train=True,
                   transform=transforms.Compose([transforms.RandomHorizontalFlip(), to_numpy]))
loader = data.DataLoader(pictures, batch_size=256, shuffle=True, drop_last=True, num_workers=8,
                         collate_fn=collate)

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(64, (3, 3))(x))
        x = nn.relu(nn.Conv(64, (3, 3), strides=2)(x))
        return nn.Dense(10)(x.reshape((x.shape[0], -1)))

net = Net()
params = net.init(jax.random.PRNGKey(0), jnp.ones((1, 32, 32, 3)))['params']
state = train_state.TrainState.create(apply_fn=net.apply, params=params, tx=optax.adam(1e-3))

@jax.jit
def train_step(state, images, labels):
    def loss_of(params):
        logits = net.apply({'params': params}, images)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    loss, grads = jax.value_and_grad(loss_of)(state.params)
    return state.apply_gradients(grads=grads), loss

for epoch in range(10):
    for images, labels in loader:
        state, loss = train_step(state, images, labels)
)";

TEST(TooSmall, AStateOfSomeMegabytesThatIsNotDonatedIsNamed) {
  EXPECT_EQ(NamedOf(Lint(kJax), "ME002"), "little of the HBM at line " + LineOf(kJax, "@jax.jit"));
}

TEST(TooSmall, BatchesThatAStepOfJaxIsGivenFromTheHostAreNamed) {
  EXPECT_EQ(NamedOf(Lint(kJax), "IP001"),
            "JAX copies it beside the step before at line " + LineOf(kJax, "for images, labels"));
}

TEST(TooSmall, BatchesThatAreMovedAheadAreNot) {
  std::string program(kJax);
  program.replace(program.find("in loader:"), 10, "in map(jax.device_put, loader):");
  EXPECT_EQ(NamedOf(Lint(program), "IP001"), "");
}

TEST(TooSmall, PicturesOfALoaderThatAreHandedOverAsFloatsAreNamedOrFound) {
  const RuleRun run = Lint(kJax);
  const auto found = std::ranges::find(run.findings, "IP016", &Diagnostic::rule);
  const std::string line = LineOf(kJax, "loader = ");
  if (found != run.findings.end()) {
    EXPECT_EQ(std::to_string(found->location.line), line);
    EXPECT_THAT(found->message, HasSubstr("expected uint8: 3.00 MiB a batch instead of 768 KiB"));
    return;
  }
  EXPECT_THAT(NamedOf(run, "IP016"), HasSubstr("at line " + line));
}

constexpr std::string_view kKeras = R"(
import tensorflow as tf

files = ['a.tfrecord', 'b.tfrecord', 'c.tfrecord', 'd.tfrecord']

def parse(record):
    parsed = tf.io.parse_single_example(record, {'image': tf.io.FixedLenFeature([], tf.string),
                                                 'label': tf.io.FixedLenFeature([], tf.int64)})
    image = tf.io.decode_raw(parsed['image'], tf.uint8)
    return tf.cast(tf.reshape(image, [64, 64, 3]), tf.float32) / 255., parsed['label']

data = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
data = data.shuffle(1000).batch(1024, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.Input((64, 64, 3)),
        tf.keras.layers.Conv2D(256, 3, activation='relu'),
        tf.keras.layers.Conv2D(256, 3, activation='relu'),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(100)])
    model.compile('adam', tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(data, epochs=5, steps_per_epoch=1000)
)";

TEST(TooSmall, StepsThatAStrategyOfGpusStartsOneByOneMatterOnATpu) {
  EXPECT_EQ(NamedOf(Lint(kKeras), "HL001"),
            "matters once it runs on a TPU at line " + LineOf(kKeras, "model.compile"));
}

TEST(TooSmall, FilesThatAreReadOneAfterAnotherAreNamedWhereTheyAreLocal) {
  EXPECT_THAT(NamedOf(Lint(kKeras), "IP006"),
              HasSubstr("at line " + LineOf(kKeras, "TFRecordDataset")));
}

TEST(TooSmall, WithoutSavingsNothingOfItIsAFinding) {
  const auto analysed = AnalyseProgram(kJax);
  const std::vector<Diagnostic> found = RunRules(analysed->facts(), {});
  EXPECT_EQ(std::ranges::find(found, "ME002", &Diagnostic::rule), found.end());
}

}  // namespace
}  // namespace tilewise
