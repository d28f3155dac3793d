// What templates make of LibTorch's classes, which Clang leaves as it is written.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kBlock[] = R"(
template <int N>
struct BlockImpl : torch::nn::Module {
  torch::nn::Linear a{nullptr}, b{nullptr};
  BlockImpl() {
    a = register_module("a", torch::nn::Linear(torch::nn::LinearOptions(8, 3 * N)));
    b = register_module("b", torch::nn::Linear(3 * N, N));
  }
  torch::Tensor forward(torch::Tensor x) { return b(torch::relu(a->forward(x))); }
};
template <typename Net>
void train(Net& net, torch::Tensor x) {
  torch::optim::SGD optimizer(net.parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    auto loss = net.forward(x).sum();
    loss.backward();
    optimizer.step();
  }
}
int main() {
  BlockImpl<16> net;
  train(net, torch::randn({32, 8}));
}
)";

TEST(CppTemplates, GiveModulesTheOptionsThatHangOnTheirParameters) {
  const Workload w = Read(kTorch + std::string(kBlock));
  EXPECT_EQ(Parameters(w), 8 * 48 + 48 + 48 * 16 + 16) << Notes(w);
}

TEST(CppTemplates, MakeTheOptimizerOfWhatTheyAreGiven) {
  const Workload w = Read(kTorch + std::string(kBlock));
  ASSERT_TRUE(w.training.has_value()) << Notes(w);
  EXPECT_EQ(w.training->optimizer, OptimizerKind::kMomentum) << Notes(w);
  EXPECT_THAT(Notes(w), Not(HasSubstr("'tuple'")));
}

TEST(CppModel, TakesAFunctionByItsNameAsAModule) {
  const Workload w = Read(kTorch + std::string(R"(int main() {
  torch::nn::Sequential net(torch::nn::Linear(8, 64), torch::nn::Functional(torch::tanh),
                            torch::nn::Linear(64, 4));
  torch::optim::Adam optimizer(net->parameters(), 1e-3);
  auto loss = net->forward(torch::randn({16, 8})).sum();
  loss.backward();
  optimizer.step();
})"));
  EXPECT_EQ(Parameters(w), 8 * 64 + 64 + 64 * 4 + 4) << Notes(w);
}

TEST(CppModel, GivesAnOwnerWhatItIsResetTo) {
  const Workload w = Read(kTorch + std::string(R"(int main() {
  torch::nn::Linear net(8, 4);
  std::unique_ptr<torch::optim::Adam> optimizer;
  optimizer.reset(new torch::optim::Adam(net->parameters(), 1e-3));
  auto loss = net->forward(torch::randn({16, 8})).sum();
  loss.backward();
  optimizer->step();
})"));
  ASSERT_TRUE(w.training.has_value()) << Notes(w);
  EXPECT_EQ(w.training->optimizer, OptimizerKind::kAdam) << Notes(w);
}

TEST(CppTemplates, HoldersOfTemplatesAreWhatTheyHold) {
  const Workload w = Read(std::string(kTorch) + R"(
torch::nn::Linear narrow(int64_t a, int64_t b) { return torch::nn::Linear(a, b); }
template <class Block>
struct NetImpl : torch::nn::Module {
  NetImpl() : block(4, 2) { register_module("first", first), register_module("block", block); }
  torch::Tensor forward(torch::Tensor x) { return block->forward(first->forward(x)); }
  torch::nn::Linear first{narrow(8, 4)};
  Block block;
};
template <class Block = torch::nn::Linear>
struct Net : torch::nn::ModuleHolder<NetImpl<Block>> {
  using torch::nn::ModuleHolder<NetImpl<Block>>::ModuleHolder;
};
int main() {
  Net<torch::nn::Linear> net;
  torch::optim::SGD sgd(net->parameters(), 0.1);
  net->forward(torch::randn({16, 8})).sum().backward();
  sgd.step();
})");
  EXPECT_EQ(Parameters(w), 9 * 4 + 5 * 2) << Notes(w);
}

TEST(CppTemplates, ConstructorsOfABaseAreThoseOfItsClass) {
  const Workload w = Read(std::string(kTorch) + R"(
struct WideImpl : torch::nn::LinearImpl {
  using torch::nn::LinearImpl::LinearImpl;
  torch::Tensor forward(torch::Tensor x) { return torch::nn::LinearImpl::forward(x); }
};
TORCH_MODULE(Wide);
int main() {
  Wide net(torch::nn::LinearOptions(8, 4).with_bias(false));
  torch::optim::SGD sgd(net->parameters(), 0.1);
  net->forward(torch::randn({16, 8})).sum().backward();
  sgd.step();
})");
  EXPECT_EQ(Parameters(w), 8 * 4) << Notes(w);
}

TEST(CppTemplates, ParametersOfTypeAutoTakeWhatIsGiven) {
  const auto program = ProgramOf(R"(#include <torch/torch.h>
void Train(auto& net, int epoch) { net.forward(torch::rand({8, 4})); }
int main() {
  torch::nn::Linear net(4, 2);
  Train(*net, 1);
}
)",
                                 "a.cpp", {"-std=c++20"});
  EXPECT_THAT(program.text, HasSubstr("def Train(net, epoch):"));
  EXPECT_THAT(program.text, Not(HasSubstr("auto")));
}

}  // namespace
}  // namespace tilewise
