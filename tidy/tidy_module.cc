// The module that clang-tidy loads: a check `tilewise-cx001` for each rule that reads source text.

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <clang-tidy/ClangTidyCheck.h>
#include <clang-tidy/ClangTidyDiagnosticConsumer.h>
#include <clang-tidy/ClangTidyModule.h>
#include <clang-tidy/ClangTidyModuleRegistry.h>
#include <clang/AST/ASTContext.h>
#include <clang/ASTMatchers/ASTMatchFinder.h>

#include "tidy/source_findings.h"

namespace tilewise::tidy {
namespace {

using clang::tidy::ClangTidyCheck;
using clang::tidy::ClangTidyContext;

std::string CheckName(std::string_view rule) {
  std::string name = "tilewise-";
  for (const char c : rule) {
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

// What all checks say of a source: found once, as one rule may speak for another. clang-tidy looks
// at one source at a time.
class SharedFindings {
 public:
  const absl::StatusOr<std::vector<Diagnostic>>& Of(clang::ASTContext& context,
                                                    const ClangTidyContext& tidy,
                                                    const std::string& chip) {
    if (!found_) {
      Question question{.rules = {}, .chip = chip};
      for (const Rule* rule : SourceRules()) {
        if (tidy.isCheckEnabled(CheckName(rule->info.id))) {
          question.rules.emplace_back(rule->info.id);
        }
      }
      found_ = FindingsIn(context, question);
    }
    return *found_;
  }
  void Forget() { found_.reset(); }
  // The first check of a source says why there are no findings.
  bool SaysProblem() { return !std::exchange(said_problem_, true); }

 private:
  std::optional<absl::StatusOr<std::vector<Diagnostic>>> found_;
  bool said_problem_ = false;
};

class RuleCheck : public ClangTidyCheck {
 public:
  RuleCheck(llvm::StringRef name, ClangTidyContext* context, std::string rule,
            std::shared_ptr<SharedFindings> shared)
      : ClangTidyCheck(name, context),
        context_(*context),
        rule_(std::move(rule)),
        chip_(Options.getLocalOrGlobal("Chip", "")),
        shared_(std::move(shared)) {}

  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap& options) override {
    Options.store(options, "Chip", chip_);
  }
  bool isLanguageVersionSupported(const clang::LangOptions& language) const override {
    return language.CPlusPlus;
  }
  void registerMatchers(clang::ast_matchers::MatchFinder* finder) override {
    finder->addMatcher(clang::ast_matchers::translationUnitDecl().bind("unit"), this);
  }
  void check(const clang::ast_matchers::MatchFinder::MatchResult& result) override {
    const auto& found = shared_->Of(*result.Context, context_, chip_);
    if (!found.ok()) {
      if (shared_->SaysProblem()) configurationDiag("%0") << Message(found.status());
      return;
    }
    for (const Diagnostic& finding : *found) {
      if (finding.rule == rule_) Report(finding, *result.SourceManager);
    }
  }
  void onEndOfTranslationUnit() override { shared_->Forget(); }

 private:
  void Report(const Diagnostic& finding, const clang::SourceManager& sources);

  ClangTidyContext& context_;
  std::string rule_;
  std::string chip_;
  std::shared_ptr<SharedFindings> shared_;
};

std::vector<clang::FixItHint> HintsOf(const Fix& fix, const clang::SourceManager& sources) {
  std::vector<clang::FixItHint> hints;
  const clang::SourceLocation start = sources.getLocForStartOfFile(sources.getMainFileID());
  for (const TextEdit& edit : fix.edits) {
    const clang::CharSourceRange range = clang::CharSourceRange::getCharRange(
        start.getLocWithOffset(static_cast<int>(edit.span.begin)),
        start.getLocWithOffset(static_cast<int>(edit.span.end)));
    hints.push_back(clang::FixItHint::CreateReplacement(range, edit.replacement));
  }
  return hints;
}

void RuleCheck::Report(const Diagnostic& finding, const clang::SourceManager& sources) {
  const clang::FileID file = sources.getMainFileID();
  const clang::SourceLocation place =
      finding.location.line > 0 ? sources.translateLineCol(file, finding.location.line,
                                                           std::max(finding.location.column, 1))
                                : sources.getLocForStartOfFile(file);
  const std::vector<clang::FixItHint> hints = HintsOf(finding.fix, sources);
  const bool safe = finding.fix.applicability == Applicability::kSafe;
  {
    const clang::DiagnosticBuilder warning = diag(place, "%0") << finding.message;
    for (const clang::FixItHint& hint : hints) {
      if (safe) warning << hint;
    }
  }
  if (finding.fix.text.empty()) return;
  // `-fix` makes the edits of warnings, `-fix-notes` those of notes, too.
  const clang::DiagnosticBuilder note = diag(place, "%0", clang::DiagnosticIDs::Note)
                                        << finding.fix.text;
  for (const clang::FixItHint& hint : hints) {
    if (!safe) note << hint;
  }
}

class Module : public clang::tidy::ClangTidyModule {
 public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories& factories) override {
    const auto shared = std::make_shared<SharedFindings>();
    for (const Rule* rule : SourceRules()) {
      const std::string id(rule->info.id);
      factories.registerCheckFactory(
          CheckName(id), [id, shared](llvm::StringRef name, ClangTidyContext* context) {
            return std::make_unique<RuleCheck>(name, context, id, shared);
          });
    }
  }
};

const clang::tidy::ClangTidyModuleRegistry::Add<Module> kModule(
    "tilewise", "What wastes the time of a TPU: rules of `tilewise lint` on source text.");

}  // namespace
}  // namespace tilewise::tidy
