// Headers that sources begin with, precompiled for all of them.

#include "frontend/cpp/precompiled_headers.h"

#include <gmock/gmock.h>

#include "tests/cpp/model_reading.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

TEST(PrecompiledHeaders, AreThoseThatStandBeforeAllElse) {
  const auto first = [](const std::string& text) { return cpp::FirstHeader("/x/a.cc", text).line; };
  EXPECT_EQ(first("// A net.\n#pragma once\n/* of\n two */ #include <torch/torch.h>\nint a;"),
            "#include <torch/torch.h>");
  EXPECT_EQ(first("#include \"xla/hlo/builder/xla_builder.h\"\n"),
            "#include \"xla/hlo/builder/xla_builder.h\"");
  EXPECT_EQ(first("#include <vector>\n\n#include <torch/script.h>\n"), "#include <torch/script.h>");
  EXPECT_EQ(first("#include <sys/types.h>\n#include <torch/torch.h>\n"), "");
  EXPECT_EQ(first("#include \"net.h\"\n#include <torch/torch.h>\n"), "");
  EXPECT_EQ(first("#define AT_PARALLEL 1\n#include <torch/torch.h>\n"), "");
  EXPECT_EQ(first("// #include <torch/torch.h>"), "");
  EXPECT_EQ(first("#include <torch/torch.h"), "");
  EXPECT_EQ(first("/* #include <torch/torch.h>"), "");
}

TEST(PrecompiledHeaders, OfAProjectAreItsOwn) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("torch"));
  folder.Write("torch/torch.h", "");
  EXPECT_EQ(cpp::FirstHeader(folder.path("a.cc"), "#include \"torch/torch.h\"\n").line, "");
}

// What stands before the header keeps it from being precompiled.
TEST(PrecompiledHeaders, ReadAsWhereEachSourceParsesThem) {
  const std::string source = std::string("\n") + kTorch + R"(
namespace torch { inline int Wide() { return 24; } }
struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(8, torch::Wide()))) {}
  torch::Tensor forward(torch::Tensor x) { return torch::relu(fc->forward(x)); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);
int main() {
  Net net;
  std::vector<int64_t> sizes = {4, 8};
  torch::optim::SGD sgd(net->parameters(), 0.1);
  auto loss = net->forward(torch::randn(sizes)).sum();
  loss.backward();
  sgd.step();
}
)";
  const std::string parsed = Translated("#define PARSED" + source);
  EXPECT_THAT(parsed, HasSubstr("fc"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Translated(source), parsed);
    EXPECT_EQ(Parameters(Read(source)), 9 * 24);
  }
}

// Errors and headers of the source itself are told as ever.
TEST(PrecompiledHeaders, LeaveWhatASourceLacksToBeSaid) {
  for (int i = 0; i < 3; ++i) {
    const absl::StatusOr<Workload> w =
        ReadCpp("a.cc", std::string(kTorch) + "#include \"mine.h\"\nMine x;\nint main() {}\n", {});
    ASSERT_TRUE(w.ok());
    EXPECT_THAT(Notes(*w), HasSubstr("torch/torch.h"));
    EXPECT_THAT(Notes(*w), HasSubstr("mine.h"));
  }
}

}  // namespace
}  // namespace tilewise
