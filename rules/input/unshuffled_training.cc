// Flags loaders that give training its examples in the order in which they are stored.

#include <string>
#include <string_view>
#include <vector>

#include "edit/cpp.h"
#include "edit/python.h"
#include "rules/cpp/api_calls.h"
#include "rules/input/torch_loaders.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::IP026 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP026",
    .name = "unshuffled-training",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kUnsafe,
    .needs = {.training = true, .script = true},
    .summary = "a loader says that training sees its examples unshuffled",
    .no_saving = "steps take the same time; it may take fewer of them",
    .no_cost = "steps take the same time; how many more are needed is not in the files",
    .doc = R"(
What: a DataLoader for training that is given shuffle=False and no sampler; in C++
make_data_loader<SequentialSampler>.
Why: batches of neighbouring examples, often of one class, are alike in every
epoch: training takes more steps on the same TPU to get as far, and batch
statistics follow the order of the files.
Remedy: shuffle=True; in C++ RandomSampler, which is what make_data_loader takes
by itself.
Ignore: sequences whose order matters, and data that was shuffled when it was
written.
Sources: PyTorch's documentation of torch.utils.data.)",
};

// RandomSampler in the place of SequentialSampler between the name and the parenthesis; of a
// distributed one the first word stays.
std::vector<TextEdit> ShuffleInCpp(const Workload& workload, const SourceCall& loader) {
  constexpr std::string_view kSequential = "SequentialSampler";
  Span between = loader.name_span;
  between.begin = between.end;
  between.end = loader.arguments_span.begin;
  const size_t at = CppTextOf(workload, between).find(kSequential);
  if (at == std::string_view::npos) return {};
  between.begin += static_cast<int64_t>(at);
  between.end = between.begin + static_cast<int64_t>(kSequential.size());
  return ReplaceCpp(workload, between, "RandomSampler");
}

void Check(const Facts& facts, Sink& sink) {
  const bool cpp = IsCpp(facts.workload);
  for (const SourceCall* loader : TrainingLoaders(facts)) {
    const SourceArgument* shuffle = ArgumentOf(*loader, 2, "shuffle");
    if (shuffle == nullptr || !IsFalse(*shuffle) || ArgumentOf(*loader, 3, "sampler") != nullptr) {
      continue;
    }
    Finding& found =
        sink.Report(loader->location,
                    "{} gives training its examples in the order of the data set, expected {}",
                    NameOfLoader(*loader), cpp ? "RandomSampler" : "shuffle=True");
    found.fix.text = cpp ? "take RandomSampler, the default" : "pass shuffle=True to DataLoader()";
    found.fix.edits =
        cpp ? ShuffleInCpp(facts.workload, *loader)
            : SetArgumentAt(facts.workload, loader->arguments_span, 2, "shuffle", "True");
  }
}

}  // namespace

TW_RULE(IP026)

}  // namespace tilewise::IP026
