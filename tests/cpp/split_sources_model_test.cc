// Tests networks that a header declares, or defines, for the source that trains them.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tilewise
