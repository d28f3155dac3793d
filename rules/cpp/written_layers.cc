// Sizes come from the arguments and options of the layers' constructors.

#include "rules/cpp/written_layers.h"

#include <algorithm>

#include "rules/cpp/api_calls.h"
#include "rules/host_loop/step_code.h"
#include "rules/host_loop/torch_steps.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

constexpr std::string_view kConvolutions =
    "torch.nn.Conv1d|torch.nn.Conv2d|torch.nn.Conv3d|torch.nn.ConvTranspose1d|"
    "torch.nn.ConvTranspose2d|torch.nn.ConvTranspose3d";

// Programs that load what others trained.
bool Infers(const SourceFacts& facts) {
  return std::ranges::any_of(facts.calls, [](const SourceCall& call) {
    return call.name == "torch.jit.load" || call.name == "torch.NoGradGuard" ||
           call.name == "torch.InferenceMode" || call.name == "tensorflow.LoadSavedModel" ||
           LastName(call.name) == "eval";
  });
}

bool Updates(const SourceCall& call) {
  return IsBackward(call) || call.name == "tensorflow.AddSymbolicGradients" ||
         call.name.starts_with("tensorflow.ops.Apply") || call.name == "xla.SelectAndScatter";
}

bool BuildsModules(const SourceFacts& facts) {
  for (size_t i = 0; i < facts.contexts.size(); ++i) {
    const bool type = facts.contexts[i].kind == ContextKind::kClass;
    if (type && IsModuleClass(facts, static_cast<int32_t>(i), "torch")) return true;
  }
  return false;
}

}  // namespace

int64_t KnownNumber(const SourceArgument* argument, int64_t other) {
  if (argument == nullptr) return other;
  return argument->sizes.size() == 1 && argument->sizes[0] > 0 ? argument->sizes[0] : 0;
}

std::vector<WrittenLayer> WrittenLayers(const SourceFacts& facts) {
  std::vector<WrittenLayer> layers;
  for (const SourceCall& call : facts.calls) {
    const bool convolution = IsOneOfWords(call.name, kConvolutions);
    if (!convolution && call.name != "torch.nn.Linear") continue;
    // Copies and holders without options make no layer.
    if (call.arguments.size() < 2) continue;
    WrittenLayer& layer = layers.emplace_back();
    layer.call = &call;
    layer.is_convolution = convolution;
    layer.in = KnownNumber(&call.arguments[0], 0);
    layer.out = KnownNumber(&call.arguments[1], 0);
    if (convolution) layer.groups = KnownNumber(ArgumentOf(call.arguments, "groups"), 1);
  }
  return layers;
}

bool SpeaksWithoutModel(const Facts& facts) {
  return facts.model == nullptr && IsCpp(facts.workload) && IsWritten(facts.workload.facts);
}

bool MayTrain(const Facts& facts) {
  const SourceFacts& source = facts.workload.facts;
  if (!facts.training) return false;
  if (std::ranges::any_of(source.calls, Updates)) return true;
  return BuildsModules(source) && !Infers(source);
}

}  // namespace tilewise
