// The rules of `tilewise lint` run on the facts of the tree, with the configuration of the project.

#include "tidy/source_findings.h"

#include <algorithm>
#include <utility>

#include "frontend/cpp/headers.h"
#include "frontend/cpp/read_cpp.h"
#include "hardware/default_chip.h"
#include "hardware/target.h"
#include "lint/config_files.h"
#include "lint/config_rules.h"
#include "lint/suppression.h"
#include "session/session.h"

namespace tilewise::tidy {
namespace {

// A single core is assumed: nothing is simulated.
absl::StatusOr<Target> TargetFor(const Question& question, const LintConfig& config) {
  std::string chip = question.chip;
  const auto named = config.settings.find("chip");
  if (chip.empty() && named != config.settings.end() && !named->second.words.empty()) {
    chip = named->second.words.front();
  }
  if (chip.empty()) chip = DefaultChipName();
  TW_ASSIGN_OR_RETURN(const Target any, MakeTarget(chip, 0, ""));
  return any;
}

Workload WorkloadOf(clang::ASTContext& context, const std::string& path, std::string text) {
  Workload workload;
  workload.name = path;
  workload.format = "cpp";
  workload.facts = cpp::FactsOfTree(context, path, {});
  workload.files.push_back({.path = path, .text = std::move(text), .cells = {}});
  return workload;
}

// One by one: what a summary stands for in its place.
std::vector<Diagnostic> Unfolded(RuleRun run) {
  std::vector<Diagnostic> findings;
  for (size_t i = 0; i < run.findings.size(); ++i) {
    const auto folded = run.folded.find(i);
    if (folded == run.folded.end()) {
      findings.push_back(std::move(run.findings[i]));
    } else {
      findings.insert(findings.end(), folded->second.begin(), folded->second.end());
    }
  }
  std::stable_sort(findings.begin(), findings.end(), ReportsBefore);
  return findings;
}

}  // namespace

std::vector<const Rule*> SourceRules() {
  std::vector<const Rule*> rules;
  for (const Rule* rule : AllRules()) {
    const Needs& needs = rule->info.needs;
    const bool of_model = needs.model || needs.graph || needs.batch;
    if (needs.or_cpp || (needs.script && !of_model)) rules.push_back(rule);
  }
  return rules;
}

absl::StatusOr<std::vector<Diagnostic>> FindingsIn(clang::ASTContext& context,
                                                   const Question& question) {
  const clang::SourceManager& sources = context.getSourceManager();
  const auto main = sources.getFileEntryRefForID(sources.getMainFileID());
  if (!main) return std::vector<Diagnostic>();
  const std::string path = main->getName().str();
  const std::string text = sources.getBufferData(sources.getMainFileID()).str();
  if (!cpp::MayUseLibraries(text)) return std::vector<Diagnostic>();

  ConfigFiles configs{ConfigChoice{}};
  TW_ASSIGN_OR_RETURN(const std::shared_ptr<const LintConfig> config, configs.For(path));
  TW_ASSIGN_OR_RETURN(const RuleConfig rules, RulesFor(*config, {.select = question.rules}, path));
  TW_ASSIGN_OR_RETURN(const Target target, TargetFor(question, *config));
  const Workload workload = WorkloadOf(context, path, text);
  if (workload.facts.imports.empty()) return std::vector<Diagnostic>();
  TW_ASSIGN_OR_RETURN(const auto session, MakeSession(workload, target, {}));
  Suppressor suppressor(workload.files, *config, rules);
  const auto accepted = [&](const Diagnostic& finding) { return suppressor.Accepts(finding); };
  return Unfolded(
      RunRules(session->facts(), rules.selection,
               {.settings = rules.settings, .savings = false, .threads = 1, .accepted = accepted}));
}

}  // namespace tilewise::tidy
