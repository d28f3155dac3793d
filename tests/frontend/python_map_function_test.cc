// What the functions of a map call: text in, names of calls out.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> read =
      ReadPython({"t.py", "import tensorflow as tf\n" + text}, {.cores = 8, .hosts = 1});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? std::move(*read) : Workload{};
}

// All branches as likely: that of mean work stands for them.
TEST(PythonMapFunction, OneOfSeveralBranchesIsTheWorkOfAMap) {
  const auto calls = [](const std::string& body) {
    const Workload w = Read(
        "import random\ndef flip(x):\n  return tf.image.flip_left_right(x)\n"
        "def hue(x):\n  return tf.image.adjust_hue(x, .1)\n"
        "def both(x):\n  return tf.image.adjust_hue(tf.image.rot90(flip(x)), .1)\n"
        "def f(x, i):\n" +
        body + "tf.data.Dataset.range(9).map(lambda x: f(x, x)).batch(2)\n");
    return w.pipelines.empty() ? std::vector<std::string>{}
                               : w.pipelines[0].stages[1].function.calls;
  };
  const std::vector<std::string> hue = {"tensorflow.image.adjust_hue"};
  EXPECT_EQ(
      calls("  return tf.switch_case(i, [lambda: flip(x), lambda: hue(x), lambda: both(x)])\n"),
      hue);
  EXPECT_EQ(calls("  return tf.cond(i > 3, lambda: x, lambda: hue(x))\n"), hue) << "never free";
  EXPECT_THAT(calls("  return random.choice([flip, hue])(x)\n"),
              testing::Contains("tensorflow.image.adjust_hue"));
  EXPECT_THAT(calls("  return random.choice([flip, hue])(x)\n"),
              testing::Not(testing::Contains("tensorflow.image.flip_left_right")));
}

std::vector<std::string> CallsOfMap(const std::string& body) {
  const Workload w = Read(
      "import random\ndef flip(x):\n  return tf.image.flip_left_right(x)\n"
      "def hue(x):\n  return tf.image.adjust_hue(x, .1)\n"
      "def both(x):\n  return tf.image.adjust_hue(tf.image.rot90(flip(x)), .1)\n"
      "TABLE = {'flip': flip, 'hue': hue, 'both': both}\nNAMES = ['flip', 'hue']\n" +
      body + "tf.data.Dataset.range(9).map(lambda x: f(x)).batch(2)\n");
  return w.pipelines.empty() ? std::vector<std::string>{} : w.pipelines[0].stages[1].function.calls;
}

TEST(PythonMapFunction, FunctionsOfATableInALoopAllRun) {
  const auto both =
      testing::IsSupersetOf({"tensorflow.image.flip_left_right", "tensorflow.image.adjust_hue"});
  EXPECT_THAT(CallsOfMap("def f(x):\n  for n in NAMES:\n    x = TABLE[n](x)\n  return x\n"), both);
  EXPECT_THAT(CallsOfMap("def f(x):\n  for g in [flip, hue]:\n    x = g(x)\n  return x\n"), both);
}

// Functions made in a loop, one of which runs.
TEST(PythonMapFunction, OneFunctionOfATableThatIsDrawnIsTheWorkOfAMap) {
  const std::vector<std::string> drawn = CallsOfMap(
      "def f(x):\n  made = []\n  for n in TABLE:\n    g = TABLE[n]\n"
      "    def one(g=g):\n      return g(x)\n    made.append(one)\n"
      "  return tf.switch_case(0, made)\n");
  EXPECT_THAT(drawn, testing::Contains("tensorflow.image.adjust_hue").Times(1));
  EXPECT_THAT(drawn, testing::Not(testing::Contains("tensorflow.image.flip_left_right")));
  const std::vector<std::string> returned = CallsOfMap(
      "def pick(n):\n  g = TABLE[n]\n  return g, 1\n"
      "def f(x):\n  for i, n in enumerate(NAMES):\n    g, a = pick(n)\n"
      "    x = tf.cond(x > i, lambda h=g: h(x), lambda: x)\n  return x\n");
  EXPECT_THAT(returned, testing::Contains("tensorflow.image.adjust_hue").Times(1));
  EXPECT_THAT(returned, testing::Not(testing::Contains("tensorflow.image.flip_left_right")));
}

// Sizes and offsets are few numbers, whatever function computes them.
TEST(PythonMapFunction, CallsOnSizesWorkBesideTheImage) {
  const Workload w = Read(R"(
def middle(size, crop):
  return tf.cast((size - crop) // 2, tf.int32)
def f(x):
  x = tf.io.decode_jpeg(x)
  size = tf.shape(x)
  at = middle(size[0], 224)
  x = tf.slice(x, [at, at, 0], [224, 224, 3])
  return tf.cast(x, tf.float32) / 255.0
tf.data.Dataset.range(9).map(f).batch(2)
)");
  const MapFunction& function = w.pipelines.at(0).stages.at(1).function;
  std::vector<std::string> on_images;
  for (size_t i = 0; i < function.calls.size(); ++i) {
    if (function.elements_after[i] != MapFunction::kAside) on_images.push_back(function.calls[i]);
  }
  EXPECT_THAT(on_images, testing::ElementsAre("tensorflow.io.decode_jpeg", "tensorflow.slice",
                                              "tensorflow.cast"));
  EXPECT_EQ(function.nodes - static_cast<int64_t>(function.calls.size()), 1);
}

TEST(PythonMapFunction, ABranchThatIsKnownNotToRunIsNotCharged) {
  const std::vector<std::string> calls = CallsOfMap(
      "def g(x, train, kind=None):\n  if kind is not None:\n    x = tf.io.read_file(x)\n"
      "  if not train:\n    return flip(x)\n  return hue(x) if train else both(x)\n"
      "import functools\nf = functools.partial(g, train=True)\n");
  EXPECT_EQ(calls, std::vector<std::string>{"tensorflow.image.adjust_hue"});
}

// The pattern of a crop that is tried, and of a second decoding where it failed.
TEST(PythonMapFunction, ADecodingThatRepairsAnotherIsLeftOut) {
  const std::vector<std::string> calls = CallsOfMap(
      "def f(x):\n  y = tf.io.decode_and_crop_jpeg(x, [0, 0, 9, 9])\n"
      "  return tf.cond(tf.size(y) > 3, lambda: tf.io.decode_jpeg(x), lambda: hue(y))\n");
  EXPECT_THAT(calls, testing::Not(testing::Contains("tensorflow.io.decode_jpeg")));
  EXPECT_THAT(calls, testing::Contains("tensorflow.image.adjust_hue"));
}

TEST(PythonMapFunction, FunctionsThatFunctionsReturnAreReadInTheirLoop) {
  EXPECT_THAT(
      CallsOfMap("def made(g):\n  def applied(x):\n    return g(x)\n  return applied\n"
                 "def build():\n  names, ops = ['a', 'b'], [made(flip), made(hue)]\n"
                 "  def run(x):\n    for n, op in zip(names, ops):\n      x = op(x)\n"
                 "    return x\n  return run\nf = build()\n"),
      testing::IsSupersetOf({"tensorflow.image.flip_left_right", "tensorflow.image.adjust_hue"}));
}

TEST(PythonMapFunction, ArgumentsAreCalledBeforeTheFunctionThatTakesThem) {
  EXPECT_EQ(CallsOfMap("def f(x):\n  return tf.cast(tf.image.resize(tf.io.decode_jpeg(x), [9, 9]),"
                       " tf.float32)\n"),
            (std::vector<std::string>{"tensorflow.io.decode_jpeg", "tensorflow.image.resize",
                                      "tensorflow.cast"}));
}

// A helper that applies what it is given runs another function at each call.
TEST(PythonMapFunction, FunctionsThatACallGivesAreRead) {
  const auto both =
      testing::IsSupersetOf({"tensorflow.image.flip_left_right", "tensorflow.image.adjust_hue"});
  const std::string maybe = "def maybe(g, x):\n  return tf.cond(x > 0, lambda: g(x), lambda: x)\n";
  EXPECT_THAT(CallsOfMap(maybe + "def f(x):\n  return maybe(hue, maybe(flip, x))\n"), both);
  EXPECT_THAT(CallsOfMap(maybe + "import functools\ndef jitter(x, s):\n  return hue(flip(x))\n"
                                 "def f(x):\n  def g(y):\n    h = functools.partial(jitter, s=1)\n"
                                 "    return maybe(h, y)\n  return maybe(g, x)\n"),
              both);
}

TEST(PythonMapFunction, AFunctionThatTensorFlowCallsIsRead) {
  EXPECT_THAT(CallsOfMap("import cv2\ndef load(p):\n  return cv2.imread(p)\n"
                         "def f(x):\n  return tf.py_function(load, [x], tf.uint8)\n"),
              testing::ElementsAre("tensorflow.py_function", "cv2.imread"));
  EXPECT_THAT(CallsOfMap("def f(x):\n  return tf.map_fn(fn=hue, elems=x)\n"),
              testing::Contains("tensorflow.image.adjust_hue"));
}

// Two views of an image are twice the work; rows that a loop takes are parts of one.
TEST(PythonMapFunction, ALoopRepeatsItsWorkUnlessItTakesParts) {
  const auto times = [](const std::string& body) {
    return std::ranges::count(CallsOfMap(body), "tensorflow.image.adjust_hue");
  };
  EXPECT_EQ(times("def f(x):\n  return tf.concat([hue(x) for _ in range(2)], 0)\n"), 2);
  EXPECT_EQ(times("N = 3\ndef f(x):\n  for i in range(N):\n    x = hue(x)\n  return x\n"), 3);
  EXPECT_EQ(times("def f(x):\n  return tf.stack([hue(x[i]) for i in range(2)])\n"), 1);
  EXPECT_EQ(times("def g(x, i):\n  return hue(x[i])\n"
                  "def f(x):\n  for i in range(3):\n    x = g(x, i)\n  return x\n"),
            1);
}

// An object that is called, and one of a module of the program's own.
TEST(PythonMapFunction, CalledObjectsOfTheProgramAreRead) {
  EXPECT_THAT(CallsOfMap("class Flip:\n  def __call__(self, x):\n    return hue(x)\n"
                         "g = Flip()\ndef f(x):\n  return g(x)\n"),
              testing::Contains("tensorflow.image.adjust_hue"));
}

}  // namespace
}  // namespace tilewise
