// One model, written in every format that can say it: the same kernels and the
// same simulated time.

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/load.h"
#include "sim/lowering/rewrite.h"
#include "tests/formats/cases.h"
#include "tests/formats/differences.h"
#include "tests/formats/measure.h"
#include "tests/formats/writers.h"
#include "zoo/zoo.h"

namespace tilewise::formats {
namespace {

constexpr Format kFormats[] = {
    {"KerasJson", KerasJson},       {"GraphDef", GraphDef},       {"Onnx", Onnx},
    {"StableHlo", StableHlo},       {"HloText", HloText},         {"KerasProgram", KerasProgram},
    {"TorchProgram", TorchProgram}, {"FlaxProgram", FlaxProgram},
};

// A case in one format beside the first that can say it.
struct Pair {
  std::string name;
  std::string text;
  bool training = false;
  const Format* first = nullptr;
  const Format* format = nullptr;  // null: the zoo
  std::string zoo = "";

  std::string_view format_name() const { return format == nullptr ? "Zoo" : format->name; }
  std::string_view mode() const { return training ? "training" : "inference"; }
};

void PrintTo(const Pair& pair, std::ostream* out) {
  *out << pair.name << " in " << pair.format_name();
}

void AddPairs(const Case& one, const std::string& text, bool training, std::vector<Pair>& pairs) {
  const Model model = ParseModel(one.name, text);
  const Format* first = nullptr;
  for (const Format& format : kFormats) {
    if (format.write(model).bytes.empty()) continue;
    if (first != nullptr) {
      pairs.push_back({one.name, text, training, first, &format});
    } else {
      first = &format;
    }
  }
  if (!one.zoo.empty()) {
    pairs.push_back({one.name, text, training, first, nullptr, one.zoo});
  }
}

std::vector<Pair> Pairs(const std::vector<Case>& cases, bool single) {
  std::vector<Pair> pairs;
  for (const Case& one : cases) {
    AddPairs(one, one.text, false, pairs);
    const std::string trained = single ? Trained(one) : one.text;
    if (!trained.empty()) AddPairs(one, trained, true, pairs);
  }
  return pairs;
}

// Modules state how their arguments lie in memory, which other formats leave to
// the compiler: what the ops mean is compared without that.
absl::StatusOr<Graph> WithFreeArguments(const Graph& graph) {
  Rewrite rewrite(graph);
  for (const Op& op : graph.ops()) {
    Op copy = op;
    if (op.kind == OpKind::kParameter) copy.edit<ParameterAttrs>().minor_to_major.clear();
    rewrite.Replace(op, rewrite.builder().Clone(std::move(copy), rewrite.Operands(op)));
  }
  return rewrite.Finish();
}

absl::StatusOr<Cost> CostIn(const Pair& pair, const Format* format) {
  if (format == nullptr) {
    TW_ASSIGN_OR_RETURN(const Workload workload, LoadZoo("zoo:" + pair.zoo, pair.training));
    return Measure(workload, pair.training);
  }
  const File file = format->write(ParseModel(pair.name, pair.text));
  LoadOptions options;
  options.training = pair.training;
  options.program.model = file.model;
  options.program.inputs = file.inputs;
  TW_ASSIGN_OR_RETURN(Workload workload, LoadBytes({file.name, file.bytes}, options));
  if (workload.graph) {
    TW_ASSIGN_OR_RETURN(workload.graph, WithFreeArguments(*workload.graph));
  }
  return Measure(workload, pair.training);
}

// Many pairs share their first format.
const absl::StatusOr<Cost>& FirstCost(const Pair& pair) {
  static std::map<std::pair<std::string, bool>, absl::StatusOr<Cost>> costs;
  const auto [at, is_new] = costs.try_emplace(std::pair(pair.text, pair.training));
  if (is_new) at->second = CostIn(pair, pair.first);
  return at->second;
}

const Difference* Find(const Pair& pair) {
  for (const Difference& entry : TrueDifferences()) {
    if (entry.name == pair.name && entry.format == pair.format_name() &&
        (entry.mode.empty() || entry.mode == pair.mode())) {
      return &entry;
    }
  }
  return nullptr;
}

class Formats : public testing::TestWithParam<Pair> {};

TEST_P(Formats, SayTheSame) {
  const Pair& pair = GetParam();
  const absl::StatusOr<Cost>& first = FirstCost(pair);
  const absl::StatusOr<Cost> cost = CostIn(pair, pair.format);
  std::string found;
  if (!first.ok() || !cost.ok()) {
    found = (first.ok() ? "" : Message(first.status()) + " in the first; ") +
            (cost.ok() ? "" : Message(cost.status()));
  } else if (const auto parts = Disagreement(*first, *cost); !parts.empty()) {
    found = fmt::format("{}\n{}: {}\n{}: {}", parts, pair.first->name, first->Text(),
                        pair.format_name(), cost->Text());
  }
  if (const Difference* known = Find(pair)) {
    EXPECT_NE(found, "") << "expected: " << known->reason;
  } else {
    EXPECT_EQ(found, "");
  }
}

std::string NameOf(const testing::TestParamInfo<Pair>& info) {
  std::string name(info.param.name);
  name += "_";
  name += info.param.format_name();
  return name + (info.param.training ? "_training" : "");
}

INSTANTIATE_TEST_SUITE_P(Ops, Formats, testing::ValuesIn(Pairs(SingleOps(), true)), NameOf);
INSTANTIATE_TEST_SUITE_P(Networks, Formats, testing::ValuesIn(Pairs(Networks(), false)), NameOf);

// Cases that at least two formats say.
size_t Compared(const std::vector<Case>& cases) {
  std::set<std::string> names;
  for (const Pair& pair : Pairs(cases, false)) names.insert(pair.name);
  return names.size();
}

TEST(FormatCases, AreMany) {
  EXPECT_GE(Compared(SingleOps()), 80u);
  EXPECT_GE(Compared(Networks()), 40u);
}

// An entry for a case or format that is gone would hide nothing and say wrong.
TEST(FormatCases, AreAllThatTheTableNames) {
  std::set<std::string> names;
  for (const bool single : {true, false}) {
    for (const Pair& pair : Pairs(single ? SingleOps() : Networks(), single)) {
      names.insert(fmt::format("{} {}", pair.name, pair.format_name()));
    }
  }
  for (const Difference& entry : TrueDifferences()) {
    EXPECT_TRUE(names.contains(fmt::format("{} {}", entry.name, entry.format)));
  }
}

}  // namespace
}  // namespace tilewise::formats
