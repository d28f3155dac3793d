// Tests networks that a header declares, or defines, for the source that trains them.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/cpp/read_cpp.h"
#include "frontend/files/cpp_files.h"
#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

constexpr char kMain[] = R"(#include "net.h"
int main() {
  Net net(40);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    auto loss = net->forward(torch::rand({16, 30})).sum();
    loss.backward();
    optimizer.step();
  }
}
)";

// Reads main.cpp of a folder that has the other files.
Workload ReadFolder(const std::string& name,
                    const std::vector<std::pair<std::string, std::string>>& others) {
  const fs::path folder = fs::path(testing::TempDir()) / name;
  fs::create_directories(folder);
  for (const auto& [file, text] : others) std::ofstream(folder / file) << text;
  return Read(kMain, {}, (folder / "main.cpp").string());
}

TEST(CppSplitSources, OpsStandWhereTheHeaderWritesThem) {
  const Workload w = ReadFolder("split_in_header", {{"net.h", R"(#include <torch/torch.h>
struct NetImpl : torch::nn::Module {
  explicit NetImpl(int width) : first(30, width) { register_module("first", first); }
  torch::Tensor forward(torch::Tensor x) {
    return torch::relu(first->forward(x));
  }
  torch::nn::Linear first;
};
TORCH_MODULE(Net);
)"}});
  EXPECT_EQ(Parameters(w), 30 * 40 + 40) << Notes(w);
  ASSERT_TRUE(w.graph.has_value());
  int in_forward = 0;
  for (const auto& op : w.graph->ops()) {
    if (!op.location.file.ends_with("net.h")) continue;
    in_forward += op.location.line == 5 ? 1 : 0;
    EXPECT_THAT(op.location.line, testing::AnyOf(3, 5));
    EXPECT_EQ(op.location.cell, 0);
  }
  EXPECT_GE(in_forward, 2);
}

TEST(CppSplitSources, FunctionsOfAClassTemplateAreDefinedByAnotherSource) {
  const Workload w = ReadFolder("split_template", {{"net.h", R"(#include <torch/torch.h>
template <typename Layer>
struct NetOfImpl : torch::nn::Module {
  explicit NetOfImpl(int width);
  torch::Tensor forward(torch::Tensor x);
  Layer first{nullptr};
};
template <typename Layer = torch::nn::Linear>
class NetOf : public torch::nn::ModuleHolder<NetOfImpl<Layer>> {
 public:
  using torch::nn::ModuleHolder<NetOfImpl<Layer>>::ModuleHolder;
};
using Net = NetOf<>;
)"},
                                                   {"net.cpp", R"(#include "net.h"
template <typename Layer>
NetOfImpl<Layer>::NetOfImpl(int width) : first(register_module("first", Layer(30, width))) {}
template <typename Layer>
torch::Tensor NetOfImpl<Layer>::forward(torch::Tensor x) {
  return first->forward(x);
}
template class NetOfImpl<torch::nn::Linear>;
)"}});
  EXPECT_EQ(Parameters(w), 30 * 40 + 40) << Notes(w);
}

constexpr char kDeclared[] = R"(#include <torch/torch.h>
struct NetImpl : torch::nn::Module {
  NetImpl();
  explicit NetImpl(int width);
  torch::Tensor forward(torch::Tensor x);
  torch::nn::Linear first{nullptr};
};
TORCH_MODULE(Net);
int Unused(int n);
)";
constexpr char kDefined[] = R"(#include "net.h"
NetImpl::NetImpl(int width) { first = register_module("first", torch::nn::Linear(30, width)); }
torch::Tensor NetImpl::forward(torch::Tensor x) { return first->forward(x); }
)";

TEST(CppSplitSources, AConstructorThatNobodyDefinesLeavesTheRestOfItsClass) {
  const Workload w = ReadFolder("split_parts", {{"net.h", kDeclared}, {"net.cpp", kDefined}});
  EXPECT_EQ(Parameters(w), 30 * 40 + 40) << Notes(w);
}

TEST(CppSplitSources, SourcesThatTheProgramDoesNotComeToAreNotParsed) {
  const fs::path folder = fs::path(testing::TempDir()) / "split_reached";
  fs::create_directories(folder);
  std::ofstream(folder / "net.h") << kDeclared;
  std::ofstream(folder / "net.cpp") << kDefined;
  std::ofstream(folder / "unused.cpp") << "#include \"net.h\"\nint Unused(int n) { return n; }\n";
  EXPECT_EQ(LinkedSources(kMain, (folder / "main.cpp").string()), 1);
}

// The program main.cpp of a folder, as the command line reads it.
Workload ReadProgram(const std::string& name, const std::string& main,
                     const std::vector<std::pair<std::string, std::string>>& others) {
  const fs::path folder = fs::path(testing::TempDir()) / name;
  fs::create_directories(folder / ".git");
  for (const auto& [file, text] : others) std::ofstream(folder / file) << text;
  const std::string path = (folder / "main.cpp").string();
  CppReading reading;
  absl::StatusOr<Workload> read = ReadCpp(path, main, {}, &reading.program);
  EXPECT_TRUE(read.ok()) << read.status();
  if (!read.ok()) return {};
  reading.workload = *std::move(read);
  absl::StatusOr<Workload> workload = RunTranslated(path, std::move(reading), {});
  EXPECT_TRUE(workload.ok()) << workload.status();
  return workload.ok() ? *std::move(workload) : Workload();
}

TEST(CppSplitSources, RulesSeeWhatTheProgramComesToInHeadersAndOtherSources) {
  const Workload w = ReadProgram("split_facts", R"(#include "net.h"
int main() {
  Net net;
  Train(net);
}
)",
                                 {{"net.h", R"(#include <torch/torch.h>
struct Net : torch::nn::Module {
  float Step(torch::Tensor loss) { return loss.item<float>(); }
};
void Train(Net& net);
inline float Unused(torch::Tensor loss) { return loss.item<float>(); }
)"},
                                  {"train.cpp", R"(#include "net.h"
void Train(Net& net) {
  for (int i = 0; i < 9; ++i) net.Step(torch::rand({8}).sum());
}
)"}});
  std::string found;
  for (const SourceCall& call : w.facts.calls) {
    const std::string file = fs::path(call.location.file).filename().string();
    found += file + ":" + std::to_string(call.location.line) + " " + call.name + "\n";
  }
  EXPECT_THAT(found, testing::HasSubstr("net.h:3 loss.item")) << Notes(w);
  EXPECT_THAT(found, testing::HasSubstr("train.cpp:3 "));
  EXPECT_THAT(found, testing::Not(testing::HasSubstr("net.h:6 ")));
}

TEST(CppSplitSources, SourcesBeyondWhatAllMayTakeAreNamed) {
  std::string declared, calls;
  std::vector<std::pair<std::string, std::string>> sources;
  for (char c = 'a'; c < 'a' + 14; ++c) {
    const std::string name = std::string("Part") + c;
    declared += "int " + name + "();\n";
    calls += "  " + name + "();\n";
    sources.emplace_back(name + ".cpp", "int " + name + "() { return 1; }\n");
  }
  const Workload w = ReadProgram(
      "split_many", "#include <torch/torch.h>\n" + declared + "int main() {\n" + calls + "}\n",
      sources);
  EXPECT_THAT(Notes(w), testing::HasSubstr("2 sources that may define what this program calls"));
}

TEST(CppSplitSources, WhatTrainsIsParsedBeforeTheRest) {
  std::string declared, calls;
  std::vector<std::pair<std::string, std::string>> sources;
  for (char c = 'a'; c < 'a' + 14; ++c) {
    const std::string name = std::string("Part") + c;
    declared += "int " + name + "();\n";
    calls += "  " + name + "();\n";
    sources.emplace_back(name + ".cpp", "int " + name + "() { return 1; }\n");
  }
  sources.emplace_back("train.cpp", R"(#include <torch/torch.h>
void Train() {
  torch::nn::Linear net(8, 2);
  torch::optim::SGD sgd(net->parameters(), 0.1);
  net->forward(torch::randn({16, 8})).sum().backward();
  sgd.step();
}
)");
  const Workload w = ReadProgram("split_first",
                                 "#include <torch/torch.h>\n" + declared +
                                     "void Train();\nint main() {\n" + calls + "  Train();\n}\n",
                                 sources);
  EXPECT_THAT(Notes(w), testing::HasSubstr("3 sources that may define what this program calls"));
  ASSERT_TRUE(w.graph) << Notes(w);
  EXPECT_EQ(Parameters(w), 18);
}

}  // namespace
}  // namespace tilewise
