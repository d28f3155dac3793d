// Lists, texts, parts of tensors and arguments that programs take: what they leave known.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

using testing::HasSubstr;
using testing::Not;

// A program that trains a layer of `inputs` values for `outputs` classes, behind `before`.
std::string Trains(const std::string& before, const std::string& inputs,
                   const std::string& outputs) {
  return std::string(kTorch) + "#include <array>\n#include <fstream>\n#include <string>\n" +
         "#include <vector>\n" + before + "  torch::nn::Linear net(" + inputs + ", " + outputs +
         ");\n  torch::optim::SGD sgd(net->parameters(), 0.1);\n"
         "  auto loss = net(torch::randn({16, " +
         inputs + "})).sum();\n  loss.backward();\n  sgd.step();\n}\n";
}

TEST(CppContainers, AListThatAFileFillsHasNoKnownLength) {
  const Workload w = Read(Trains(R"(
int main() {
  std::vector<std::string> names;
  std::ifstream file("names.txt");
  for (std::string line; std::getline(file, line);) names.push_back(line);
  std::string second = names[1];
)",
                                 "8", "names.size()"));
  EXPECT_THAT(Notes(w), Not(HasSubstr("out of range")));
  EXPECT_THAT(Notes(w), HasSubstr("is not known"));
}

TEST(CppContainers, ElementsOfASizedListAreTheirOwn) {
  const Workload w = Read(Trains(R"(
int main() {
  std::vector<std::vector<int>> grid(2, std::vector<int>(2, 8));
  grid[0][1] = 64;
  std::vector<std::string> names(3);
  std::array<int, 4> sizes;
  sizes[3] = 12;
  names.resize(5);
  std::string path = names[4] + '/' + "a";
  path.append("b").push_back('c');
)",
                                 "grid[1][1]", "sizes[3] + path.size()"));
  EXPECT_EQ(Parameters(w), 9 * 16) << Notes(w);
}

TEST(CppContainers, EmplacesWhatTheListIsOf) {
  const Workload w = Read(Trains(R"(
struct Shape { Shape(int in, int out) : in(in), out(out) {} int in, out; };
int main() {
  std::vector<Shape> shapes;
  shapes.emplace_back(8, 24);
  std::vector<int> copied;
  std::vector<int> given = {3, 5};
  std::copy(given.begin(), given.end(), std::back_inserter(copied));
)",
                                 "shapes[0].in", "shapes[0].out + copied[1]"));
  EXPECT_EQ(Parameters(w), 9 * 29) << Notes(w);
}

TEST(CppContainers, PlacesThatAWhileMovesGoThroughTheList) {
  for (const char* loop :
       {"auto at = widths.begin();\n  while (at != widths.end()) { sum += *at; ++at; }",
        "auto at = widths.begin();\n  for (; at != widths.end(); at++) sum += *at;",
        "auto at = widths.begin(), end = widths.end();\n  while (at != end) { sum += *at; at++; "
        "}"}) {
    const Workload w = Read(Trains(std::string(R"(
int main() {
  std::vector<int> widths = {8, 16, 32};
  int sum = 0;
  )") + loop + "\n",
                                   "8", "sum"));
    EXPECT_EQ(Parameters(w), 9 * 56) << loop << Notes(w);
  }
}

TEST(CppContainers, PlacesThatALoopMovesByItselfAreNamed) {
  const Workload w = Read(Trains(R"(
int main() {
  std::vector<int> widths = {8, 16, 32};
  int sum = 0;
  auto at = widths.begin();
  while (at != widths.end()) {
    sum += *at;
    at += 2;
  }
)",
                                 "8", "sum"));
  EXPECT_THAT(Notes(w), HasSubstr("places of 'at' are not followed"));
}

TEST(CppContainers, ArgumentsBehindACheckAreNotKnown) {
  const Workload w = Read(Trains(R"(
void usage(int code) { exit(code); }
int main(int argc, char** argv) {
  if (argc < 2) usage(1);
  std::vector<std::string> given;
  for (int i = 0; i < argc; ++i) given.push_back(argv[i]);
  if (given[1] == "-m") {
    if (argc != 3) usage(1);
  } else {
    usage(1);
  }
)",
                                 "8", "4"));
  EXPECT_EQ(Parameters(w), 9 * 4) << Notes(w);
  EXPECT_THAT(Notes(w), HasSubstr("where it gets no arguments"));
}

TEST(CppContainers, OptionsOfTheProgramsOwnHaveTheirDefaults) {
  const Workload w = Read(Trains(R"(
struct NetOptions {
  TORCH_ARG(int64_t, width) = 32;
  TORCH_ARG(int64_t, classes) = 10;
};
int main() {
  NetOptions options;
  options.classes(7);
)",
                                 "options.width()", "options.classes()"));
  EXPECT_EQ(Parameters(w), 33 * 7) << Notes(w);
}

TEST(CppContainers, WritesPartsOfTensors) {
  const std::string text = Translated(std::string(kTorch) + R"(
void f(torch::Tensor x, torch::Tensor y) {
  x.slice(1, 0, 4) = y;
  x.index({0, torch::indexing::Slice()}) = 1.0f;
  x.data() -= y;
}
)");
  EXPECT_THAT(text, HasSubstr("_cpp.put_part(x, 'slice', (1, 0, 4,), y)"));
  EXPECT_THAT(text, HasSubstr("_cpp.put_part(x, 'data', (), "));
  EXPECT_THAT(text, Not(HasSubstr("unfollowed")));
}

TEST(CppContainers, AppliesAFunctionWithABackwardOfItsOwn) {
  const Workload w = Read(std::string(kTorch) + R"(
using namespace torch::autograd;
struct Scale : Function<Scale> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor x) { return x * 2; }
  static variable_list backward(AutogradContext* context, variable_list g) { return {g[0]}; }
};
int main() {
  torch::nn::Linear a(8, 4), b(4, 2);
  torch::optim::Adam adam({a->parameters(), b->parameters()}, torch::optim::AdamOptions(1e-3));
  static_cast<torch::optim::AdamOptions&>(adam.param_groups()[0].options()).lr(1e-4);
  auto loss = b(Scale::apply(a(torch::randn({16, 8})))).sum();
  loss.backward();
  adam.step();
})");
  EXPECT_EQ(Parameters(w), 9 * 4 + 5 * 2) << Notes(w);
}

TEST(CppContainers, SaysWhoTrainsWhereNothingCallsIt) {
  const std::string text = std::string(kTorch) + R"(
struct Trainer {
  void Fit(torch::nn::Linear net, torch::optim::SGD& sgd, torch::Tensor x) {
    for (int i = 0; i < 9; ++i) {
      auto loss = net(x).sum();
      loss.backward();
      sgd.step();
    }
  }
};
)";
  EXPECT_THAT(Notes(ReadWithFacts(text)), HasSubstr("no model was read: Fit() trains"));
}

TEST(CppContainers, LoopsOverPlacesGoThroughTheItems) {
  const Workload w = Read(Trains(R"(
int main() {
  const std::vector<int> widths = {3, 4};
  std::map<std::string, int> named = {{"a", 5}};
  int width = 0;
  for (auto it = widths.begin(); it != widths.end(); ++it) width += *it;
  for (std::map<std::string, int>::const_iterator it = named.cbegin(); it != named.cend(); it++) {
    width += it->second;
  }
)",
                                 "width", "7"));
  EXPECT_EQ(Parameters(w), 13 * 7) << Notes(w);
}

TEST(CppContainers, LoopsThatChangeTheirListAreNamed) {
  const std::string text = Translated(R"(#include <vector>
void f(std::vector<int> list) {
  for (auto it = list.begin(); it != list.end();) it = *it > 3 ? list.erase(it) : it + 1;
  for (auto it = list.begin(); it != list.end(); ++it) *it = 4;
}
)");
  EXPECT_THAT(text, Not(HasSubstr("_cpp.each")));
  EXPECT_THAT(text, HasSubstr("the loop changes them"));
}

TEST(CppContainers, GroupsOfProcessesHaveTheCoresOfTheTarget) {
  LoadOptions options;
  options.cores = 8;
  const Workload w = Read(R"(#include <c10d/ProcessGroupMPI.hpp>
#include <torch/torch.h>
int main() {
  auto group = c10d::ProcessGroupMPI::createProcessGroupMPI();
  auto loader = torch::data::make_data_loader(
      torch::data::datasets::MNIST("x").map(torch::data::transforms::Stack<>()),
      64 / group->getSize());
  torch::nn::Linear net(784, 10);
  torch::optim::SGD sgd(net->parameters(), 0.1);
  for (auto& batch : *loader) {
    net->forward(batch.data.flatten(1)).sum().backward();
    for (auto& each : net->parameters()) {
      std::vector<torch::Tensor> gradients = {each.grad()};
      group->allreduce(gradients)->wait();
    }
    sgd.step();
  }
})",
                          options);
  EXPECT_EQ(Parameters(w), 785 * 10) << Notes(w);
  EXPECT_EQ(w.declared_global_batch(), 64);
}

}  // namespace
}  // namespace tilewise
