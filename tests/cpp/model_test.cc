// What a C++ program computes: modules of LibTorch, training loops, computations of XLA's builder.

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/cpp/model/linked.h"
#include "frontend/cpp/model/translator.h"
#include "frontend/cpp/read_cpp.h"
#include "frontend/cpp/translation_unit.h"
#include "frontend/files/cpp_files.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

std::string Translated(const std::string& text) {
  const auto unit = ParseTranslationUnit("a.cpp", text, {});
  EXPECT_TRUE(unit.ok()) << unit.status();
  return cpp::Translator(unit->tree->context()).Translate().text;
}

Workload Read(const std::string& text, const LoadOptions& options = {}) {
  const auto unit = ParseTranslationUnit("a.cpp", text, {});
  EXPECT_TRUE(unit.ok()) << unit.status();
  CppReading reading;
  reading.program = cpp::TranslateLinked(*unit->tree, "a.cpp", nullptr);
  absl::StatusOr<Workload> workload = RunTranslated("a.cpp", std::move(reading), options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return workload.ok() ? *std::move(workload) : Workload();
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) {
    text += FormatLocation(note.location) + " " + note.message + "\n";
  }
  return text;
}

int64_t Parameters(const Workload& workload) {
  return workload.graph.has_value() ? workload.graph->trainable_parameters() : -1;
}

int64_t Count(const Workload& workload, OpKind kind) {
  int64_t count = 0;
  if (!workload.graph.has_value()) return -1;
  for (const Op& op : workload.graph->ops()) count += op.kind == kind ? 1 : 0;
  return count;
}

constexpr char kTorch[] = "#include <torch/torch.h>\n";

TEST(CppModel, ReadsAModuleItsLoopItsOptimizerAndItsBatch) {
  const Workload w = Read(std::string(kTorch) + R"(
struct Net : torch::nn::Module {
  Net() : fc(784, 30) {
    register_module("fc", fc);
    out = register_module("out", torch::nn::Linear(30, 10));
  }
  torch::Tensor forward(torch::Tensor x) {
    return torch::log_softmax(out->forward(torch::relu(fc->forward(x.view({-1, 784})))), 1);
  }
  torch::nn::Linear fc, out{nullptr};
};
int main() {
  Net net;
  auto set = torch::data::datasets::MNIST("./d").map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(set), torch::data::DataLoaderOptions(48));
  torch::optim::Adam optimizer(net.parameters(), torch::optim::AdamOptions(1e-3));
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(net.forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
})");
  EXPECT_EQ(Parameters(w), 784 * 30 + 30 + 30 * 10 + 10) << Notes(w);
  EXPECT_EQ(w.format, "cpp");
  ASSERT_TRUE(w.training.has_value());
  EXPECT_EQ(w.training->optimizer, OptimizerKind::kAdam);
  EXPECT_EQ(w.declared_global_batch(), 48);
}

LoadOptions Asked(const std::string& model, const std::string& inputs) {
  LoadOptions options;
  options.program.model = model;
  options.program.inputs = inputs;
  return options;
}

TEST(CppModel, MakesTheModelThatIsAskedFor) {
  const std::string text = std::string(kTorch) + R"(
struct NetImpl : torch::nn::Module {
  NetImpl(int64_t classes) : last(torch::nn::LinearOptions(64, classes).bias(false)) {
    for (int i = 0; i < 3; ++i) {
      body->push_back(torch::nn::Linear(64, 64));
      body->push_back(torch::nn::ReLU());
    }
    register_module("body", body);
    register_module("last", last);
  }
  torch::Tensor forward(torch::Tensor x) { return last(body->forward(x)); }
  torch::nn::Sequential body;
  torch::nn::Linear last;
};
TORCH_MODULE(Net);
)";
  const Workload w = Read(text, Asked("Net(10)", "64:f32"));
  EXPECT_EQ(Parameters(w), 3 * (64 * 64 + 64) + 640) << Notes(w);
}

TEST(CppModel, CountsPartsWhereTheyAreRegistered) {
  const std::string text = std::string(kTorch) + R"(
struct Net : torch::nn::Module {
  Net() : a(8, 8), b(8, 8) { register_module("a", a); }
  torch::Tensor forward(torch::Tensor x) { return b(a(x)); }
  torch::nn::Linear a, b;
};
)";
  const Workload w = Read(text, Asked("Net()", "8:f32"));
  EXPECT_EQ(w.model_size.has_value() ? w.model_size->trainable : Parameters(w), 8 * 8 + 8);
}

TEST(CppModel, NamesWhatItCannotFollowAtItsLine) {
  const std::string text = std::string(kTorch) + R"(
torch::Tensor secret(torch::Tensor x);
struct Net : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) {
    return secret(x);
  }
};
)";
  const Workload w = Read(text, Asked("Net()", "8:f32"));
  EXPECT_FALSE(w.graph.has_value());
  EXPECT_THAT(Notes(w), HasSubstr("the body of secret() is in another file"));
}

TEST(CppModel, ReadsAComputationOfXlasBuilder) {
  const Workload w = Read(R"(#include "xla/client/xla_builder.h"
xla::XlaComputation Product() {
  xla::XlaBuilder builder("product");
  auto a = xla::Parameter(&builder, 0, xla::ShapeUtil::MakeShape(xla::F32, {32, 500}), "a");
  auto b = xla::Parameter(&builder, 1, xla::ShapeUtil::MakeShape(xla::F32, {500, 100}), "b");
  auto sum = xla::Add(xla::Dot(a, b), xla::ConstantR0<float>(&builder, 1.0f));
  return builder.Build(xla::Tanh(sum)).value();
}
)");
  EXPECT_EQ(Count(w, OpKind::kDot), 1) << Notes(w);
}

TEST(CppTranslation, GivesEachLineTheLineOfItsSource) {
  const auto unit = ParseTranslationUnit("a.cpp", "int f(int x) {\n\n  return x / 2;\n}\n", {});
  ASSERT_TRUE(unit.ok());
  const cpp::TranslatedProgram program = cpp::Translator(unit->tree->context()).Translate();
  EXPECT_EQ(program.text,
            "import _tilewise_cpp as _cpp\nfrom _tilewise_cpp import torch, xla, std\n"
            "def f(x):\n    return _cpp.over(x, 2)\n    pass\n");
  EXPECT_THAT(program.lines, testing::ElementsAre(1, 1, 1, 3, 4));
}

TEST(CppTranslation, CountsOverRangesAndStepsOtherLoops) {
  EXPECT_THAT(Translated("void f() { for (int i = 2; i <= 9; i += 3) {} }"),
              HasSubstr("for i in range(2, 9 + 1, 3):"));
  EXPECT_THAT(Translated("void f() { for (int i = 1; i < 9; i *= 2) {} }"),
              HasSubstr("while (i < 9):"));
}

TEST(CppTranslation, LetsACaseFallIntoTheNextAndTakesTheDefaultLast) {
  const std::string text = Translated(
      "int f(int x) {\n  int y = 0;\n  switch (x) {\n    default: y = 9; break;\n"
      "    case 1: y += 1;\n    case 2: case 3: y += 2; break;\n  }\n  return y;\n}");
  EXPECT_THAT(text, HasSubstr("if _case_1 == 1:\n        pass\n        y += 1\n        y += 2\n"));
  EXPECT_THAT(text,
              HasSubstr("elif _case_1 == 2 or _case_1 == 3:\n        pass\n        y += 2\n"));
  EXPECT_THAT(text, HasSubstr("else:\n        pass\n        y = 9\n"));
}

TEST(CppTranslation, LeavesASwitchWhereABreakStandsWithinACase) {
  const std::string text = Translated(
      "int f(int x) {\n  switch (x) {\n    case 1:\n      if (x > 5) break;\n      x = 2;\n  }\n"
      "  return x;\n}");
  EXPECT_THAT(text, HasSubstr("for _ in range(1):\n        if _case_1 == 1:"));
  EXPECT_THAT(text, HasSubstr("                break\n            x = 2\n    return x"));
}

TEST(CppTranslation, KeepsNamesApartThatHideOthers) {
  EXPECT_THAT(Translated("int f() { int n = 1; { int n = 2; n += 1; } return n; }"),
              HasSubstr("n_2 += 1"));
  EXPECT_THAT(Translated("int in(int lambda) { return lambda; }"), HasSubstr("def in_(lambda_):"));
}

TEST(CppTranslation, ChoosesConstructorsAndMethodsByTheirTypes) {
  const std::string text = Translated(R"(
struct A {
  A(int n) : n(n) {}
  A(double x) : A(static_cast<int>(x)) {}
  int g(int x) { return x; }
  int g(double x) { return 2; }
  int n = 0;
};
int f() { A a(2.5); return a.g(1.5); })");
  EXPECT_THAT(text, HasSubstr("a = _cpp.made(A, '_made_2', 2.5)"));
  EXPECT_THAT(text, HasSubstr("return a.g_2(1.5)"));
  EXPECT_THAT(text, HasSubstr("int(x))"));
}

TEST(CppTranslation, SaysWhatHasNoCounterpart) {
  EXPECT_THAT(Translated("void f() { again: goto again; }"),
              HasSubstr("_cpp.unfollowed('\\'goto again\\' is not followed')"));
}

TEST(CppTranslation, WritesWhatACaseFallsIntoOnceMore) {
  const std::string text = Translated(R"(
int f(int kind) {
  int n = 0;
  switch (kind) {
    default: n = 7; break;
    case 1: n += 1;
    case 2: n += 2; break;
  }
  return n;
})");
  EXPECT_THAT(text, HasSubstr("if _case_1 == 1:\n        pass\n        n += 1\n        n += 2\n"
                              "    elif _case_1 == 2:\n        pass\n        n += 2\n"
                              "    else:\n        pass\n        n = 7\n"));
}

TEST(CppTranslation, ABreakWithinACaseLeavesTheSwitchAlone) {
  const std::string text = Translated(R"(
int f(int a) {
  int n = 0;
  for (int i = 0; i < 9; ++i) {
    switch (i) { case 1: if (a) break; n += 1; }
  }
  return n;
})");
  EXPECT_THAT(text, HasSubstr("for _ in range(1):\n            if _case_1 == 1:"));
}

TEST(CppTranslation, TakesFilesToBeThere) {
  const std::string text = Translated(R"(
#include <fstream>
int f(const char* path) {
  std::ifstream file(path);
  if (!file.is_open()) return 1;
  if (file) return 2;
  return 3;
})");
  EXPECT_THAT(text, HasSubstr("if False:\n        return 1"));
  EXPECT_THAT(text, HasSubstr("if True:\n        return 2"));
}

TEST(CppModel, FeedsTheStepWithTheLoader) {
  const std::string path = TILEWISE_SOURCE_DIR "/examples/libtorch/digits.cpp";
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto unit = ParseTranslationUnit(path, text, {});
  ASSERT_TRUE(unit.ok());
  CppReading reading;
  reading.program = cpp::TranslateLinked(*unit->tree, path, nullptr);
  reading.workload.facts = cpp::FactsOfTree(unit->tree->context(), path, {"torch/torch.h"});
  const absl::StatusOr<Workload> workload = RunTranslated(path, std::move(reading), {});
  ASSERT_TRUE(workload.ok());
  ASSERT_EQ(workload->pipelines.size(), 1u);
  const Pipeline& loader = workload->pipelines[0];
  EXPECT_EQ(loader.loader, "make_data_loader");
  EXPECT_EQ(loader.name, "loader");
  ASSERT_EQ(loader.stages.size(), 4u);
  EXPECT_TRUE(loader.stages[1].parallel_calls.is(4));
  EXPECT_THAT(loader.stages[1].function.calls,
              testing::ElementsAre("torch.data.transforms.Normalize"));
  EXPECT_EQ(loader.stages[3].kind, StageKind::kPrefetch);
  EXPECT_EQ(loader.source_items, 60'000);
}

constexpr char kLayer[] = R"(
  torch::nn::Linear layer(8, width);
  torch::optim::SGD optimizer(layer->parameters(), 0.1);
  for (int i = 0; i < 3; ++i) {
    layer->forward(torch::randn({4, 8})).mean().backward();
    optimizer.step();
  }
}
)";

TEST(CppModel, OptionsOfACommandLineHaveTheirDefaults) {
  const Workload boost = Read(std::string(kTorch) + R"(
#include <boost/program_options.hpp>
namespace po = boost::program_options;
int main(int argc, const char* argv[]) {
  po::options_description options("Options");
  options.add_options()("help", "text")("width", po::value<size_t>()->default_value(32), "units")(
      "dataset", po::value<std::string>(), "name");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, options), values);
  if (values.empty() || values.count("help")) return 1;
  const auto width = values["width"].as<size_t>();
)" + kLayer);
  EXPECT_EQ(Parameters(boost), 8 * 32 + 32) << Notes(boost);
  const Workload argparse = Read(std::string(kTorch) + R"(
#include <argparse/argparse.hpp>
int main(int argc, const char* argv[]) {
  argparse::ArgumentParser parser("x");
  parser.add_argument("--width").help("units").default_value(int64_t{24}).scan<'i', int64_t>();
  parser.parse_args(argc, argv);
  const auto width = parser.get<int64_t>("--width");
)" + kLayer);
  EXPECT_EQ(Parameters(argparse), 8 * 24 + 24) << Notes(argparse);
  const Workload cxxopts = Read(std::string(kTorch) + R"(
#include <cxxopts.hpp>
int main(int argc, char** argv) {
  cxxopts::Options options("x", "y");
  options.add_options()("w,width", "units", cxxopts::value<int>()->default_value("16"));
  auto given = options.parse(argc, argv);
  if (given.count("width")) return 1;
  const auto width = given["width"].as<int>();
)" + kLayer);
  EXPECT_EQ(Parameters(cxxopts), 8 * 16 + 16) << Notes(cxxopts);
}

TEST(CppModel, FlagsHaveTheirDefaultsAndArgumentsThatAreNotGivenTheirOther) {
  const Workload flags = Read(std::string(kTorch) + R"(
#include <gflags/gflags.h>
DEFINE_int32(width, 48, "units");
int main(int argc, char** argv) {
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  const int width = FLAGS_width;
)" + kLayer);
  EXPECT_EQ(Parameters(flags), 8 * 48 + 48) << Notes(flags);
  const Workload plain = Read(std::string(kTorch) + R"(
int main(int argc, char** argv) {
  const int width = argc > 1 ? std::atoi(argv[1]) : 64;
)" + kLayer);
  EXPECT_EQ(Parameters(plain), 8 * 64 + 64) << Notes(plain);
}

TEST(CppModel, AnOptionWithoutADefaultIsNotKnown) {
  const Workload w = Read(std::string(kTorch) + R"(
#include <boost/program_options.hpp>
namespace po = boost::program_options;
int main(int argc, const char* argv[]) {
  po::options_description options("Options");
  options.add_options()("width", po::value<int>()->required(), "units");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, options), values);
  const int width = values["width"].as<int>();
)" + kLayer);
  EXPECT_THAT(Notes(w), HasSubstr("the option --width, which has no default"));
}

}  // namespace
}  // namespace tilewise
