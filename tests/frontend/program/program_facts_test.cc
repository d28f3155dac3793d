// What programs say beside their model: meshes, rematerialisation, commands of
// notebooks, and what the user says of them.

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Workload Read(const std::vector<ProgramText>& texts, ProgramOptions options = {},
              const std::string& path = "train.py") {
  options.limits.steps = 2'000'000;
  absl::StatusOr<Workload> workload = ReadProgram(path, texts, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.rule + " " + note.message + "\n";
  return text;
}

// Two layers of which `mesh` and `place` say where they are.
std::string JaxStep(const std::string& mesh, const std::string& decorator,
                    const std::string& weights, const std::string& batch) {
  return R"(
import jax, jax.numpy as jnp, numpy as np, optax
from jax.sharding import Mesh, PartitionSpec as P, NamedSharding
mesh = )" +
         mesh + R"(
put = lambda x, *axes: jax.device_put(x, NamedSharding(mesh, P(*axes)))
params = {'a': put(jnp.zeros((256, 512)), )" +
         weights + R"(), 'b': put(jnp.zeros((512, 256)), )" + weights + R"()}
opt = optax.adagrad(1e-3)
state = opt.init(params)
)" + decorator +
         R"(
def f(p, x):
    return jax.nn.relu(x @ p['a']) @ p['b']
def loss(p, x, y):
    return jnp.mean((f(p, x) - y) ** 2)
@jax.jit
def step(p, s, x, y):
    l, g = jax.value_and_grad(loss)(p, x, y)
    u, s = opt.update(g, s, p)
    return optax.apply_updates(p, u), s, l
x = put(np.zeros((64, 256), np.float32), )" +
         batch + R"()
for i in range(100):
    params, state, l = step(params, state, x, x)
)";
}

constexpr char kTwoAxes[] = "Mesh(np.array(jax.devices()).reshape(4, 2), ('a', 'b'))";

TEST(ProgramMesh, AnAxisThatSplitsTheBatchIsDataAndOneOfWeightsAloneIsTensor) {
  const Workload workload = Read({{JaxStep(kTwoAxes, "", "None, 'b'", "'a'"), 0}});
  ASSERT_TRUE(workload.mesh.has_value()) << Notes(workload);
  EXPECT_EQ(FormatMesh(*workload.mesh), "data=4,tensor=2");
}

TEST(ProgramMesh, AnAxisThatSplitsTheBatchAndWeightsIsFsdp) {
  const Workload workload = Read({{JaxStep(kTwoAxes, "", "'b'", "('a', 'b')"), 0}});
  ASSERT_TRUE(workload.mesh.has_value()) << Notes(workload);
  EXPECT_EQ(FormatMesh(*workload.mesh), "data=4,fsdp=2");
}

TEST(ProgramMesh, AnAxisThatSplitsNothingIsNotGuessed) {
  const Workload workload = Read({{JaxStep(kTwoAxes, "", "None", "'a'"), 0}});
  EXPECT_FALSE(workload.mesh.has_value());
  EXPECT_THAT(Notes(workload), HasSubstr("mesh axis 'b' is not known"));
}

TEST(ProgramMesh, DataParallelNeedsNoMesh) {
  const Workload workload = Read({{JaxStep("Mesh(jax.devices(), ('a',))", "", "None", "'a'"), 0}});
  EXPECT_FALSE(workload.mesh.has_value());
}

TEST(ProgramMesh, FullyShardedModulesOfTorchXlaSplitWeightsOverAllCores) {
  for (const std::string options : {"", ", reshard_after_forward=False"}) {
    const Workload workload = Read({{R"(
import torch, torch_xla.core.xla_model as xm
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP
def train(index):
    model = FSDP(torch.nn.Linear(256, 256).to(xm.xla_device()))" +
                                         options + R"()
    optimizer = torch.optim.Adam(model.parameters())
    for i in range(9):
        model(torch.randn(64, 256)).square().mean().backward()
        optimizer.step()
import torch_xla.distributed.xla_multiprocessing as xmp
xmp.spawn(train)
)",
                                     0}});
    ASSERT_TRUE(workload.mesh.has_value()) << Notes(workload);
    EXPECT_EQ(FormatMesh(*workload.mesh), "fsdp=8");
  }
}

TEST(ProgramRemat, CheckpointAndItsPolicyAreOfTheStep) {
  const auto remat = [](const std::string& decorator) {
    const Workload workload = Read({{JaxStep(kTwoAxes, decorator, "None, 'b'", "'a'"), 0}});
    EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
    return workload.training->remat;
  };
  EXPECT_EQ(remat(""), Remat::kNone);
  EXPECT_EQ(remat("@jax.checkpoint"), Remat::kFull);
  EXPECT_EQ(remat("from functools import partial\n@partial(jax.checkpoint, "
                  "policy=jax.checkpoint_policies.dots_saveable)"),
            Remat::kDots);
}

TEST(ProgramOptimizer, HasTheKindAndTheNameThatTheProgramUses) {
  const Workload workload = Read({{JaxStep(kTwoAxes, "", "None, 'b'", "'a'"), 0}});
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdagrad);
  EXPECT_EQ(workload.training->optimizer_name, "Adagrad");
}

TEST(ProgramParts, AreFewerWhereMoreCoresShareTheBatch) {
  const auto parts = [](int64_t cores) {
    ProgramOptions options;
    options.cores = cores;
    const Workload workload = Read({{R"(
import torch
model = torch.nn.Linear(8, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    for micro in range(40):
        loss = model(torch.randn(12, 8)).sum() / 40
        loss.backward()
    opt.step()
    opt.zero_grad()
)",
                                     0}},
                                   options);
    EXPECT_EQ(workload.host_loop.fit_batch_size.value, 480) << Notes(workload);
    return workload.training.has_value() ? workload.training->accumulation_steps : 0;
  };
  EXPECT_EQ(parts(1), 40);
  EXPECT_EQ(parts(8), 5);
}

// Each of its devices adds the gradients of all parts up.
TEST(ProgramParts, StayWhereTheProgramSharesItsBatchOut) {
  const Workload workload = Read({{JaxStep(kTwoAxes,
                                           "opt = optax.MultiSteps(opt, 4)\n"
                                           "state = opt.init(params)",
                                           "None, 'b'", "'a'"),
                                   0}});
  EXPECT_EQ(workload.host_loop.fit_batch_size.value, 256) << Notes(workload);
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.training->accumulation_steps, 4);
}

// Each iteration takes a part of what the step is given; the step is all of them.
TEST(ProgramParts, AreThoseOfALoopWithinAStep) {
  for (const std::string loop :
       {"jax.lax.scan(lambda s, x: (add(s, grad(w, x)), None), zero, parts)[0]",
        "jax.lax.fori_loop(0, 4, lambda i, s: add(s, grad(w, parts[i])), zero)"}) {
    ProgramOptions options;
    options.cores = 1;
    const Workload workload = Read({{R"(
import jax, jax.numpy as jnp, numpy as np
grad = jax.grad(lambda w, x: ((x @ w) ** 2).mean())
add = lambda a, b: a + b
@jax.jit
def step(w, x):
    parts = x.reshape(4, -1, 256)
    zero = jnp.zeros_like(w)
    return w - 0.1 * )" + loop + R"(
w = jax.random.normal(jax.random.PRNGKey(0), (256, 256))
for i in range(100):
    w = step(w, np.random.rand(64, 256).astype(np.float32))
)",
                                     0}},
                                   options);
    ASSERT_TRUE(workload.training.has_value() && workload.graph.has_value()) << Notes(workload);
    EXPECT_EQ(workload.training->accumulation_steps, 4) << loop;
    EXPECT_EQ(workload.declared_global_batch(), 64) << loop << Notes(workload);
    for (const Op& op : workload.graph->ops()) {
      if (op.kind == OpKind::kParameter) EXPECT_EQ(FormatShape(op.shape), "f32[N,256]") << loop;
    }
  }
}

constexpr char kAbsentWords[] = R"(
import torch
from torch import nn
words = open("words.txt").read().split()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        vocabulary = len(set(words))
        self.table = nn.Embedding(vocabulary, 16)
    def forward(self, x):
        return self.table(x)
)";

TEST(Assumptions, StandForWhatAbsentFilesDecide) {
  ProgramOptions options;
  options.model = "Net()";
  options.inputs = "8:s64";
  options.assume = {"vocabulary=1000"};
  const Workload workload = Read({{kAbsentWords, 0}}, options);
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 16000);
}

TEST(Assumptions, OfNamesThatAreNeverAssignedAreNoted) {
  ProgramOptions options;
  options.assume = {"vocabulry=1000"};
  EXPECT_THAT(Notes(Read({{kAbsentWords, 0}}, options)),
              HasSubstr("--assume vocabulry: the program assigns no such name"));
}

TEST(UnreadModels, AreSaidWithTheirReason) {
  const Workload workload = Read({{R"(
import torch
from secret_package import get_model
model = get_model()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.zeros(8, 3)).sum()
loss.backward()
opt.step()
)",
                                   0}});
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(Notes(workload), HasSubstr("RD005 no model was read: at line 5"));
  EXPECT_THAT(Notes(workload), HasSubstr("secret_package is not on the search path"));
}

TEST(UnreadModels, NameNoLineOfTheReadersOwn) {
  const Workload workload = Read({{R"(
import jax

def main(tx, params, data):
    return tx.update(jax.grad(data)(params))
)",
                                   0}});
  EXPECT_THAT(Notes(workload), HasSubstr("no model was read: main() is called by nothing here"));
}

// What was passed, or stands for something, is no reason beside what ended the program.
TEST(UnreadModels, SayWhatEndedTheProgramAndCallItOnce) {
  const Workload workload = Read({{R"(
import os
import torch

def main(width):
    if not os.path.isdir("pictures"):
        raise ValueError("no pictures")
    net = torch.nn.Linear(width, 2)
    {}["model_input"]

if __name__ == "__main__":
    width = 4
    main(width)
)",
                                   0}});
  EXPECT_THAT(Notes(workload), HasSubstr("no model was read: at line 9, "));
  EXPECT_THAT(Notes(workload), HasSubstr("KeyError: 'model_input'"));
  EXPECT_THAT(Notes(workload), Not(HasSubstr("is called by nothing here")));
}

TEST(SyntaxErrors, LeaveTheRestToBeRead) {
  const Workload workload = Read({{"R=s:d\nimport torch\nR = R + 1\n", 0}});
  EXPECT_THAT(Notes(workload), HasSubstr("RD005"));
}

TEST(NotebookCells, CommandsBecomeCallsOfTheSameLength) {
  const std::string text = "x = 1\n!python train.py \\\n  --lr 1\nif x:\n  !ls\n";
  const ProgramText cell = ReadCell(text, 3);
  EXPECT_EQ(cell.text.size(), text.size());
  EXPECT_THAT(cell.text, HasSubstr("_r(0)"));
  EXPECT_THAT(cell.text, HasSubstr("  0"));
  EXPECT_THAT(cell.commands, Contains("!python train.py \\\n  --lr 1"));
  EXPECT_TRUE(StartsProgram(cell));
}

constexpr char kScript[] = R"(%%writefile train.py
import argparse, torch
p = argparse.ArgumentParser()
p.add_argument('--width', type=int, default=4)
width = p.parse_args().width
model = torch.nn.Linear(width, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.zeros(8, width)).sum()
loss.backward()
opt.step()
)";

TEST(NotebookCells, AFileThatACellWritesRunsWithTheArgumentsOfItsCommand) {
  const Workload workload =
      Read({ReadCell(kScript, 1), ReadCell("n = 32\n!python train.py --width {n}\n", 2)}, {},
           "book.ipynb");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 32 * 2 + 2);
}

TEST(Weights, OfMoreElementsThanCanBeCountedAreRefused) {
  const Workload workload =
      Read({{"import tensorflow as tf\n"
             "model = tf.keras.Sequential([tf.keras.Input((32, 32, 3)),\n"
             "                             tf.keras.layers.Conv2D(4, 1 << 30, padding='same')])\n"
             "model.compile('sgd', 'mse')\n",
             0}});
  EXPECT_THAT(Notes(workload), HasSubstr("expected at most 35184372088832 elements"));
}

TEST(Weights, ThatAreLoadedInFewBitsHaveAssumedSizes) {
  const Workload workload = Read(
      {{"from transformers import AutoModelForCausalLM, BitsAndBytesConfig\n"
        "import torch\n"
        "model = AutoModelForCausalLM.from_pretrained(\n"
        "    'gpt2', quantization_config=BitsAndBytesConfig(load_in_4bit=True))\n"
        "loss = model(input_ids=torch.zeros(2, 8).long(), labels=torch.zeros(2, 8).long()).loss\n"
        "loss.backward()\n",
        0}});
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_TRUE(workload.sizes_assumed);
}

TEST(Consulted, HoldsModulesThatWereReadAndThoseThatAreAbsent) {
  const std::string folder = testing::TempDir() + "consulted";
  ASSERT_EQ(std::system(("mkdir -p " + folder).c_str()), 0);
  std::ofstream(folder + "/sizes.py") << "width = 4\n";
  const Workload workload =
      Read({{"import sizes\nimport not_here\n", 0}}, {}, folder + "/train.py");
  EXPECT_THAT(workload.consulted, Contains(folder + "/sizes.py"));
  EXPECT_THAT(workload.consulted, Contains(folder + "/not_here.py"));
}

TEST(ModulePath, AFolderThatIsNotThereIsLookedForAboveTheProgram) {
  const std::string folder = testing::TempDir() + "checkout";
  ASSERT_EQ(std::system(("mkdir -p " + folder + "/models/shared " + folder + "/models/a").c_str()),
            0);
  std::ofstream(folder + "/models/shared/sizes_apart.py") << "width = 4\n";
  const std::string program = R"(
import sys
sys.path.append('project/models/shared')
import sizes_apart
print(sizes_apart.width + absent)
)";
  const Workload workload = Read({{program, 0}}, {}, folder + "/models/a/train.py");
  EXPECT_THAT(workload.consulted, Contains(folder + "/models/shared/sizes_apart.py"));
  EXPECT_THAT(Notes(workload), testing::Not(testing::HasSubstr("package sizes_apart")));
}

// A program whose width is wide only on a TPU.
Workload ReadOnTpu(const std::string& flag) {
  return Read({ProgramText{.text = "import torch\n" + flag + R"(
model = torch.nn.Linear(8 if use_tpu else 2, 1)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
model(torch.ones(4, 8 if use_tpu else 2)).sum().backward()
optimizer.step()
)"}});
}

TEST(ProgramFacts, AFlagThatChoosesATpuIsTakenAsTrue) {
  const std::string arguments =
      "import argparse\nparser = argparse.ArgumentParser()\n"
      "parser.add_argument('--use_tpu', action='store_true')\n"
      "use_tpu = parser.parse_args().use_tpu\n";
  const std::string flags =
      "from absl import flags\nflags.DEFINE_bool('use_tpu', False, '')\n"
      "use_tpu = flags.FLAGS.use_tpu\n";
  for (const std::string& flag : {arguments, flags}) {
    const Workload workload = ReadOnTpu(flag);
    ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
    EXPECT_EQ(workload.model_size->trainable, 9);
    EXPECT_THAT(Notes(workload), HasSubstr("the report is about a TPU"));
  }
}

TEST(ProgramFacts, CountsThatMustBeGivenAreNoSingleOnes) {
  const Workload workload = Read({ProgramText{.text = R"(
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument('--num_train_images', type=int, required=True)
steps = parser.parse_args().num_train_images // 256
epochs = 100 / steps
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
model(torch.ones(4, 2)).sum().backward()
optimizer.step()
)"}});
  EXPECT_TRUE(workload.model_size.has_value()) << Notes(workload);
}

TEST(ProgramFacts, AModelThatIsNotReadLeavesTheOptimizerKnown) {
  for (const std::string made : {"torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)",
                                 "optax.sgd(0.1, momentum=0.9).init(model)"}) {
    const Workload workload = Read({ProgramText{.text = R"(
import torch, optax, my_models
model = my_models.build()
optimizer = )" + made + "\n"}});
    EXPECT_FALSE(workload.graph.has_value());
    ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
    EXPECT_EQ(workload.training->optimizer, OptimizerKind::kMomentum);
    EXPECT_TRUE(workload.training->optimizer_known);
  }
}

TEST(ProgramFacts, AnOptimizerOfAnotherKindIsSaidWhereAModelStandsIn) {
  const auto notes = [](const std::string& second) {
    return Notes(Read({ProgramText{.text = R"(
import torch, my_models
model = my_models.build()
inner = torch.optim.SGD(model.head, 0.1)
outer = )" + second + "\n"}}));
  };
  EXPECT_THAT(notes("torch.optim.Adam(model.body, 0.1)"),
              HasSubstr("has Adam for all weights and not SGD"));
  EXPECT_THAT(notes("torch.optim.SGD(model.body, 0.2)"),
              testing::Not(HasSubstr("for all weights")));
}

TEST(ProgramFacts, WordsOfTheCommandLineThatAProgramTakesAreStoodInFor) {
  const Workload workload = Read({ProgramText{.text = R"(
import torch
from absl import app
def main(argv):
    print(argv[1])
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    model(torch.ones(4, 2)).sum().backward()
    optimizer.step()
app.run(main)
)"}});
  EXPECT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("/tmp/argument stands for one"));
}

}  // namespace
}  // namespace tilewise::program
