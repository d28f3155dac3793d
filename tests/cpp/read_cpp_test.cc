// C++ sources: which calls are seen, under which name, with which values, in which blocks.

#include "frontend/cpp/read_cpp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workload/blocks.h"

namespace tilewise {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SourceFacts FactsOf(const std::string& text, const std::vector<std::string>& arguments = {}) {
  LoadOptions options;
  options.program.arguments = arguments;
  absl::StatusOr<Workload> workload = ReadCpp("a.cc", text, options);
  if (!workload.ok()) return {};
  return std::move(workload->facts);
}

// The call of that name; one without a name: there is none.
SourceCall CallOf(const SourceFacts& facts, std::string_view name) {
  for (const SourceCall& call : facts.calls) {
    if (call.name == name) return call;
  }
  return {};
}

std::vector<std::string> NamesOf(const SourceFacts& facts) {
  std::vector<std::string> names;
  for (const SourceCall& call : facts.calls) names.push_back(call.name);
  return names;
}

constexpr char kTorch[] = "#include <torch/torch.h>\n";
constexpr char kXla[] = "#include \"xla/hlo/builder/xla_builder.h\"\n";
constexpr char kTensorFlow[] = "#include \"tensorflow/cc/ops/standard_ops.h\"\n";

TEST(ReadCpp, NamesOpsOfTensorFlowAsInPython) {
  const SourceFacts facts =
      FactsOf(std::string(kTensorFlow) +
              "using namespace tensorflow;\n"
              "void f(Scope s, Output x) {\n  auto t = ops::Tile(s, x, {2, 3});\n}\n");
  const SourceCall tile = CallOf(facts, "tensorflow.tile");
  EXPECT_EQ(FormatLocation(tile.location), "a.cc:4:12");
  EXPECT_EQ(tile.results, std::vector<std::string>{"t"});
  ASSERT_EQ(tile.arguments.size(), 3U);
  EXPECT_THAT(tile.arguments[2].integers, ElementsAre(2, 3));
}

TEST(ReadCpp, FoldsOptionsOfLayersIntoTheirArguments) {
  const SourceFacts facts = FactsOf(
      std::string(kTorch) +
      "constexpr int64_t kWide = 4 * 8;\nenum { kKernel = 3 };\n"
      "struct Net : torch::nn::Module {\n"
      "  Net() : conv(torch::nn::Conv2dOptions(kWide, 48, kKernel).stride({2, 2}).groups(4)) {}\n"
      "  torch::nn::Conv2d conv;\n};\n");
  const SourceCall conv = CallOf(facts, "torch.nn.Conv2d");
  ASSERT_EQ(conv.arguments.size(), 5U);
  EXPECT_THAT(conv.arguments[0].sizes, ElementsAre(32));
  EXPECT_THAT(conv.arguments[0].integers, IsEmpty());
  EXPECT_THAT(conv.arguments[1].integers, ElementsAre(48));
  EXPECT_THAT(conv.arguments[2].sizes, ElementsAre(3));
  EXPECT_EQ(conv.arguments[3].keyword, "stride");
  EXPECT_THAT(conv.arguments[3].sizes, ElementsAre(2, 2));
  EXPECT_EQ(conv.arguments[4].keyword, "groups");
  EXPECT_EQ(conv.class_name, "Net");
}

TEST(ReadCpp, FollowsVariablesThatNothingChanges) {
  const SourceFacts facts = FactsOf(std::string(kTorch) +
                                    "void f(int64_t given) {\n"
                                    "  int64_t same = 10, grows = 20;\n  grows += 1;\n"
                                    "  torch::zeros({same, 5});\n  torch::ones({grows, 5});\n"
                                    "  torch::rand({given, 5});\n}\n");
  EXPECT_THAT(CallOf(facts, "torch.zeros").arguments[0].sizes, ElementsAre(10, 5));
  EXPECT_THAT(CallOf(facts, "torch.ones").arguments[0].sizes, IsEmpty());
  EXPECT_THAT(CallOf(facts, "torch.rand").arguments[0].sizes, IsEmpty());
}

TEST(ReadCpp, TakesNumbersOfTemplateArgumentsAndMembers) {
  const SourceFacts facts = FactsOf(std::string(kTorch) +
                                    "template <int64_t N> struct Sizes { static constexpr int64_t "
                                    "kSize = 2 * N; };\n"
                                    "struct Net { const int64_t width = 30;\n"
                                    "  void f() { torch::zeros({width, Sizes<8>::kSize}); } };\n");
  EXPECT_THAT(CallOf(facts, "torch.zeros").arguments[0].sizes, ElementsAre(30, 16));
}

TEST(ReadCpp, SeesTheStepOfATrainingLoop) {
  const SourceFacts facts = FactsOf(
      std::string(kTorch) +
      "template <typename Loader>\n"
      "void train(torch::nn::Linear& net, Loader& loader, torch::optim::Optimizer& optimizer) {\n"
      "  for (auto& batch : loader) {\n"
      "    auto loss = torch::mse_loss(net->forward(batch.data), batch.target);\n"
      "    loss.backward();\n    optimizer.step();\n"
      "    float value = loss.template item<float>();\n  }\n}\n");
  EXPECT_THAT(NamesOf(facts), Contains("loss.backward"));
  const SourceCall item = CallOf(facts, "loss.item");
  EXPECT_THAT(item.receiver_names, ElementsAre("loss"));
  EXPECT_THAT(item.results, ElementsAre("value"));
  const int32_t loop = LoopAround(facts, item.context);
  ASSERT_GE(loop, 0);
  EXPECT_EQ(facts.contexts[loop].location.line, 4);
  EXPECT_THAT(facts.contexts[loop].targets, ElementsAre("batch"));
}

TEST(ReadCpp, NamesMethodsOfXlaByTheirClass) {
  const SourceFacts facts = FactsOf(
      "#include \"xla/pjrt/pjrt_client.h\"\n"
      "void f(xla::PjRtClient* client, xla::XlaComputation& c) {\n"
      "  auto compiled = client->Compile(c, {}).value();\n"
      "  auto out = compiled->ExecuteSharded({}, nullptr, {});\n}\n");
  EXPECT_THAT(NamesOf(facts), Contains("xla.PjRtClient.Compile"));
  EXPECT_THAT(NamesOf(facts), Contains("xla.PjRtLoadedExecutable.ExecuteSharded"));
}

TEST(ReadCpp, KeepsCallsThatDoNotFitTheDeclarations) {
  const SourceFacts facts = FactsOf(std::string(kXla) +
                                    "void f(xla::XlaOp x, Unknown y) {\n"
                                    "  auto a = xla::Broadcast(x, {8, 8}, y, 7);\n}\n");
  EXPECT_THAT(NamesOf(facts), Contains("xla.Broadcast"));
}

TEST(ReadCpp, WhatFollowsAContinueIsConditional) {
  const SourceFacts facts = FactsOf(std::string(kTorch) +
                                    "void f(torch::Tensor x, int n) {\n"
                                    "  for (int i = 0; i < n; ++i) {\n    if (i % 10) continue;\n"
                                    "    x.item<float>();\n  }\n}\n");
  const SourceCall item = CallOf(facts, "x.item");
  const int32_t loop = LoopAround(facts, item.context);
  ASSERT_GE(loop, 0);
  EXPECT_FALSE(RunsEachTime(facts, item.context, loop));
}

TEST(ReadCpp, KnowsMembersAndVariablesThatTheSourceNeverSets) {
  const SourceFacts facts =
      FactsOf(std::string(kTorch) +
              "static int64_t kept = 6, taken = 7;\nint64_t seen = 8;\n"
              "void Parse(int64_t* value);\nvoid f() { Parse(&taken); }\n"
              "struct Options { int64_t width = 30, depth = 4, classes = 10; };\n"
              "void g() {\n  Options options;\n  options.depth = 5;\n"
              "  torch::zeros({options.width, kept});\n  torch::ones({options.depth, 1});\n"
              "  torch::rand({taken, 1});\n  torch::randn({seen, 1});\n}\n"
              "struct Pair { int64_t a = 1, b = 2; };\n"
              "void h() { Pair p{5}; torch::empty({p.b, 3}); torch::full({p.a, 3}, 0); }\n");
  EXPECT_THAT(CallOf(facts, "torch.zeros").arguments[0].sizes, ElementsAre(30, 6));
  EXPECT_THAT(CallOf(facts, "torch.ones").arguments[0].sizes, IsEmpty());
  EXPECT_THAT(CallOf(facts, "torch.rand").arguments[0].sizes, IsEmpty());
  EXPECT_THAT(CallOf(facts, "torch.randn").arguments[0].sizes, IsEmpty());
  EXPECT_THAT(CallOf(facts, "torch.empty").arguments[0].sizes, ElementsAre(2, 3));
  EXPECT_THAT(CallOf(facts, "torch.full").arguments[0].sizes, IsEmpty());
}

TEST(ReadCpp, NamesLoadersAndTheirOptionsAsInPython) {
  const SourceFacts facts = FactsOf(
      std::string(kTorch) +
      "template <typename D> void f(D data) {\n"
      "  auto a = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(\n"
      "      std::move(data), torch::data::DataLoaderOptions(50).workers(2));\n}\n");
  const SourceCall loader = CallOf(facts, "torch.utils.data.DataLoader");
  ASSERT_EQ(loader.arguments.size(), 4U);
  EXPECT_THAT(loader.arguments[1].sizes, ElementsAre(50));
  EXPECT_EQ(loader.arguments[2].keyword, "num_workers");
  EXPECT_EQ(loader.arguments[3].keyword, "shuffle");
  EXPECT_EQ(loader.arguments[3].text, "false");
  EXPECT_EQ(loader.results, std::vector<std::string>{"a"});
}

TEST(ReadCpp, ALoaderGivesWhatItsTransformsMake) {
  const auto in_loop = [](const std::string& transform, const std::string& use) {
    return CallOf(
        FactsOf(std::string(kTorch) +
                "void f() {\n  auto set = torch::data::datasets::MNIST(\"data\")" + transform +
                ";\n  auto loader = torch::data::make_data_loader(set, 8);\n"
                "  for (auto& batch : *loader) { " +
                use + " }\n}\n"),
        "torch.relu");
  };
  const std::string each = "for (auto& example : batch) torch::relu(example.data);";
  EXPECT_EQ(in_loop("", each).name, "torch.relu");
  EXPECT_EQ(in_loop(".map(torch::data::transforms::Normalize<>(0.1, 0.3))", each).name,
            "torch.relu");
  EXPECT_EQ(in_loop(".map(torch::data::transforms::Stack<>())", "torch::relu(batch.data);").name,
            "torch.relu");
}

TEST(ReadCpp, WhatRunsInOneCaseIsConditional) {
  for (const char* body :
       {"switch (i % 10) { case 0: x.item<float>(); }", "float y = i % 10 ? 0 : x.item<float>();",
        "bool y = i % 10 == 0 && x.item<float>() > 1;",
        "try { g(); } catch (...) { x.item<float>(); }"}) {
    const SourceFacts facts = FactsOf(std::string(kTorch) +
                                      "void g();\nvoid f(torch::Tensor x, int n) {\n"
                                      "  for (int i = 0; i < n; ++i) { " +
                                      body + " }\n}\n");
    const SourceCall item = CallOf(facts, "x.item");
    const int32_t loop = LoopAround(facts, item.context);
    ASSERT_GE(loop, 0) << body;
    EXPECT_FALSE(RunsEachTime(facts, item.context, loop)) << body;
  }
}

TEST(ReadCpp, HasNoSpanOfWhatAMacroWrites) {
  const std::string text = std::string(kTorch) +
                           "#define SIZE 5\n#define MADE(n) torch::ones({n, 1})\n"
                           "void f() { torch::zeros(SIZE); MADE(3); torch::rand(7); }\n";
  const SourceFacts facts = FactsOf(text);
  EXPECT_THAT(CallOf(facts, "torch.zeros").arguments[0].sizes, ElementsAre(5));
  EXPECT_EQ(CallOf(facts, "torch.zeros").arguments[0].span.end, 0);
  EXPECT_EQ(CallOf(facts, "torch.ones").name_span.end, 0);
  const Span seven = CallOf(facts, "torch.rand").arguments[0].span;
  EXPECT_EQ(text.substr(seven.begin, seven.end - seven.begin), "7");
  const Span name = CallOf(facts, "torch.rand").name_span;
  EXPECT_EQ(text.substr(name.begin, name.end - name.begin), "rand");
}

TEST(ReadCpp, IgnoresCommentsStringsAndOtherNamespaces) {
  const SourceFacts facts = FactsOf(std::string(kTensorFlow) +
                                    "// tensorflow::ops::Tile(x)\n"
                                    "auto s = \"tensorflow::ops::Tile(x)\";\n"
                                    "namespace mine { int Tile(int x) { return x; } }\n"
                                    "int y = mine::Tile(1);\n");
  EXPECT_THAT(NamesOf(facts), ElementsAre("Tile"));
}

TEST(ReadCpp, SaysOnceWhatWasMissing) {
  const auto workload =
      ReadCpp("a.cc", "#include <torch/torch.h>\n#include \"mine.h\"\ntorch::Tensor x;\n", {});
  ASSERT_TRUE(workload.ok());
  ASSERT_EQ(workload->notes.size(), 1U);
  EXPECT_THAT(workload->notes[0].message, HasSubstr("1 header was not found: mine.h"));
  EXPECT_THAT(workload->notes[0].message, HasSubstr("torch/torch.h"));
}

TEST(ReadCpp, LeavesSourcesAloneThatUseNoLibrary) {
  const auto workload = ReadCpp("a.cc", "// like torch\nint f() { return 1; }\n", {});
  ASSERT_TRUE(workload.ok());
  EXPECT_THAT(workload->facts.contexts, IsEmpty());
  EXPECT_THAT(workload->notes[0].message, HasSubstr("uses neither LibTorch, XLA nor TensorFlow"));
}

TEST(ReadCpp, TakesFlagsBehindTheDashes) {
  const SourceFacts facts = FactsOf(std::string(kTorch) + "void f() { torch::zeros({SIZE, 5}); }\n",
                                    {"-DSIZE=12", "-std=c++20"});
  EXPECT_THAT(CallOf(facts, "torch.zeros").arguments[0].sizes, ElementsAre(12, 5));
}

TEST(ReadCpp, SurvivesUnfinishedText) {
  for (const char* text : {"tensorflow::ops::Tile( \"abc", "torch::", "namespace torch {",
                           "#include <torch/torch.h>\nstruct N : torch::nn::Module { N() : a("}) {
    EXPECT_TRUE(ReadCpp("a.cc", text, {}).ok()) << text;
  }
}

TEST(ReadCpp, RefusesSourcesLargerThanPeopleWrite) {
  const std::string text = "torch" + std::string(size_t{8} << 20, ' ');
  EXPECT_THAT(Message(ReadCpp("a.cc", text, {}).status()), HasSubstr("at most 8388608"));
}

TEST(ReadCpp, OwnersAreMadeByTheConstructorsOfWhatTheyOwn) {
  const SourceFacts facts = FactsOf(
      "#include <memory>\n#include \"tensorflow/core/lib/io/record_reader.h\"\n"
      "void f(tensorflow::RandomAccessFile* file) {\n"
      "  auto reader = std::make_unique<tensorflow::io::RecordReader>(file);\n}\n");
  EXPECT_EQ(CallOf(facts, "tensorflow.io.RecordReader").results,
            std::vector<std::string>{"reader"});
}

TEST(ReadCpp, FindsMethodsOfTheProgramByTheirClass) {
  const SourceFacts facts =
      FactsOf(std::string(kTorch) +
              "struct Meter { void add(torch::Tensor x); double total = 0; };\n"
              "struct Kept : Meter {};\n"
              "void Meter::add(torch::Tensor x) { total += x.item<double>(); }\n"
              "void f(Kept& meter, torch::nn::Linear fc, torch::Tensor x) {\n"
              "  meter.add(fc->forward(x));\n"
              "}\n");
  const SourceCall call = CallOf(facts, "Meter.add");
  EXPECT_EQ(call.receiver, "meter");
  const int32_t body = DefinitionOf(facts, call.name, call.context);
  ASSERT_GE(body, 0);
  EXPECT_EQ(FormatLocation(facts.contexts[body].location), "a.cc:4:13");
  EXPECT_EQ(facts.contexts[facts.contexts[body].parent].name, "Meter");
  EXPECT_THAT(NamesOf(facts), Contains("fc.forward"));
}

TEST(ReadCpp, ComparisonsOfTensorsAreCalls) {
  const SourceFacts facts = FactsOf(std::string(kTorch) +
                                    "torch::Tensor f(torch::Tensor x, int64_t n) {\n"
                                    "  if (n > 3) return x;\n"
                                    "  return torch::relu(x) > 0.5;\n"
                                    "}\n");
  EXPECT_EQ(NamesOf(facts), (std::vector<std::string>{"torch.gt", "torch.relu"}));
  EXPECT_EQ(facts.calls[1].outer, 0);
}

}  // namespace
}  // namespace tilewise
