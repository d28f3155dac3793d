// Arguments of a program from the commands in scripts and pages beside it.

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"
#include "tests/support/temporary_folder.h"

namespace tilewise::program {
namespace {

Workload ReadAt(const std::string& path, const std::string& text) {
  absl::StatusOr<Workload> workload = ReadProgram(path, {{text, 0}}, ProgramOptions());
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

constexpr char kNet[] = R"(
import numpy as np
import tensorflow as tf

def train(width):
    net = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(width)])
    net.compile("sgd", "mse")
    net.fit(np.zeros((64, 8)), np.zeros((64, width)), batch_size=16)
)";

TEST(ExampleCommands, AScriptThatThePageNamesGivesTheArgumentsWithItsSums) {
  const TemporaryFolder folder;
  folder.Write("README.md", "The presets: [small](config/small/run.sh)\n");
  folder.Write("config/small/run.sh",
               "python3 train.py --files $BUCKET/part-{000..127}.tar \\\n"
               "  --width $((4 * 9 / 6)) --name $(basename $0 .sh)\n");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--files")
parser.add_argument("--name")
parser.add_argument("--width", type=int, default=0)
args = parser.parse_args()
assert args.files.endswith("part-{000..127}.tar")
train(args.width)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

// The program would refuse it: its step is not the one that was asked for.
TEST(CommandLines, NameAnOptionThatTheProgramDoesNotDefine) {
  const std::string absl_flags = R"(
from absl import app, flags
flags.DEFINE_integer("width", 6, "")
def main(_):
    train(flags.FLAGS.width)
app.run(main)
)";
  const std::string click_command = R"(
import click
@click.command()
@click.option("--width", default=6)
def main(width):
    train(width)
main()
)";
  const std::string fire_function = R"(
import fire
def main(width=6):
    train(width)
fire.Fire(main)
)";
  for (const std::string& program : {absl_flags, click_command, fire_function}) {
    ProgramOptions options;
    options.arguments = {"--wide=3", "--width=5"};
    absl::StatusOr<Workload> workload = ReadProgram("train.py", {{kNet + program, 0}}, options);
    ASSERT_TRUE(workload.ok()) << workload.status();
    ASSERT_TRUE(workload->model_size.has_value()) << program << Notes(*workload);
    EXPECT_EQ(workload->model_size->trainable, 8 * 5 + 5) << program;
    EXPECT_THAT(Notes(*workload), testing::HasSubstr("the command line has --wide, which"));
  }
}

TEST(CommandLines, ThatNameAnAbsentConfigurationSaySo) {
  ProgramOptions options;
  options.arguments = {"--config=configs/wide.py"};
  absl::StatusOr<Workload> workload = ReadProgram("train.py",
                                                  {{std::string(kNet) + R"(
from absl import app, flags
from ml_collections import config_flags
config_flags.DEFINE_config_file("config")
def main(_):
    first, second = zip(*flags.FLAGS.config.get("mesh", [("data", 8)]))
    train(second[0])
app.run(main)
)",
                                                    0}},
                                                  options);
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_THAT(Notes(*workload),
              testing::HasSubstr("flag --config names a configuration that is not here: configs/"));
}

TEST(CommandLines, OfFireMayNameArgumentsOfAMethodAfterThoseOfItsClass) {
  ProgramOptions options;
  options.arguments = {"--rate=0.5", "--width=5", "fit"};
  absl::StatusOr<Workload> workload = ReadProgram("train.py",
                                                  {{std::string(kNet) + R"(
import fire
class Trainer:
    def __init__(self, rate=0.1):
        self.rate = rate
    def fit(self, width=6):
        assert self.rate == 0.5
        train(width)
fire.Fire(Trainer)
)",
                                                    0}},
                                                  options);
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_TRUE(workload->model_size.has_value()) << Notes(*workload);
  EXPECT_EQ(workload->model_size->trainable, 8 * 5 + 5);
  EXPECT_THAT(Notes(*workload), testing::Not(testing::HasSubstr("does not define")));
}

TEST(ExampleCommands, APackageThatIsStartedByItsNameHasItsCommandThatTrains) {
  const TemporaryFolder folder;
  folder.Write("README.md",
               "    python -m widenet check --images train/images --width 2\n"
               "    python -m widenet train --width 6\n");
  const Workload workload = ReadAt(folder.path("widenet/__main__.py"), std::string(kNet) + R"(
import argparse
def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    for name, action in (("check", print), ("train", train)):
        command = commands.add_parser(name)
        command.add_argument("--images")
        command.add_argument("--width", type=int, required=True)
        command.set_defaults(run=action)
    args = parser.parse_args()
    args.run(args.width)
if __name__ == "__main__":
    main()
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

TEST(ExampleCommands, TheProgramsOwnTextSaysHowItIsUsed) {
  const TemporaryFolder folder;
  const std::string text = R"(
# The small one:
# python tools/train.py \
#     --depth 1 \
#     --width 6
)" + std::string(kNet) + R"(
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int, default=0)
parser.add_argument("--depth", type=int)
args = parser.parse_args()
assert args.width > 0
train(args.width)
)";
  folder.Write("train.py", text);
  const Workload workload = ReadAt(folder.path("train.py"), text);
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

TEST(ExampleCommands, ScriptsBesideSettingsGiveThemToo) {
  const TemporaryFolder folder;
  folder.Write("config/small/run.sh",
               "python3 train.py --width $((2 * 9 / 3 + 1)) --name $(hostname) \"$@\"\n");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int)
parser.add_argument("--name")
args = parser.parse_args()
train(args.width)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 7 + 7);
}

TEST(ExampleCommands, AnOptionOnALineOfItsOwnBelongsToTheCommandAboveIt) {
  const TemporaryFolder folder;
  folder.Write("README.md", "```\npython train.py\n  --width=6 \\\n  --depth=1\n```\n");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
from absl import app, flags
FLAGS = flags.FLAGS
flags.DEFINE_integer("width", 0, "")
flags.DEFINE_integer("depth", 0, "")

def main(argv):
    assert FLAGS.width > 0 and FLAGS.depth == 1
    train(FLAGS.width)

app.run(main)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

// The page's command gets further than the defaults: what stops it is what the user has to mend.
TEST(ExampleCommands, AVariableOfThePageHasItsOwnValueWithoutTheCommentBehind) {
  const TemporaryFolder folder;
  folder.Write("README.md",
               "```\nexport FULL_WIDTH=60\nexport WIDTH=6  # fits a v4\n"
               "python train.py --width $WIDTH\n```\n");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int, default=0)
args = parser.parse_args()
assert args.width > 0
train(args.width)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

// Folders of many programs have a page for each.
TEST(ExampleCommands, ThePageThatStartsTheProgramGoesFirst) {
  const TemporaryFolder folder;
  folder.Write("README.md", "python other.py --width 60\n");
  folder.Write("README_wide.md", "export WIDTH=6\npython train.py --width=$WIDTH\n");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int, required=True)
args = parser.parse_args()
train(args.width)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

TEST(ExampleCommands, TheReasonIsThatOfTheProgramAsItsPageStartsIt) {
  const TemporaryFolder folder;
  folder.Write("README.md", "python train.py --width 6\n");
  const Workload workload = ReadAt(folder.path("train.py"), R"(
import argparse
import torch
from nopackage import Net
parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int)
args = parser.parse_args()
sizes = [2 ** i for i in range(args.width)]
net = Net(sizes)
net(torch.zeros(4, 4)).sum().backward()
)");
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(Notes(workload), testing::HasSubstr("no model was read: at line 10"));
  EXPECT_THAT(Notes(workload), testing::HasSubstr("an example beside it: --width 6"));
}

TEST(ExampleCommands, OptionsThatTheProgramNoLongerTakesAreLeftOut) {
  const TemporaryFolder folder;
  folder.Write("README.md", "    python train.py -log here -width 6\n");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("-width", type=int, default=0)
args = parser.parse_args()
if not args.width:
    raise
train(args.width)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
  EXPECT_THAT(Notes(workload), testing::HasSubstr("left out: -log here"));
}

TEST(ExampleCommands, WhatMustBeGivenAndHasADefaultIsThat) {
  const TemporaryFolder folder;
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True, default="small")
args = parser.parse_args()
train({"small": 6, "large": 60}[args.data])
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

TEST(ExampleCommands, AGroupWithoutACommandHasTheOneThatTrains) {
  const TemporaryFolder folder;
  folder.Write("README.md", "    python train.py check --folder runs/training/ --width 2\n");
  const Workload workload = ReadAt(folder.path("train.py"), std::string(kNet) + R"(
import click
@click.group()
def cli():
    pass
@cli.command()
@click.option("--folder", required=True)
@click.option("--width", default=2)
def check(folder, width):
    pass
@cli.command("train-net")
@click.option("--folder", required=True)
@click.option("--width", default=6)
def train_net(folder, width):
    train(width)
cli()
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 6 + 6);
}

}  // namespace
}  // namespace tilewise::program
