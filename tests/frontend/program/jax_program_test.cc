// Training programs of JAX that consist of several files, or ask for files that are not here.

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;
using testing::Not;

struct File {
  std::string path, text;
};

// The first of the files as it is read, with the others around it.
class Folder {
 public:
  explicit Folder(const std::string& name) : root_(testing::TempDir() + "jax_" + name + "/") {}

  Workload Read(const std::vector<File>& files) const {
    for (const File& file : files) {
      const std::string path = root_ + file.path;
      const std::string folder = path.substr(0, path.rfind('/'));
      EXPECT_EQ(std::system(("mkdir -p " + folder).c_str()), 0);
      std::ofstream(path) << file.text;
    }
    absl::StatusOr<Workload> workload =
        ReadProgram(root_ + files[0].path, {{files[0].text, 0}}, {});
    EXPECT_TRUE(workload.ok()) << workload.status();
    return *std::move(workload);
  }

 private:
  std::string root_;
};

std::string NotesOf(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.rule + " " + note.message + "\n";
  return text;
}

int64_t ParametersOf(const Workload& workload) {
  return workload.model_size ? workload.model_size->trainable : -1;
}

// A trainer whose flag --config names a file; its model has `width` outputs.
constexpr char kTrainer[] = R"(
import jax, jax.numpy as jnp, flax.linen as nn, optax
from absl import app, flags
from ml_collections import config_flags
config_flags.DEFINE_config_file('config', None, 'settings', lock_config=True)
flags.DEFINE_string('corpus', '', 'what is read')
FLAGS = flags.FLAGS
def main(argv):
    if not FLAGS.corpus:
        raise app.UsageError('Please give --corpus.')
    config = FLAGS.config
    model = nn.Dense(config.width)
    x = jnp.ones((config.batch, 8))
    params = model.init(jax.random.key(0), x)
    tx = optax.adam(1e-3)
    state = tx.init(params)
    @jax.jit
    def step(params, state, x):
        loss, g = jax.value_and_grad(lambda p: model.apply(p, x).mean())(params)
        u, state = tx.update(g, state)
        return optax.apply_updates(params, u), state
    for _ in range(10):
        params, state = step(params, state, x)
if __name__ == '__main__':
    app.run(main)
)";

TEST(JaxProgram, SettingsThatNothingNamesAreTheFirstOfTheirFolder) {
  const Workload workload = Folder("first").Read({{"train.py", kTrainer}, {"configs/deep/a.py", R"(
import ml_collections
def get_config():
    return ml_collections.ConfigDict({'width': 3, 'batch': 16})
)"}});
  EXPECT_EQ(ParametersOf(workload), 3 * 8 + 3) << NotesOf(workload);
  EXPECT_THAT(NotesOf(workload), HasSubstr("flag --config is not given; configs/deep/a.py is"));
}

TEST(JaxProgram, SettingsAreReadByTheProgramThatTheirTextNames) {
  const Workload workload = Folder("settings")
                                .Read({{"made/configs/deep/small.py", R"("""Small.

made.trainers.fit \
  --config made/configs/deep/small.py:width=3 \
  --config.batch 16
"""
import ml_collections
def get_config(argument='width=5'):
    config = ml_collections.ConfigDict()
    config.width = int(argument.split('=')[1])
    config.batch = 4
    return config
)"},
                                       {"made/__init__.py", ""},
                                       {"made/trainers/fit.py", kTrainer}});
  EXPECT_EQ(ParametersOf(workload), 3 * 8 + 3) << NotesOf(workload);
  EXPECT_THAT(NotesOf(workload), HasSubstr("configuration of made.trainers.fit"));
  EXPECT_THAT(NotesOf(workload), HasSubstr("width=3, batch=16"));
  EXPECT_THAT(NotesOf(workload), HasSubstr("flag --corpus must be given; /tmp/corpus is taken"));
}

TEST(JaxProgram, AnArchiveOfWeightsHoldsWhatTheModelBeganWith) {
  const Workload workload = Folder("weights").Read({{"train.py", R"(
import jax, jax.numpy as jnp, flax.linen as nn, numpy as np, optax
model = nn.Dense(4)
x = jnp.ones((16, 8))
params = model.init(jax.random.key(0), x)['params']
with open('ViT.npz', 'rb') as f:
    found = {k: v for k, v in np.load(f).items()}
loss = lambda p: model.apply({'params': p}, x).mean()
tx = optax.sgd(0.1)
state = tx.init(found)
for _ in range(3):
    g = jax.grad(loss)(found)
    u, state = tx.update(g, state)
    found = optax.apply_updates(found, u)
)"}});
  EXPECT_EQ(ParametersOf(workload), 4 * 8 + 4) << NotesOf(workload);
  EXPECT_THAT(NotesOf(workload), HasSubstr("the file of weights is not here"));
}

TEST(JaxProgram, WeightsThatAreNotKnownAreThoseThatTheModelBeganWith) {
  const Workload workload = Folder("unknown").Read({{"train.py", R"(
import jax, jax.numpy as jnp, flax.linen as nn, optax
from elsewhere import load
model = nn.Dense(4)
x = jnp.ones((16, 8))
model.init(jax.random.key(0), x)
params = load('weights')
loss = lambda p: model.apply({'params': p}, x).mean()
tx = optax.sgd(0.1)
state = tx.init(params)
for _ in range(3):
    g = jax.grad(loss)(params)
    u, state = tx.update(g, state)
    params = optax.apply_updates(params, u)
)"}});
  EXPECT_EQ(ParametersOf(workload), 4 * 8 + 4) << NotesOf(workload);
  EXPECT_THAT(NotesOf(workload), HasSubstr("those that the model began with are taken"));
}

TEST(JaxProgram, AVocabularyThatIsTrainedHasTheSizeThatWasAskedFor) {
  const Workload workload = Folder("vocabulary").Read({{"train.py", R"(
import jax, jax.numpy as jnp, flax.linen as nn, optax, tensorflow as tf
import tensorflow_text as text
from sentencepiece import SentencePieceTrainer
def load(path):
    with tf.io.gfile.GFile(path, 'rb') as f:
        return text.SentencepieceTokenizer(model=f.read())
try:
    words = load('/nowhere/words.model')
except tf.errors.NotFoundError:
    SentencePieceTrainer.Train('--input=a.txt --vocab_size=100 --model_prefix=words')
    words = load('words.model')
model = nn.Embed(int(words.vocab_size()), 4)
x = jnp.zeros((16, 8), jnp.int32)
params = model.init(jax.random.key(0), x)
tx = optax.sgd(0.1)
state = tx.init(params)
g = jax.grad(lambda p: model.apply(p, x).mean())(params)
u, state = tx.update(g, state)
)"}});
  EXPECT_EQ(ParametersOf(workload), 400) << NotesOf(workload);
}

TEST(JaxProgram, AModuleBesideAScriptOfAPackageIsTheScripts) {
  const File data = {"given/datasets.py", "width = 3\n"};
  const std::string text = R"(
import datasets
import jax, jax.numpy as jnp, optax
params = jnp.zeros((8, datasets.width))
tx = optax.sgd(0.1)
state = tx.init(params)
if __name__ == '__main__':
    g = jax.grad(lambda p: (jnp.ones((4, 8)) @ p).mean())(params)
    u, state = tx.update(g, state)
)";
  const Workload workload =
      Folder("script").Read({{"given/run.py", text}, data, {"given/__init__.py", ""}});
  EXPECT_EQ(ParametersOf(workload), 24) << NotesOf(workload);
  const Workload within =
      Folder("within").Read({{"given/run.py", "from given import other\n" + text},
                             data,
                             {"given/other.py", ""},
                             {"given/__init__.py", ""}});
  EXPECT_THAT(NotesOf(within), Not(HasSubstr("module datasets is the one beside")));
}

TEST(JaxProgram, ABatchOfEachCoreIsCountedForAll) {
  const Workload workload = Folder("cores").Read({{"train.py", R"(
import jax, jax.numpy as jnp, optax, tensorflow as tf, tensorflow_datasets as tfds
ds = tfds.load('mnist', split='train').repeat()
ds = ds.batch(128).batch(jax.local_device_count()).prefetch(2)
params = jnp.zeros((28, 10))
tx = optax.sgd(0.1)
state = tx.init(params)
@jax.pmap
def step(p, s, x):
    g = jax.grad(lambda p: (x / 255. @ p).mean())(p)
    u, s = tx.update(g, s)
    return optax.apply_updates(p, u), s
for batch in tfds.as_numpy(ds):
    params, state = step(params, state, batch['image'][..., 0])
)"}});
  EXPECT_EQ(workload.declared_global_batch(), 1024) << NotesOf(workload);
}

TEST(JaxProgram, ArraysThatPmapSharesOutAreTheBatchOfAllCores) {
  const Workload workload = Folder("shared").Read({{"train.py", R"(
import jax, jax.numpy as jnp, numpy as np
from flax.training.common_utils import shard
batch = 16 * jax.device_count()
@jax.pmap
def step(p, x):
    return p - 0.1 * jax.grad(lambda p: (x @ p).mean())(p)
params = jnp.zeros((jax.local_device_count(), 200, 10))
for i in range(100):
    params = step(params, shard({'x': np.zeros((batch, 200), np.float32)})['x'])
)"}});
  EXPECT_EQ(workload.declared_global_batch(), 16 * 8) << NotesOf(workload);
}

TEST(JaxProgram, AModelOfKerasTrainsInALoopOfJax) {
  const Workload workload = Folder("keras").Read({{"train.py", R"(
import jax, keras, numpy as np
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(4)])
loss_of = keras.losses.MeanSquaredError()
optimizer = keras.optimizers.AdamW(1e-3)
optimizer.build(model.trainable_variables)
def loss_and_updates(trainable, other, x, y):
    y_pred, other = model.stateless_call(trainable, other, x, training=True)
    return loss_of(y, y_pred), other
gradient = jax.value_and_grad(loss_and_updates, has_aux=True)
@jax.jit
def step(state, x, y):
    trainable, other, moments = state
    (loss, other), grads = gradient(trainable, other, x, y)
    trainable, moments = optimizer.stateless_apply(moments, grads, trainable)
    return loss, (trainable, other, moments)
state = model.trainable_variables, model.non_trainable_variables, optimizer.variables
x, y = np.zeros((640, 16), np.float32), np.zeros((640, 4), np.float32)
for i in range(0, 640, 32):
    loss, state = step(state, x[i:i + 32], y[i:i + 32])
)"}});
  ASSERT_TRUE(workload.graph.has_value()) << NotesOf(workload);
  EXPECT_EQ(ParametersOf(workload), 16 * 4 + 4);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdamW);
  EXPECT_EQ(workload.declared_global_batch(), 32) << NotesOf(workload);
}

TEST(JaxProgram, TheAutoencoderOfDiffusersHasItsPublishedSize) {
  const Workload workload = Folder("vae").Read({{"train.py", R"(
import jax, jax.numpy as jnp, _tilewise
from diffusers import FlaxAutoencoderKL
vae, weights = FlaxAutoencoderKL.from_pretrained('CompVis/stable-diffusion-v1-4', subfolder='vae')
images = jnp.zeros((2, 3, 256, 256))
latents = vae.apply({'params': weights}, images, method=vae.encode).latent_dist.mode()
_tilewise.note('size ' + str(sum([x.size for x in jax.tree_util.tree_leaves(weights)])))
_tilewise.note('latents ' + str(latents.shape))
)"}});
  EXPECT_THAT(NotesOf(workload), HasSubstr("size 83653863"));
  EXPECT_THAT(NotesOf(workload), HasSubstr("latents (2, 32, 32, 4)"));
}

TEST(JaxProgram, TextsThatAreReadBeforeTheLoopDoNotFeedIt) {
  const Workload workload = Folder("texts").Read({{"train.py", R"(
import jax, jax.numpy as jnp, numpy as np, tensorflow_datasets as tfds
text = ''
for example in tfds.load('tiny_shakespeare')['train'].as_numpy_iterator():
    text += example['text'].decode('utf-8')
w = jnp.zeros((65, 16))
for i in range(1000):
    w = w - 0.1 * jax.grad(lambda w, x: w[x].mean())(w, np.zeros((8, 32), np.int32))
)"}});
  EXPECT_EQ(workload.training_pipeline(), nullptr) << NotesOf(workload);
}

// An execution of a scan over rows of batches takes a step for each row.
TEST(JaxProgram, RowsOfBatchesThatAScanTrainsOnAreStepsOfOneExecution) {
  const Workload workload = Folder("rows").Read({{"train.py", R"(
import functools, jax, jax.numpy as jnp, numpy as np, tensorflow as tf
from flax import jax_utils
ds = tf.data.Dataset.from_tensor_slices(np.zeros((50000, 32), np.float32)).repeat()
ds = ds.batch(16, drop_remainder=True).batch(1000, drop_remainder=True).batch(8)
def step(w, x):
    g = jax.lax.pmean(jax.grad(lambda w: (x @ w).sum())(w), 'batch')
    return w - 0.1 * g, 0.
steps = jax.pmap(functools.partial(jax.lax.scan, step), 'batch')
w = jax_utils.replicate(jnp.zeros((32, 10)))
rows = iter(ds)
for i in range(10):
    w, _ = steps(w, jax.tree_util.tree_map(jnp.asarray, next(rows)))
)"}});
  EXPECT_EQ(workload.declared_global_batch(), 16 * 8) << NotesOf(workload);
  EXPECT_TRUE(workload.host_loop.steps_per_execution.is(1000));
  ASSERT_TRUE(workload.graph.has_value()) << NotesOf(workload);
  EXPECT_FALSE(workload.graph->is_static()) << NotesOf(workload);
  EXPECT_TRUE(workload.per_core);
}

TEST(JaxProgram, MappedStepsWithoutAGradientAreTracedAFewTimes) {
  const Workload workload = Folder("mapped").Read({{"train.py", R"(
import jax, jax.numpy as jnp, numpy as np, tensorflow as tf
w = jax.device_put_replicated(jnp.zeros((32, 10)), jax.local_devices())
ds = tf.data.Dataset.from_tensor_slices(np.zeros((5000, 32), np.float32)).repeat()
step = jax.pmap(lambda w, x: x @ w)
for x in ds.batch(16).batch(8).as_numpy_iterator():
    step(w, x)
)"}});
  EXPECT_THAT(NotesOf(workload), HasSubstr("is traced 3 times"));
}

TEST(JaxProgram, RowsOfAHubDataSetAreABatchInPartsForTheCores) {
  const Workload workload = Folder("hub").Read({{"train.py", R"(
import einops, jax, jax.numpy as jnp
from datasets import load_dataset
from transformers import AutoTokenizer
words = AutoTokenizer.from_pretrained('bert-base-uncased', model_max_length=128)
rows = load_dataset('sst2').map(
    lambda x: words(x['sentence'], padding='max_length', truncation=True), batched=True)
rows.set_format(type='jax', columns=['input_ids'])
@jax.pmap
def step(w, x):
    return w - 0.1 * jax.grad(lambda w: w[x].mean())(w)
w = jax.device_put_replicated(jnp.zeros((30522, 16)), jax.local_devices())
for batch in rows['train'].iter(batch_size=64, drop_last_batch=True):
    w = step(w, einops.rearrange(batch['input_ids'], '(a b) s -> a b s', a=8))
)"}});
  EXPECT_EQ(workload.declared_global_batch(), 64) << NotesOf(workload);
  ASSERT_TRUE(workload.graph.has_value()) << NotesOf(workload);
  EXPECT_FALSE(workload.graph->is_static()) << NotesOf(workload);
}

TEST(JaxProgram, ImagesOfEitherBranchOfAPipelineHaveTheirSizeOnceItIsSaid) {
  const Workload workload = Folder("images").Read({{"train.py", R"(
import jax, _tilewise, tensorflow as tf
def read(path):
    data = tf.io.read_file(path)
    image = tf.io.decode_and_crop_jpeg(data, [0, 0, 5, 5], channels=3)
    if tf.reduce_all(tf.equal(tf.io.extract_jpeg_shape(data), tf.shape(image))):
        image = tf.io.decode_jpeg(data, channels=3)
    return tf.image.resize(image, [64, 48]) - tf.constant([1., 2., 3.], shape=[1, 1, 3])
ds = tf.data.Dataset.from_tensor_slices(['a', 'b']).map(read)
_tilewise.note('made ' + str(tuple(ds.element_spec.shape)))
)"}});
  EXPECT_THAT(NotesOf(workload), HasSubstr("made (64, 48, 3)"));
}

// The notes of a program that says what it found.
std::string Said(const std::string& text) {
  return NotesOf(Folder("said").Read({{"train.py", "import _tilewise, jax\n" + text}}));
}

TEST(JaxProgram, AFunctionThatMayHaveReturnedDoesNotRaiseAfterwards) {
  EXPECT_THAT(Said(R"(
from elsewhere import n
def steps():
    if n:
        return 3
    raise ValueError('how many?')
_tilewise.note('made ' + str(steps()))
)"),
              HasSubstr("made 3"));
}

TEST(JaxProgram, ADataclassKeepsTheConstructorThatItHas) {
  EXPECT_THAT(Said(R"(
import dataclasses
@dataclasses.dataclass
class Named:
    def __init__(self, names):
        self.names = names
_tilewise.note('made ' + Named(['a']).names[0])
)"),
              HasSubstr("made a"));
}

TEST(JaxProgram, ExpressionsThatAreTextHaveTrees) {
  EXPECT_THAT(Said(R"py(
import ast
e = ast.parse("ops.crop(224, [1, -2], mode='a|b')", mode='eval').body
_tilewise.note('made ' + e.func.value.id + '.' + e.func.attr + ' ' +
               str([ast.literal_eval(a) for a in e.args]) + e.keywords[0].arg +
               ast.literal_eval(e.keywords[0].value))
)py"),
              HasSubstr("made ops.crop [224, [1, -2]]modea|b"));
}

TEST(JaxProgram, ReferencesOfSettingsAreCountedWith) {
  EXPECT_THAT(Said(R"(
import ml_collections
c = ml_collections.ConfigDict({'a': 6, 'b': {'size': 7}})
c.product = c.get_ref('a') * c.get_oneway_ref('a') + 1
_tilewise.note('made ' + str(c.product) + ' ' + str(c.get('b.size')) + str(c.get('b.no', 2)))
)"),
              HasSubstr("made 37 72"));
}

TEST(JaxProgram, BitsOfANarrowerTypeAreALastDim) {
  EXPECT_THAT(Said(R"(
import tensorflow as tf, torch, jax.numpy as jnp
_tilewise.note('made ' + str(tuple(tf.bitcast(tf.zeros((3,), tf.int64), tf.int32).shape)) +
               str(tuple(torch.zeros(3, 4, dtype=torch.int64).view(torch.int32).shape)) +
               str(jax.lax.bitcast_convert_type(jnp.zeros((5, 4), jnp.uint8), jnp.float32).shape))
)"),
              HasSubstr("made (3, 2)(3, 8)(5,)"));
}

bool TrainsOnOneDevice(const std::string& name, const std::string& step) {
  return Folder(name)
      .Read({{"train.py", "import jax\nimport jax.numpy as jnp\n" + step + R"(
w = jnp.zeros((8, 4))
for i in range(100):
    w = train_step(w, jnp.zeros((32, 8)))
)"}}).one_device.has_value();
}

TEST(LibraryObjects, HaveWhatIsNotModelledUnlessTheProgramAsks) {
  const std::string said = Said(R"(
import tensorflow_datasets as tfds
split = tfds.builder('mnist').info.splits['train']
_tilewise.note('unknown ' + str(_tilewise.is_unknown(split.file_instructions)))
_tilewise.note('has ' + str(hasattr(split, 'file_instructions')))
try:
    split.file_instructions
except AttributeError:
    _tilewise.note('raised')
)");
  EXPECT_THAT(said, HasSubstr("unknown True"));
  EXPECT_THAT(said, HasSubstr("has False"));
  EXPECT_THAT(said, HasSubstr("raised"));
}

TEST(JaxProgram, TheFlagsOfXlaAreThoseThatItSets) {
  const auto read = [](const std::string& name, const std::string& text) {
    return Folder(name).Read({{"train.py", text + R"(
import jax, jax.numpy as jnp
w = jnp.zeros((8, 4))
w = w - 0.1 * jax.grad(lambda w: jnp.mean((jnp.zeros((32, 8)) @ w) ** 2))(w)
)"}});
  };
  const Workload set = read("set", R"(import os
os.environ["LIBTPU_INIT_ARGS"] = (os.environ.get("LIBTPU_INIT_ARGS", "") +
                                  "--xla_tpu_decompose_all_gather_einsum=true "
                                  "--xla_tpu_other=1")
)");
  EXPECT_EQ(set.xla_flags, "--xla_tpu_decompose_all_gather_einsum=true --xla_tpu_other=1");
  EXPECT_EQ(set.xla_flags_location.line, 2);
  const Workload open = read("open", "import os\nos.environ['LIBTPU_INIT_ARGS'] += ' --xla_a'\n");
  EXPECT_EQ(open.xla_flags, "");
  EXPECT_THAT(NotesOf(open), HasSubstr("LIBTPU_INIT_ARGS are not known"));
}

TEST(JaxProgram, AStepWithoutMeshTrainsOnOneDevice) {
  const std::string step = R"(
def train_step(w, x):
    return w - 0.1 * jax.grad(lambda w: jnp.mean((x @ w) ** 2))(w)
)";
  EXPECT_TRUE(TrainsOnOneDevice("one", "@jax.jit" + step));
  EXPECT_FALSE(TrainsOnOneDevice("mesh", "mesh = jax.make_mesh((8,), ('data',))\n@jax.jit" + step));
  EXPECT_FALSE(TrainsOnOneDevice("asks", "print(jax.device_count())\n@jax.jit" + step));
}

// Two views of each image go through the network as one batch and are cut apart for the loss.
TEST(JaxProgram, BatchesThatAreJoinedAndCutApartAreToldFromOtherSizes) {
  const Workload workload = Folder("views").Read({{"train.py", R"(
import jax, jax.numpy as jnp, numpy as np
import tensorflow as tf

w = jnp.zeros((8, 4))

@jax.jit
def step(w, x):
    def loss(w):
        a, b = jnp.split(jnp.concatenate([x, 0.5 * x]) @ w, 2)
        return jnp.mean((a - b) ** 2)
    return w - 0.1 * jax.grad(loss)(w)

data = tf.data.Dataset.from_tensor_slices(np.zeros((640, 8), np.float32)).batch(64)
for x in data.as_numpy_iterator():
    w = step(w, x)
)"}});
  ASSERT_TRUE(workload.graph.has_value()) << NotesOf(workload);
  EXPECT_FALSE(workload.graph->is_static()) << NotesOf(workload);
  EXPECT_EQ(workload.model_size->multiply_adds, 2 * 8 * 4);
}

}  // namespace
}  // namespace tilewise::program
