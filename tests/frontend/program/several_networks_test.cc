// Programs of PyTorch that train several networks in a round, each with its optimizer.

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;
using testing::Not;

Workload Read(const std::string& text) {
  ProgramOptions options;
  options.limits.steps = 2'000'000;
  options.trains = true;
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {ProgramText{.text = text}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

constexpr char kTwoNetworks[] = R"(
import torch
from torch import nn
import torch.nn.functional as F
made, judged = nn.Linear(4, 16), nn.Linear(16, 1)
first = torch.optim.Adam(judged.parameters())
second = torch.optim.Adam(made.parameters())
)";

int64_t Dots(const Workload& workload) {
  int64_t dots = 0;
  for (const Op& op : workload.graph->ops()) dots += op.kind == OpKind::kDot ? 1 : 0;
  return dots;
}

TEST(SeveralNetworks, BothNetworksThatARoundTrainsAreInTheStep) {
  const Workload workload = Read(std::string(kTwoNetworks) + R"(
for real in torch.utils.data.DataLoader(torch.randn(64, 16), batch_size=8):
    fake = made(torch.randn(8, 4))
    (judged(real).mean() - judged(fake.detach()).mean()).backward()
    first.step()
    judged(fake).mean().backward()
    second.step()
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(workload.graph->trainable_parameters(), 4 * 16 + 16 + 16 + 1);
  // The judge sees the real ones, the made ones, and with its new weights these once more.
  EXPECT_EQ(Dots(workload), 4);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("other weights are trained here")));
}

TEST(SeveralNetworks, ALoopWithinARoundWhosePassesCountOnceIsNamed) {
  const Workload workload = Read(std::string(kTwoNetworks) + R"(
for real in torch.utils.data.DataLoader(torch.randn(64, 16), batch_size=8):
    for i in range(5):
        judged(real).mean().backward()
        first.step()
    judged(made(torch.randn(8, 4))).mean().backward()
    second.step()
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(Dots(workload), 3);
  EXPECT_THAT(Notes(workload), HasSubstr("this loop runs 5 times in each step"));
}

TEST(SeveralNetworks, ALoopAroundTheLastPassOfARoundIsNamed) {
  const Workload workload = Read(std::string(kTwoNetworks) + R"(
for real in torch.utils.data.DataLoader(torch.randn(64, 16), batch_size=8):
    judged(real).mean().backward()
    first.step()
    for i in range(3):
        judged(made(torch.randn(8, 4))).mean().backward()
        second.step()
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(Dots(workload), 3);
  EXPECT_THAT(Notes(workload), HasSubstr("this loop runs 3 times in each step"));
}

TEST(SeveralNetworks, ANetworkThatSomeRoundsTrainIsInTheStep) {
  for (const char* condition : {"i % 5 == 0", "(i + 1) % 5 == 0", "not (i + 1) % 5"}) {
    const Workload workload = Read(std::string(kTwoNetworks) + R"(
for i, real in enumerate(torch.utils.data.DataLoader(torch.randn(64, 16), batch_size=8)):
    judged(real).mean().backward()
    first.step()
    if )" + condition + R"(:
        judged(made(torch.randn(8, 4))).mean().backward()
        second.step()
)");
    ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
    EXPECT_EQ(Dots(workload), 3) << condition;
    EXPECT_THAT(Notes(workload), HasSubstr("runs in one of 5 rounds")) << condition;
  }
}

TEST(SeveralNetworks, UpdatesOfSomeRoundsAddUpGradients) {
  const Workload workload = Read(std::string(kTwoNetworks) + R"(
for i, real in enumerate(torch.utils.data.DataLoader(torch.randn(64, 16), batch_size=8)):
    judged(real).mean().backward()
    if (i + 1) % 4 == 0:
        first.step()
        first.zero_grad()
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("rounds")));
  EXPECT_EQ(workload.declared_global_batch().value_or(0), 32);
}

TEST(SeveralNetworks, WhatALoopBeforeTrainedIsNotInTheStep) {
  const Workload workload = Read(std::string(kTwoNetworks) + R"(
for real in torch.utils.data.DataLoader(torch.randn(64, 16), batch_size=8):
    judged(real).mean().backward()
    first.step()
for noise in torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=8):
    made(noise).mean().backward()
    second.step()
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(Dots(workload), 1);
  EXPECT_THAT(Notes(workload), HasSubstr("other weights are trained here"));
}

}  // namespace
}  // namespace tilewise::program
