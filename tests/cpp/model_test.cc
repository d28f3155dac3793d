// What a C++ program computes: modules of LibTorch, training loops, computations of XLA's builder.

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "frontend/files/cpp_files.h"
#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

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

// Statements of main() whose values cannot be read: a text that is no number, a missing
// declaration.
TEST(CppModel, GoesOnBehindAStatementThatCannotBeRead) {
  const Workload w = Read(std::string(kTorch) + R"(
#include <iostream>
int main() {
  try {
    std::cout.setf(std::ios::fixed);
    int shards = std::stoi("x");
    if (shards < 1) throw std::runtime_error("no shards");
    torch::nn::Conv2dOptions options(3, 8, 3);
    options.stride() = 2;
    options.bias() = false;
    torch::nn::Sequential net(torch::nn::Conv2d(options), torch::nn::Flatten(),
                              torch::nn::Linear(8 * 15 * 15, 4));
    torch::optim::SGD sgd(net->parameters(), 0.1);
    for (int i = 0; i < 9; ++i) {
      auto loss = torch::mse_loss(net->forward(torch::randn({16, 3, 32, 32})),
                                  torch::zeros({16, 4}));
      loss.backward();
      sgd.step();
    }
  } catch (const std::exception& e) {
    std::cerr << e.what();
    return 1;
  }
})");
  EXPECT_EQ(Parameters(w), 8 * 3 * 9 + 8 * 15 * 15 * 4 + 4) << Notes(w);
  EXPECT_THAT(Notes(w), HasSubstr("goes on without what is made here"));
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
  EXPECT_EQ(CountOf(w, OpKind::kDot), 1) << Notes(w);
}

TEST(CppTranslation, GivesEachLineTheLineOfItsSource) {
  const cpp::TranslatedProgram program = ProgramOf("int f(int x) {\n\n  return x / 2;\n}\n");
  EXPECT_EQ(program.text,
            "import _tilewise_cpp as _cpp\nfrom _tilewise_cpp import torch, xla, std, "
            "__recovers__\n"
            "def f(x):\n    return _cpp.over(x, 2)\n    pass\n");
  EXPECT_THAT(program.lines.places, testing::ElementsAre(1, 1, 1, 3, 4));
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
#include <filesystem>
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

TEST(CppModel, BuildsTuplesLiteralsAndTheGradientOfMaxPooling) {
  const Workload w = Read(R"(
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/literal_util.h"
xla::XlaComputation Pool() {
  xla::XlaBuilder builder("pool");
  xla::Shape image = xla::ShapeUtil::MakeShape(xla::F32, {8, 28, 28, 16});
  image.set_dynamic_dimension(0, true);
  auto both = xla::Parameter(
      &builder, 0,
      xla::ShapeUtil::MakeTupleShape(
          {image, xla::ShapeUtil::MakeShape(xla::F32, {8, 14, 14, 16})}),
      "both");
  xla::Literal scale = xla::LiteralUtil::CreateR1<float>({1.5f, 2.5f});
  auto scales = xla::Parameter(&builder, 1, scale.shape(), "scale");
  auto dx = xla::SelectAndScatter(
      xla::GetTupleElement(both, 0), xla::CreateScalarGeComputation(xla::F32, &builder),
      {1, 2, 2, 1}, {1, 2, 2, 1}, xla::Padding::kValid, xla::GetTupleElement(both, 1),
      xla::Zero(&builder, xla::F32), xla::CreateScalarAddComputation(xla::F32, &builder));
  return builder.Build(xla::Tuple(&builder, {dx, xla::Neg(scales)})).value();
}
)");
  EXPECT_EQ(CountOf(w, OpKind::kSelectAndScatter), 1) << Notes(w);
  ASSERT_TRUE(w.graph.has_value());
  EXPECT_EQ(w.graph->outputs().size(), 2u);
}

// A folder of such sources would be parsed many times over.
TEST(CppModel, APartOfOtherProgramsParsesNoSourcesBesideIt) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "linked_parts";
  std::filesystem::create_directories(folder);
  const std::string other = "#include <torch/torch.h>\nint Helper(int n) { return n; }\n";
  std::ofstream(folder / "other.cpp") << other;
  const std::string path = (folder / "part.cpp").string();
  const auto parsed = [&](const std::string& text) {
    std::ofstream(path) << text;
    return LinkedSources(text, path);
  };
  const std::string declared = "#include <torch/torch.h>\nint Helper(int n);\n";
  EXPECT_EQ(parsed(declared + "int Twice(int n) { return 2 * Helper(n); }\n"), 0);
  EXPECT_EQ(parsed(declared + "int main() { return Helper(2); }\n"), 1);
}

TEST(CppModel, FeedsTheStepWithTheLoader) {
  const std::string path = TILEWISE_SOURCE_DIR "/examples/libtorch/digits.cpp";
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const Workload workload = ReadWithFacts(text, path, {"torch/torch.h"});
  ASSERT_EQ(workload.pipelines.size(), 1u);
  const Pipeline& loader = workload.pipelines[0];
  EXPECT_EQ(loader.loader, "make_data_loader");
  EXPECT_EQ(loader.name, "loader");
  ASSERT_EQ(loader.stages.size(), 4u);
  EXPECT_TRUE(loader.stages[1].parallel_calls.is(4));
  EXPECT_THAT(loader.stages[1].function.calls,
              testing::ElementsAre("torch.data.transforms.Normalize"));
  EXPECT_EQ(loader.stages[3].kind, StageKind::kPrefetch);
  EXPECT_EQ(loader.source_items, 60'000);
}

TEST(CppModel, TakesAPartialSpecializationWhereItFits) {
  const Workload w = Read(std::string(kTorch) + R"(
template <class T, int N> struct Pair : torch::nn::Module {
  Pair() : fc(register_module("fc", torch::nn::Linear(8, N))) {}
  torch::nn::Linear fc;
};
template <int N> struct Pair<float, N> : torch::nn::Module {
  Pair() : fc(register_module("fc", torch::nn::Linear(8, 3 * N))) {}
  torch::nn::Linear fc;
};
int main(int argc, char** argv) {
  if (argc < 2) {
    return 1;
  }
  Pair<float, 5> net;
  torch::optim::SGD sgd(net.parameters(), 0.1);
  auto loss = net.fc->forward(torch::randn({4, 8})).sum();
  loss.backward();
  sgd.step();
})");
  EXPECT_EQ(Parameters(w), 8 * 15 + 15) << Notes(w);
  EXPECT_THAT(Notes(w), HasSubstr("where it gets no arguments"));
}

// A checkout with headers in one folder and sources in another, and a library in one header.
TEST(CppModel, FindsTheSourcesOfHeadersInTheCheckout) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(testing::TempDir()) / "cpp_checkout";
  fs::remove_all(root);
  const auto write = [&](const std::string& name, const std::string& text) {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  };
  fs::create_directories(root / ".git");
  write("public/net.h", std::string(kTorch) + "#include \"sizes.h\"\n" +
                            "struct NetImpl : torch::nn::Module {\n  NetImpl(int width);\n"
                            "  torch::Tensor forward(torch::Tensor x);\n"
                            "  torch::nn::Linear fc;\n};\nTORCH_MODULE(Net);\n");
  write("public/sizes.h", "int Classes();\n");
  write("private/net.cpp",
        "#include \"net.h\"\nNetImpl::NetImpl(int width)\n"
        "    : fc(torch::nn::LinearOptions(width, Classes())) {\n"
        "  register_module(\"fc\", fc);\n}\n"
        "torch::Tensor NetImpl::forward(torch::Tensor x) { return fc(x); }\n");
  write("private/sizes.cpp", "#include \"sizes.h\"\nint Classes() { return 7; }\n");
  const std::string text =
      "#include \"net.h\"\nint main() {\n  Net net(20);\n"
      "  torch::optim::SGD sgd(net->parameters(), 0.1);\n"
      "  auto loss = net->forward(torch::randn({8, 20})).sum();\n  loss.backward();\n"
      "  sgd.step();\n}\n";
  write("app/main.cpp", text);
  const std::string path = (root / "app" / "main.cpp").string();
  CppReading reading;
  reading.workload = *ReadCpp(path, text, {}, &reading.program);
  EXPECT_EQ(reading.program.modules.size(), 2u);
  const absl::StatusOr<Workload> w = RunTranslated(path, std::move(reading), {});
  ASSERT_TRUE(w.ok());
  EXPECT_EQ(Parameters(*w), 20 * 7 + 7) << Notes(*w);
}

}  // namespace
}  // namespace tilewise
