// Walks up the tree of contexts.

#include "workload/blocks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace tilewise {
namespace {

const SourceContext& At(const SourceFacts& facts, int32_t context) {
  return facts.contexts[context];
}

bool IsFunction(ContextKind kind) {
  return kind == ContextKind::kFunction || kind == ContextKind::kLambda;
}

// One process speaks for all: it still does so every time.
bool PicksProcess(std::string_view part) {
  constexpr std::array<std::string_view, 11> kWords = {
      "process_index",    "host_id",         "is_master",  "rank == 0",
      "is_main_process",  "is_chief",        "local_rank", "get_ordinal()",
      "global_ordinal()", "process_id == 0", "rank_zero"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return Contains(part, word); });
}

// A setting that says whether the run logs to a service: it is the same in all steps, and the
// program is written to run with it.
bool IsLoggingSetting(std::string_view part) {
  constexpr std::string_view kNotNone = " is not None";
  constexpr std::array<std::string_view, 5> kWords = {"wandb", "tensorboard", "writer", "neptune",
                                                      "mlflow"};
  const size_t begin = part.find_first_not_of("( ");
  if (begin == std::string_view::npos) return false;
  part = part.substr(begin, part.find_last_not_of(") ") + 1 - begin);
  if (part.ends_with(kNotNone)) part.remove_suffix(kNotNone.size());
  const bool is_name = std::ranges::all_of(part, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  });
  return is_name &&
         std::ranges::any_of(kWords, [&](std::string_view word) { return Mentions(part, word); });
}

// Whether a condition says the same in every step: each of its parts picks a process or asks
// whether the run logs. Anything more may be true now and then.
bool IsSameEachTime(std::string_view condition) {
  constexpr std::string_view kAnd = " and ";
  if (Contains(condition, "%")) return false;
  while (true) {
    const size_t end = condition.find(kAnd);
    const std::string_view part = condition.substr(0, end);
    if (!PicksProcess(part) && !IsLoggingSetting(part)) return false;
    if (end == std::string_view::npos) return true;
    condition.remove_prefix(end + kAnd.size());
  }
}

}  // namespace

int32_t Around(const SourceFacts& facts, int32_t context, ContextKind kind) {
  while (context >= 0 && At(facts, context).kind != kind) {
    context = At(facts, context).parent;
  }
  return context;
}

int32_t FunctionAround(const SourceFacts& facts, int32_t context) {
  while (context >= 0 && !IsFunction(At(facts, context).kind)) {
    context = At(facts, context).parent;
  }
  return context;
}

int32_t LoopAround(const SourceFacts& facts, int32_t context) {
  for (; context >= 0; context = At(facts, context).parent) {
    const ContextKind kind = At(facts, context).kind;
    if (kind == ContextKind::kFor || kind == ContextKind::kWhile) {
      return context;
    }
    if (IsFunction(kind) || kind == ContextKind::kClass) return -1;
  }
  return -1;
}

bool IsInside(const SourceFacts& facts, int32_t context, int32_t outer) {
  while (context != outer && context >= 0) context = At(facts, context).parent;
  return context == outer;
}

bool RunsEachTime(const SourceFacts& facts, int32_t context, int32_t outer) {
  for (; context != outer; context = At(facts, context).parent) {
    if (context < 0) return false;
    const SourceContext& here = At(facts, context);
    if (here.kind == ContextKind::kWith || here.kind == ContextKind::kModule) continue;
    if (here.kind != ContextKind::kIf || !IsSameEachTime(here.text)) return false;
  }
  return true;
}

bool IsForDebugging(const SourceFacts& facts, int32_t context) {
  constexpr std::array<std::string_view, 8> kWords = {"debug", "verbose", "False",     "trace",
                                                      "dbg",   "test",    "log_every", "eager"};
  for (; context >= 0; context = At(facts, context).parent) {
    const SourceContext& here = At(facts, context);
    if (IsFunction(here.kind)) return false;
    if (here.kind != ContextKind::kIf && here.kind != ContextKind::kElse) {
      continue;
    }
    for (const std::string_view word : kWords) {
      if (Contains(here.text, word) || Mentions(here.text, word)) return true;
    }
  }
  return false;
}

namespace {

// The imported file that the context stands in; -1: one that is linted.
int32_t ModuleOf(const SourceFacts& facts, int32_t context) {
  return Around(facts, context, ContextKind::kModule);
}

// The function at the top of an imported file that a call from another one names: engine.train_fn.
int32_t DefinitionInModule(const SourceFacts& facts, std::string_view name) {
  const std::string_view module = name.substr(0, name.rfind('.'));
  for (size_t i = 0; i < facts.contexts.size(); ++i) {
    const SourceContext& candidate = facts.contexts[i];
    if (candidate.kind != ContextKind::kFunction || candidate.name != LastName(name)) continue;
    if (FunctionAround(facts, candidate.parent) >= 0) continue;
    const int32_t around = ModuleOf(facts, candidate.parent);
    const bool in_class = Around(facts, candidate.parent, ContextKind::kClass) >= 0;
    if (around >= 0 && !in_class && At(facts, around).name == module) {
      return static_cast<int32_t>(i);
    }
  }
  return -1;
}

// The method that a call names by its class: Meter.add.
int32_t DefinitionInClass(const SourceFacts& facts, std::string_view name) {
  const std::string_view type = LastName(name.substr(0, name.rfind('.')));
  for (size_t i = 0; i < facts.contexts.size() && !type.empty(); ++i) {
    const SourceContext& candidate = facts.contexts[i];
    if (candidate.kind != ContextKind::kFunction || candidate.name != LastName(name)) continue;
    if (candidate.parent < 0) continue;
    const SourceContext& owner = At(facts, candidate.parent);
    if (owner.kind == ContextKind::kClass && owner.name == type) return static_cast<int32_t>(i);
  }
  return -1;
}

}  // namespace

int32_t DefinitionOf(const SourceFacts& facts, std::string_view name, int32_t context) {
  const bool method = name.starts_with("self.");
  if (method) name.remove_prefix(5);
  if (name.empty()) return -1;
  if (Contains(name, ".")) {
    if (method) return -1;
    const int32_t in_module = DefinitionInModule(facts, name);
    return in_module >= 0 ? in_module : DefinitionInClass(facts, name);
  }
  const int32_t module = ModuleOf(facts, context);
  int32_t found = -1;
  for (size_t i = 0; i < facts.contexts.size(); ++i) {
    const SourceContext& candidate = facts.contexts[i];
    if (candidate.kind != ContextKind::kFunction || candidate.name != name) {
      continue;
    }
    const int32_t owner = candidate.parent;
    const bool in_class = owner >= 0 && At(facts, owner).kind == ContextKind::kClass;
    if (in_class != method) continue;
    // A method of a base may stand in another file.
    if (!method && ModuleOf(facts, owner) != module) continue;
    const bool visible =
        IsInside(facts, context, FunctionAround(facts, owner)) || IsInside(facts, context, owner);
    if (visible || found < 0) found = static_cast<int32_t>(i);
  }
  return found;
}

const SourceArgument* ArgumentOf(const std::vector<SourceArgument>& arguments,
                                 std::string_view keyword) {
  const auto found = std::ranges::find(arguments, keyword, &SourceArgument::keyword);
  return found == arguments.end() || keyword.empty() ? nullptr : &*found;
}

bool IsFalse(const SourceArgument& argument) {
  return argument.text == "False" || argument.text == "false";
}

const SourceArgument* ArgumentOf(const SourceCall& call, size_t position,
                                 std::string_view keyword) {
  if (position < call.arguments.size() && call.arguments[position].keyword.empty()) {
    return &call.arguments[position];
  }
  return ArgumentOf(call.arguments, keyword);
}

bool IsWritten(const SourceFacts& facts) {
  constexpr size_t kMostCalls = 5000;
  return !facts.calls.empty() && facts.calls.size() <= kMostCalls;
}

const SourceCall* CallAt(const SourceFacts& facts, const Location& place) {
  const auto found = std::ranges::find_if(facts.calls, [&](const SourceCall& call) {
    const Location& at = call.location;
    return at.file == place.file && at.cell == place.cell && at.line == place.line &&
           at.column == place.column;
  });
  return found == facts.calls.end() || !place.known() ? nullptr : &*found;
}

std::string_view LastName(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool Mentions(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool IsOneOf(std::string_view name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

bool IsOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

namespace {

// A call, a decorator or an import of one of those names.
bool Names(const SourceFacts& facts, std::string_view names) {
  const auto is_named = [&](const auto& each) { return IsOneOfWords(LastName(each.name), names); };
  return std::ranges::any_of(facts.calls, is_named) ||
         std::ranges::any_of(facts.imported_calls, is_named) ||
         std::ranges::any_of(facts.imports, is_named) ||
         std::ranges::any_of(facts.contexts, [&](const SourceContext& context) {
           return std::ranges::any_of(context.decorators, is_named);
         });
}

}  // namespace

bool NamesSharding(const SourceFacts& facts) {
  return Imports(facts, "jax.sharding") ||
         Names(facts,
               "Mesh|NamedSharding|PositionalSharding|make_mesh|pmap|shard_map|create_device_mesh|"
               "filter_pmap|make_array_from_process_local_data|GlobalDeviceArray|DataParallel|pjit|"
               "with_sharding_constraint");
}

bool NamesLaunch(const SourceFacts& facts) {
  // What xla_spawn.py of Transformers calls in each process.
  const bool entry = std::ranges::any_of(
      facts.contexts, [](const SourceContext& context) { return context.name == "_mp_fn"; });
  const bool variable = std::ranges::any_of(facts.environment, [](const SourceSetting& setting) {
    return setting.name == "XLA_USE_SPMD" && setting.value != "0";
  });
  return entry || variable ||
         Names(facts,
               "spawn|launch|use_spmd|DistributedDataParallel|DistributedSampler|initialize|"
               "init_process_group|mark_sharding");
}

bool DividesTensors(std::string_view call) {
  constexpr std::string_view kCalls[] = {"mark_sharding",
                                         "use_spmd",
                                         "with_sharding_constraint",
                                         "NamedSharding",
                                         "shard_map",
                                         "FullyShardedDataParallel",
                                         "XlaFullyShardedDataParallel"};
  return IsOneOf(LastName(call), kCalls);
}

bool IsOneOfWords(std::string_view word, std::string_view words) {
  for (size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || words[at - 1] == '|';
    if (begins && (end == words.size() || words[end] == '|')) return true;
  }
  return false;
}

bool HaveCommon(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& each) { return IsOneOf(each, b); });
}

namespace {

bool IsUnder(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) && (name.size() == prefix.size() || name[prefix.size()] == '.');
}

}  // namespace

bool Calls(const SourceFacts& facts, std::string_view name) {
  return std::ranges::any_of(facts.calls,
                             [&](const SourceCall& call) { return IsUnder(call.name, name); });
}

bool Imports(const SourceFacts& facts, std::string_view package) {
  return std::ranges::any_of(
      facts.imports, [&](const SourceImport& import) { return IsUnder(import.name, package); });
}

bool LoopsOverCompiled(const SourceFacts& source) {
  constexpr std::string_view kCompiles = "jax.jit|jax.pmap";
  std::set<std::string_view> compiled;
  for (const SourceContext& context : source.contexts) {
    const bool by_decorator = std::ranges::any_of(
        context.decorators,
        [&](const SourceDecorator& decorator) { return IsOneOfWords(decorator.name, kCompiles); });
    if (by_decorator) compiled.insert(context.name);
  }
  for (const SourceCall& call : source.calls) {
    if (IsOneOfWords(call.name, kCompiles))
      compiled.insert(call.results.begin(), call.results.end());
  }
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return compiled.contains(call.name) && LoopAround(source, call.context) >= 0;
  });
}

}  // namespace tilewise
