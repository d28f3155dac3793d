// Settings are compared with all programs of the run at once: what one of them
// has use for is not said.

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/findings.h"
#include "cli/lint/run.h"
#include "lint/glob.h"
#include "lint/suppression.h"
#include "rules/suppression_rules.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

// Words that every program with a model calls unmatched.
void AddFixedDims(const LintRun& run, std::vector<std::string>& lines) {
  using Key = std::pair<std::string, std::string>;  // where, word
  std::map<Key, std::string> unmatched;
  std::set<Key> matched;
  for (const ProgramRun& program : run.programs) {
    if (!program.linted || !program.linted->timeline) continue;
    const auto& missed = program.linted->unmatched_fixed_dims;
    const std::string from = program.options.model.config.FromOf("fixed-dims");
    for (const std::string& word : program.options.rules.fixed_dims) {
      const auto found = missed.find(word);
      if (found == missed.end()) {
        matched.emplace(from, word);
      } else {
        unmatched.emplace(Key(from, word), found->second);
      }
    }
  }
  for (const auto& [key, hint] : unmatched) {
    if (matched.contains(key)) continue;
    lines.push_back(UnmatchedDimInWords(key.first, key.second, hint));
  }
}

// The programs of each configuration, by the options of the first of them.
struct ConfigUse {
  const LintOptions* options = nullptr;
  LintedFiles linted;
};

std::vector<ConfigUse> ConfigsOf(const LintRun& run) {
  std::vector<ConfigUse> uses;
  for (const ProgramRun& program : run.programs) {
    const LintConfig* config = &program.options.config();
    auto use = std::ranges::find_if(
        uses, [&](const ConfigUse& other) { return &other.options->config() == config; });
    if (use == uses.end()) {
      use = uses.insert(use, {&program.options, {{}, run.plan.walked}});
    }
    use->linted.files.insert(use->linted.files.end(), program.options.files().begin(),
                             program.options.files().end());
  }
  return uses;
}

// "tests/**" of a folder that is there: nothing in it is linted yet.
bool NamesAFolder(const PathRules& entry) {
  return std::ranges::any_of(entry.paths, [&](std::string glob) {
    for (const std::string_view end : {"/**", "/*", "/"}) {
      if (glob.ends_with(end)) glob.resize(glob.size() - end.size());
    }
    std::error_code error;
    return fs::is_directory(fs::path(entry.base) / glob, error);
  });
}

void AddPaths(const ConfigUse& use, std::vector<std::string>& lines) {
  const LintConfig& config = use.options->config();
  for (const PathRules& entry : config.per_path) {
    if (entry.from.file != config.file || !use.linted.Covers(entry.base) ||
        use.linted.Has(entry.paths, entry.base) || NamesAFolder(entry)) {
      continue;
    }
    std::string globs;
    for (const std::string& glob : entry.paths) {
      globs += (globs.empty() ? "" : ", ") + ShownGlob(glob, entry.base);
    }
    lines.push_back(
        fmt::format("{}: found paths '{}' of per-path, which mean no linted file, expected "
                    "globs from the folder of the configuration on ('tilewise lint "
                    "--show-files' lists the files)",
                    FormatLocation(entry.from), globs));
  }
}

void AddWorkloads(const ConfigUse& use, std::vector<std::string>& lines) {
  const LintConfig& config = use.options->config();
  for (const DeclaredWorkload& workload : config.workloads) {
    for (const std::string& file : workload.files) {
      std::error_code error;
      if (IsZooSpec(file) || fs::exists(file, error)) continue;
      lines.push_back(
          fmt::format("{}: found file {} of workload '{}', which is not there, expected "
                      "one from the folder of the configuration on",
                      FormatLocation(workload.from), file, workload.name));
    }
  }
}

bool Runs(std::string_view word, const RuleConfig& rules) {
  return std::ranges::any_of(ListedRules(), [&](const Rule* rule) {
    return WordMeans(word, rule->info.id) && Selects(rules.selection, rule->info.id);
  });
}

void AddLine(const char* what, const std::string& key, const std::string& from,
             const RuleConfig& rules, std::vector<std::string>& lines) {
  const std::string word = key.substr(0, key.find('.'));
  if (Runs(word, rules)) return;
  lines.push_back(
      fmt::format("{}: found a {} of {}, which does not run, expected it to be selected: "
                  "'extend-select: {}'",
                  from, what, word, word));
}

// What runs for some paths alone may be meant.
bool SelectsByPath(const LintConfig& config) {
  return std::ranges::any_of(config.per_path, [](const PathRules& entry) {
    return entry.rules.select || entry.rules.extend_select || entry.rules.preview;
  });
}

// Flags narrow what a configuration selects: its own lines are not compared
// with what is left. A severity of "off" wants no rule to run.
absl::Status AddRules(const ConfigUse& use, std::vector<std::string>& lines) {
  const LintConfig& config = use.options->config();
  if (SelectsByPath(config)) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(const RuleConfig own, RulesFor(config, {}, ""));
  TW_ASSIGN_OR_RETURN(const RuleConfig all, RulesFor(config, use.options->rules.overrides, ""));
  const auto add = [&](const char* what, const std::vector<RuleLine>& settings,
                       const std::vector<std::string>& flags, const std::string& flag) {
    for (const RuleLine& line : settings) {
      if (line.from.file != config.file || line.value == "off") continue;
      if (Runs(line.key.substr(0, line.key.find('.')), all)) continue;
      AddLine(what, line.key, FormatLocation(line.from), own, lines);
    }
    for (const std::string& text : flags) {
      const std::string key = text.substr(0, text.find('='));
      if (text.ends_with("=off")) continue;
      AddLine(what, key, use.options->model.config.FromOf(flag), all, lines);
    }
  };
  add("severity", config.rules.severity, use.options->rules.overrides.severity, "severity");
  add("threshold", config.rules.thresholds, use.options->rules.overrides.thresholds, "threshold");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> UnmatchedSettings(const LintRun& run) {
  std::vector<std::string> lines;
  AddFixedDims(run, lines);
  for (const ConfigUse& use : ConfigsOf(run)) {
    const std::vector<std::string>& warnings = use.options->config().warnings;
    lines.insert(lines.end(), warnings.begin(), warnings.end());
    AddPaths(use, lines);
    AddWorkloads(use, lines);
    TW_RETURN_IF_ERROR(AddRules(use, lines));
  }
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

}  // namespace tilewise
