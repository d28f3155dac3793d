// gin of T5X: the batch, whether examples are shuffled and cached, the steps;
// and of T5 on Mesh TensorFlow: utils.run's batch and iterations.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/config/configured_input.h"
#include "frontend/config/read_config.h"
#include "frontend/text_file.h"

namespace tilewise {
namespace {

constexpr size_t kGinStart = size_t{64} << 10;

// The last binding that ends in one of these; scopes ("train/") must fit.
const Setting* Bound(const Setting& root, std::string_view scope, std::string_view ending) {
  const Setting* found = nullptr;
  for (const Setting& binding : root.children) {
    if (!binding.key.ends_with(ending)) continue;
    const size_t slash = binding.key.rfind('/');
    const std::string_view bound_in = slash == std::string::npos
                                          ? std::string_view()
                                          : std::string_view(binding.key).substr(0, slash);
    if (bound_in == scope) found = &binding;
  }
  return found;
}

void TakeDataset(const Setting& root, std::string_view scope, bool training, Workload& workload) {
  const Setting* size = Bound(root, scope, "DatasetConfig.batch_size");
  // Runs set the macro that T5X's own configurations read.
  if (size == nullptr && training) size = root.Find("BATCH_SIZE");
  if (size == nullptr) return;
  ConfiguredInput input(*size, training);
  const Setting* task = Bound(root, scope, "DatasetConfig.mixture_or_task_name");
  if (task == nullptr && training) task = root.Find("MIXTURE_OR_TASK_NAME");
  input.Named(task == nullptr ? "mixture_or_task_name" : task->value);
  // SeqIO's own maps and prefetch are parallel; what they do is not here.
  input.Parse("preprocessors", false).function = {};
  input.Batch(size);
  input.Prefetch(nullptr);
  Pipeline pipeline = std::move(input).Take();
  pipeline.name = std::string(scope);
  workload.pipelines.push_back(std::move(pipeline));
}

void TakeMeshRun(const Setting& root, Workload& workload) {
  const Setting* iterations = Bound(root, "", "run.iterations_per_loop");
  if (iterations == nullptr) return;
  workload.host_loop.steps_per_execution = CountOf(iterations);
  workload.host_loop.steps_per_execution_location = iterations->location;
}

// The files that it includes; what they bind is not read.
std::vector<std::string> Included(std::string_view text) {
  constexpr std::string_view kInclude = "include ";
  std::vector<std::string> files;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!line.starts_with(kInclude)) continue;
    const size_t begin = line.find_first_of("'\"");
    if (begin == std::string_view::npos) continue;
    const size_t end = line.find(line[begin], begin + 1);
    if (end != std::string_view::npos) files.emplace_back(line.substr(begin + 1, end - begin - 1));
  }
  return files;
}

// What was read of the run, in words.
std::string ReadInWords(const Workload& workload) {
  std::vector<std::string> read;
  for (const Pipeline& pipeline : workload.pipelines) {
    const Stage* batch = pipeline.batch();
    if (pipeline.role != PipelineRole::kTraining || batch == nullptr) continue;
    read.push_back(batch->amount.kind == Count::Kind::kValue
                       ? fmt::format("a training batch of {}", FormatCount(batch->amount.value))
                       : "a training batch whose size is not in this file");
    read.push_back(fmt::format("its data '{}'", pipeline.stages.front().text));
  }
  if (workload.host_loop.steps_per_execution.present()) read.push_back("the steps per execution");
  return read.empty() ? "nothing of the training" : fmt::format("{}", fmt::join(read, ", "));
}

// The model and the preprocessing are Python that the bindings name.
void NoteUnread(const InputFile& file, Workload& workload) {
  const std::vector<std::string> included = Included(file.bytes);
  Diagnostic note;
  note.rule = "RD005";
  note.name = "model-not-read";
  note.location = {.file = file.path, .line = 1};
  note.message = fmt::format(
      "no model was read: found {}, but the model, the preprocessing of its data and the "
      "partitioner "
      "are Python that gin binds{}, so there is no step, no memory and no tuning; give the step: "
      "open('step.hlo', 'w').write(jax.jit(step).lower(*args).compiler_ir('hlo').as_hlo_text())",
      ReadInWords(workload),
      included.empty()
          ? ""
          : fmt::format(", in part by {}, which {} not read", fmt::join(included, ", "),
                        included.size() == 1 ? "was" : "were"));
  workload.notes.push_back(std::move(note));
}

}  // namespace

bool LooksLikeTrainingGin(const InputFile& file) {
  if (!LooksLikeText(file) || file.path.ends_with(".py")) return false;
  const std::string_view start = file.bytes.substr(0, kGinStart);
  return file.path.ends_with(".gin") || start.find("from __gin__ import") != std::string_view::npos;
}

absl::StatusOr<Workload> ReadTrainingGin(const InputFile& file, const LoadOptions&) {
  TW_ASSIGN_OR_RETURN(const Setting root, ParseGinSettings(file));
  Workload workload = ConfiguredWorkload(file, "training-gin", Framework::kCustomLoop);
  TakeDataset(root, "train", true, workload);
  TakeDataset(root, "train_eval", false, workload);
  TakeMeshRun(root, workload);
  if (workload.pipelines.empty() && !workload.host_loop.steps_per_execution.present()) {
    return InvalidInput(
        fmt::format("{}: found a gin configuration without a batch, expected that of the run, or "
                    "the step that it configures: open('step.hlo', "
                    "'w').write(jax.jit(step).lower(*args).compiler_ir('hlo').as_hlo_text())",
                    file.path));
  }
  NoteUnread(file, workload);
  return workload;
}

}  // namespace tilewise
