// Classes come from the declarations that Clang read, the libraries' own or the stand-ins.

#include "rules/cpp/api_calls.h"

#include <algorithm>
#include <vector>

#include "workload/blocks.h"
#include "workload/cpp_path.h"

namespace tilewise {

bool IsCpp(const Workload& workload) {
  return std::ranges::any_of(workload.files,
                             [](const SourceFile& file) { return IsCppPath(file.path); });
}

bool IsMethodOf(const SourceCall& call, std::string_view classes, std::string_view names) {
  if (!IsOneOfWords(LastName(call.name), names) || call.receiver.empty()) return false;
  if (IsByName(call)) return true;
  const std::string_view name = call.name;
  return IsOneOfWords(name.substr(0, name.rfind('.')), classes);
}

bool IsByName(const SourceCall& call) {
  const std::string_view name = call.name;
  return !name.starts_with("xla.") && !name.starts_with("tensorflow.") &&
         !name.starts_with("tsl.") && !LastName(name).starts_with("PJRT_");
}

std::string_view ByNameText(const SourceCall& call) {
  return IsByName(call) ? " (told by its name: the class is not declared here)" : "";
}

int32_t LoopThatRuns(const SourceFacts& facts, const SourceCall& call) {
  const int32_t loop = LoopAround(facts, call.context);
  return loop >= 0 && RunsEachTime(facts, call.context, loop) ? loop : -1;
}

bool IsKept(const SourceCall& call) {
  return std::ranges::any_of(call.results,
                             [](const std::string& name) { return Contains(name, "["); });
}

int32_t LoopThatReaches(const SourceFacts& facts, const SourceCall& call) {
  std::vector<int32_t> places = {call.context};
  std::vector<int32_t> seen;
  for (size_t i = 0; i < places.size(); ++i) {
    const int32_t at = places[i];
    const int32_t loop = LoopAround(facts, at);
    if (loop >= 0) {
      if (RunsEachTime(facts, at, loop)) return loop;
      continue;
    }
    const int32_t function = FunctionAround(facts, at);
    if (function < 0 || !RunsEachTime(facts, at, function) ||
        std::ranges::find(seen, function) != seen.end()) {
      continue;
    }
    seen.push_back(function);
    const std::string& name = facts.contexts[function].name;
    if (name.empty()) continue;
    for (const SourceCall& other : facts.calls) {
      if (LastName(other.name) == name && !IsKept(other) &&
          DefinitionOf(facts, other.name, other.context) == function) {
        places.push_back(other.context);
      }
    }
  }
  return -1;
}

bool MayRepeat(const SourceFacts& facts, int32_t context) {
  std::vector<int32_t> places = {context};
  std::vector<int32_t> seen;
  for (size_t i = 0; i < places.size(); ++i) {
    const int32_t at = places[i];
    if (LoopAround(facts, at) >= 0) return true;
    const int32_t function = FunctionAround(facts, at);
    if (function < 0 || std::ranges::find(seen, function) != seen.end()) continue;
    seen.push_back(function);
    const std::string& name = facts.contexts[function].name;
    for (const SourceCall& call : facts.calls) {
      if (!name.empty() && LastName(call.name) == name) places.push_back(call.context);
    }
  }
  return false;
}

bool IsOfC(const SourceCall& call, std::string_view functions) {
  return !call.receiver.empty() && IsOneOfWords(LastName(call.name), functions);
}

bool RunsProgram(const SourceCall& call) {
  if (IsOfC(call, "PJRT_LoadedExecutable_Execute")) return true;
  return IsMethodOf(call, "xla.PjRtLoadedExecutable|xla.PjRtExecutable",
                    "Execute|ExecuteSharded|ExecutePortable") ||
         (!IsByName(call) && IsMethodOf(call, "xla.LocalExecutable|xla.LocalClient",
                                        "Run|RunAsync|Execute|ExecuteAndTransfer"));
}

bool RunsPrograms(const SourceFacts& facts, int32_t loop) {
  return std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
    return RunsProgram(call) &&
           (IsInside(facts, call.context, loop) || LoopThatReaches(facts, call) == loop);
  });
}

}  // namespace tilewise
