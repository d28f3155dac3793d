// The loss is followed back through assignments to the calls that made it, and
// forward from there. Libraries and conversions of inputs are no such calls.

#include "rules/host_loop/torch_steps.h"

#include <algorithm>
#include <array>

#include "workload/blocks.h"

namespace tilewise {
namespace {

// Wrappers that are called with the loss.
bool IsWrapper(std::string_view receiver) {
  return std::ranges::any_of(
      std::array<std::string_view, 4>{"accelerator", "fabric", "engine", "self"},
      [&](std::string_view word) { return Mentions(receiver, word); });
}

// Variables of the loss itself.
std::vector<std::string> LossOf(const SourceCall& backward) {
  const bool given = !backward.arguments.empty() && backward.arguments[0].keyword.empty();
  std::vector<std::string> names = given ? backward.arguments[0].names : backward.receiver_names;
  std::erase_if(names, [](const std::string& name) {
    return Mentions(name, "scaler") || Mentions(name, "amp") || IsWrapper(name);
  });
  return names;
}

// Methods that leave the host's data what it is: of an input, or a new form.
constexpr std::string_view kConversions =
    "to|cuda|float|long|half|int|type|next|iter|enumerate|zip|len|range|get|pop|items|keys|values|"
    "size|dim|split|format|join|copy|deepcopy|unsqueeze|view|reshape|permute|dict|list|tuple|time|"
    "perf_counter|get_batch|sample|int|str|min|max|round|send_to_device|requires_grad_|__next__";
constexpr std::string_view kLibraries =
    "torch|numpy|math|random|os|time|tqdm|itertools|torchvision|json|copy|datetime";

bool IsLibrary(std::string_view name) {
  return IsOneOfWords(name.substr(0, name.find('.')), kLibraries);
}

// A model, a criterion, a function of the program's own.
bool IsOwnCall(const SourceCall& call) {
  const std::string_view last = LastName(call.name);
  if (call.name.empty() || IsOneOfWords(last, kConversions)) return false;
  if (call.name.starts_with("torch.nn.functional.")) return true;
  return !IsLibrary(call.name) && !call.name.starts_with(".");
}

// The value is a number of the host, or text.
bool IsOfHost(std::string_view text) {
  constexpr std::array<std::string_view, 14> kHost = {
      ".size(", ".shape", "len(",  ".item(", ".cpu(", ".numpy(", ".tolist(",
      "float(", "int(",   "next(", "f\"",    "f'",    ".numel(", ".keys("};
  return std::ranges::any_of(kHost, [&](std::string_view part) { return Contains(text, part); });
}

class Slice {
 public:
  Slice(const SourceFacts& facts, StepLoop& found) : facts_(facts), found_(found) {
    const int32_t function = FunctionAround(facts, found.loop);
    for (const SourceAssignment& assignment : facts.assignments) {
      if (!IsInside(facts, assignment.context, found.loop)) continue;
      if (FunctionAround(facts, assignment.context) == function) inside_.push_back(&assignment);
    }
  }

  void Fill() {
    KeepLoss();
    const std::vector<std::string> slice = Before(found_.on_device);
    for (const SourceAssignment* assignment : inside_) {
      if (!HaveCommon(assignment->targets, slice) || IsOfHost(assignment->text)) continue;
      if (assignment->call >= 0 && IsOwnCall(facts_.calls[assignment->call])) {
        Add(*assignment, found_.on_device);
      }
    }
    while (Derive()) continue;
  }

 private:
  // The variables that the step binds of what is given to backward(): not what
  // the loss is divided by.
  void KeepLoss() {
    std::erase_if(found_.on_device, [&](const std::string& name) {
      if (Mentions(name, "loss")) return false;
      return std::ranges::none_of(inside_, [&](const SourceAssignment* assignment) {
        return IsOneOf(name, assignment->targets);
      });
    });
  }

  // Whether a line of the step makes it a value of the host.
  bool ComesBack(const std::string& name) const {
    return std::ranges::any_of(inside_, [&](const SourceAssignment* assignment) {
      return IsOneOf(name, assignment->targets) && IsOfHost(assignment->text);
    });
  }

  // What the names are made of, with them.
  std::vector<std::string> Before(std::vector<std::string> names) const {
    for (size_t i = 0; i < names.size(); ++i) {
      for (const SourceAssignment* assignment : inside_) {
        if (!IsOneOf(names[i], assignment->targets)) continue;
        for (const std::string& name : assignment->names) {
          if (!IsOneOf(name, names)) names.push_back(name);
        }
      }
    }
    return names;
  }

  bool Add(const SourceAssignment& assignment, std::vector<std::string>& to) const {
    bool added = false;
    for (const std::string& target : assignment.targets) {
      const bool plain = !Contains(target, "[") && !Contains(target, ".") && target != "_";
      if (!plain || IsOneOf(target, to) || ComesBack(target)) continue;
      to.push_back(target);
      added = true;
    }
    return added;
  }

  // Whether another name was found that holds what is made on the device.
  bool Derive() {
    bool added = false;
    for (const SourceAssignment* assignment : inside_) {
      if (IsOfHost(assignment->text)) continue;
      if (!ReadsValue(assignment->text, assignment->names, found_.on_device)) continue;
      if (assignment->call < 0) {
        added = Add(*assignment, found_.on_device) || added;
        continue;
      }
      const SourceCall& call = facts_.calls[assignment->call];
      const bool tensor = call.name.starts_with("torch.") ||
                          ReadsValue(call.receiver, call.receiver_names, found_.on_device);
      added = Add(*assignment, tensor ? found_.on_device : found_.maybe_on_device) || added;
    }
    return added;
  }

  const SourceFacts& facts_;
  StepLoop& found_;
  std::vector<const SourceAssignment*> inside_;
};

bool IsCalledInLoop(const SourceFacts& facts, int32_t function) {
  return std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
    return LastName(call.name) == facts.contexts[function].name &&
           LoopAround(facts, call.context) >= 0;
  });
}

}  // namespace

bool IsBackward(const SourceCall& call) {
  const std::string_view last = LastName(call.name);
  if (last == "manual_backward") return call.arguments.size() == 1;
  if (last != "backward" || call.receiver.empty()) return false;
  const bool given = !call.arguments.empty() && call.arguments[0].keyword.empty();
  return given ? IsWrapper(call.receiver) : !call.receiver_names.empty();
}

int32_t StepFunctionAround(const SourceFacts& facts, int32_t context) {
  constexpr std::array<std::string_view, 6> kWords = {"step",   "train_batch", "train_one",
                                                      "update", "iteration",   "optimize"};
  const int32_t function = FunctionAround(facts, context);
  if (function < 0 || facts.contexts[function].kind != ContextKind::kFunction) return -1;
  const std::string& name = facts.contexts[function].name;
  if (Mentions(name, "epoch") || Mentions(name, "main")) return -1;
  if (name == "backward" || name == "closure") return -1;
  const bool named =
      std::ranges::any_of(kWords, [&](std::string_view word) { return Mentions(name, word); });
  return named || IsCalledInLoop(facts, function) ? function : -1;
}

void AddTorchResults(const SourceFacts& facts, StepLoop& found) {
  found.on_device = LossOf(*found.call);
  Slice(facts, found).Fill();
}

bool IsOptimizerStep(const SourceCall& call) {
  const std::string_view name = LastName(call.name);
  if (name == "optimizer_step") return true;
  if (name != "step") return false;
  const auto is_optimizer = [](std::string_view text) {
    return Mentions(text, "opt") && !Mentions(text, "sched");
  };
  return is_optimizer(call.receiver) ||
         (!call.arguments.empty() && is_optimizer(call.arguments[0].text));
}

}  // namespace tilewise
