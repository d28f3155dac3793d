// Models of transformers in PyTorch, TensorFlow and Flax: one network in three frameworks.

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/program/read_program.h"
#include "tests/support/temporary_folder.h"

namespace tilewise::program {
namespace {

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{text, 0}}, {});
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

constexpr char kConfig[] = R"(
from transformers import BertConfig
config = BertConfig(vocab_size=1000, hidden_size=64, num_hidden_layers=2, num_attention_heads=4,
                    intermediate_size=128, num_labels=3)
)";

int64_t Trained(const std::string& text) {
  const Workload workload = Read(kConfig + text);
  EXPECT_TRUE(workload.graph.has_value()) << text;
  return workload.graph.has_value() ? workload.graph->trainable_parameters() : 0;
}

constexpr char kTorch[] = R"(
import torch
from transformers import BertForSequenceClassification
model = BertForSequenceClassification(config)
optimizer = torch.optim.Adam(model.parameters())
ids = torch.zeros(8, 32, dtype=torch.long)
loss = model(input_ids=ids, attention_mask=torch.ones_like(ids), labels=ids[:, 0]).loss
loss.backward()
optimizer.step()
)";

constexpr char kKeras[] = R"(
import numpy as np, tensorflow as tf
from transformers import TFBertForSequenceClassification
model = TFBertForSequenceClassification(config)
model.compile('adam'LOSS)
ids = np.zeros((800, 32), np.int32)
model.fit({'input_ids': ids, 'attention_mask': ids}, ids[:, 0], batch_size=8)
)";

constexpr char kFlax[] = R"(
import jax, jax.numpy as jnp, optax
from transformers import FlaxBertForSequenceClassification
model = FlaxBertForSequenceClassification(config, seed=0)
ids = jnp.zeros((8, 32), jnp.int32)
def loss_of(params):
    logits = model(ids, ids, params=params, train=True).logits
    return optax.softmax_cross_entropy_with_integer_labels(logits, ids[:, 0]).mean()
tx = optax.adam(1e-3)
state = tx.init(model.params)
updates, state = tx.update(jax.grad(loss_of)(model.params), state)
params = optax.apply_updates(model.params, updates)
)";

std::string Keras(const std::string& loss) {
  std::string text = kKeras;
  return text.replace(text.find("LOSS"), 4, loss);
}

TEST(Transformers, HaveTheSameWeightsInEachFramework) {
  // Embeddings, two layers, the pooler and the head.
  constexpr int64_t kEmbeddings = (1000 + 512 + 2 + 2) * 64;
  constexpr int64_t kLayer = 4 * (64 * 64 + 64) + 2 * 64 * 128 + 128 + 64 + 4 * 64;
  constexpr int64_t kAll = kEmbeddings + 2 * kLayer + 64 * 64 + 64 + 3 * 64 + 3;
  EXPECT_EQ(Trained(kTorch), kAll);
  EXPECT_EQ(Trained(Keras(", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)")),
            kAll);
  EXPECT_EQ(Trained(Keras("")), kAll);  // the loss is that of the model
  EXPECT_EQ(Trained(kFlax), kAll);
}

TEST(Transformers, AreLayersOfTheProgramsOwnModels) {
  const Workload workload = Read(std::string(kConfig) + R"(
import tensorflow as tf
from transformers import TFAutoModel
ids = tf.keras.Input((32,), dtype=tf.int32)
encoder = TFAutoModel.from_pretrained('bert-tiny', config=config, trainable=False, name='encoder')
out = tf.keras.layers.Dense(1)(encoder([ids, ids])[0][:, 0])
head = TFAutoModel.from_config(config)
head.layers[0].trainable = False
out = out + tf.keras.layers.Dense(1)(head(ids).last_hidden_state[:, 0])
model = tf.keras.Model(ids, out)
model.compile('adam', 'mse')
model.fit(tf.zeros((800, 32), tf.int32), tf.zeros((800, 1)), batch_size=8)
)");
  ASSERT_TRUE(workload.graph.has_value());
  EXPECT_EQ(workload.graph->trainable_parameters(), 2 * 65);
}

TEST(Transformers, WhoseConfigurationIsNotKnownAreNamed) {
  const Workload workload = Read(R"(
from transformers import TFAutoModel
model = TFAutoModel.from_pretrained('no/such-model')
model.compile('adam', 'mse')
)");
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_TRUE(std::ranges::any_of(workload.notes, [](const Diagnostic& note) {
    return note.message.find("configuration of 'no/such-model' is not known") != std::string::npos;
  }));
}

// A data set of which no column is known, shuffled by the numbers of its rows, and a network whose
// configuration the page beside the program makes.
constexpr char kFlaxTraining[] = R"(
import jax
import jax.numpy as jnp
import numpy as np
import optax
from datasets import load_dataset
from flax.training import train_state
from transformers import AutoConfig, AutoTokenizer, FlaxAutoModelForCausalLM

config = AutoConfig.from_pretrained("./small-net")
model = FlaxAutoModelForCausalLM.from_config(config)
tokenizer = AutoTokenizer.from_pretrained("./small-net")
rows = load_dataset("some/texts", split="train").map(
    lambda x: tokenizer(x["text"], padding="max_length", truncation=True, max_length=32),
    batched=True, remove_columns=["text"])
state = train_state.TrainState.create(
    apply_fn=model.__call__, params=model.params, tx=optax.adamw(1e-3))

@jax.jit
def step(state, batch):
    def loss_of(params):
        logits = state.apply_fn(**batch, params=params, train=True)[0]
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["input_ids"]).mean()
    return state.apply_gradients(grads=jax.grad(loss_of)(state.params))

order = jax.random.permutation(jax.random.PRNGKey(0), len(rows))
count = len(rows) // 48
for places in order[:count * 48].reshape((count, 48)):
    state = step(state, {k: np.array(v) for k, v in rows[places].items()})
)";

TEST(Transformers, AreConfiguredByThePageBesideTheProgramWhereverTheToolIsStarted) {
  const TemporaryFolder folder;
  folder.Write("README.md", R"(```python
config = GPT2Config(vocab_size=500, n_embd=64, n_layer=2, n_head=4)
config.save_pretrained("./small-net")
```)");
  absl::StatusOr<Workload> workload =
      ReadProgram(folder.path("train.py"), {{kFlaxTraining, 0}}, {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_TRUE(workload->graph.has_value());
  constexpr int64_t kBlock = 64 * 64 * 12 + 64 * 13;
  EXPECT_EQ(workload->graph->trainable_parameters(), 500 * 64 + 1024 * 64 + 2 * kBlock + 2 * 64);
  EXPECT_TRUE(std::ranges::any_of(workload->notes, [](const Diagnostic& note) {
    return note.message.find("README.md saves under that name") != std::string::npos;
  }));
}

TEST(Transformers, TrainWithTheRowsThatAnArrayOfPlacesNames) {
  const TemporaryFolder folder;
  folder.Write("README.md",
               "config = GPT2Config(vocab_size=500, n_embd=64, n_layer=1, n_head=4)\n"
               "config.save_pretrained('small-net')\n");
  absl::StatusOr<Workload> workload =
      ReadProgram(folder.path("train.py"), {{kFlaxTraining, 0}}, {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_TRUE(workload->graph.has_value());
  EXPECT_EQ(workload->declared_global_batch(), 48);
}

// TRL's own scripts: a trainer that is given a name loads the model of its task.
TEST(Transformers, TrainersOfPreferencesLoadTheModelOfTheirTask) {
  const auto trained = [](const std::string& trainer, const std::string& config) {
    const Workload workload = Read("from trl import DatasetMixtureConfig, " + config + "\n" +
                                   "from " + trainer + R"(
from datasets import load_dataset
if not DatasetMixtureConfig().datasets:
    data = load_dataset("trl-lib/ultrafeedback_binarized")["train"]
)" + "args = " + config + R"(("out", per_device_train_batch_size=1, max_length=16)
PreferenceTrainer(model="gpt2", args=args, train_dataset=data).train()
)");
    EXPECT_TRUE(workload.graph.has_value()) << trainer;
    return workload.graph.has_value() ? workload.graph->trainable_parameters() : 0;
  };
  constexpr int64_t kGpt2 = 124'439'808;
  EXPECT_EQ(trained("trl.experimental.orpo import ORPOTrainer as PreferenceTrainer", "ORPOConfig"),
            kGpt2);
  EXPECT_EQ(trained("trl import RewardTrainer as PreferenceTrainer", "RewardConfig"), kGpt2 + 768);
}

}  // namespace
}  // namespace tilewise::program
