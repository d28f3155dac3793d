// Findings are accepted one by one, before any is folded with others.

#include "cli/findings.h"

#include <utility>

#include "cli/commented_files.h"
#include "rules/rule.h"

namespace tilewise {

ProgramFindings FindingsOf(const Subject& subject, const std::vector<std::string>& paths,
                           const std::map<std::string, std::string>* texts,
                           const LintConfig& config, const RuleConfig& rules,
                           std::vector<SourceFile>& files) {
  AddCommentedTexts(paths, texts, files);
  Suppressor suppressor(files, config, rules, CommentStylesOf(files));
  const Facts& facts = subject.facts();
  RuleRun run = RunRules(facts, rules.selection,
                         {.settings = rules.settings, .accepted = [&](const Diagnostic& finding) {
                            return suppressor.Accepts(finding);
                          }});
  ProgramFindings findings;
  findings.reachable = std::move(run.reachable);
  findings.left = suppressor.Finish(std::move(run), facts.model != nullptr);
  return findings;
}

}  // namespace tilewise
