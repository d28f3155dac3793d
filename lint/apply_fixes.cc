// A pass makes all edits that do not collide and lints once. Only when that
// gives less than it should is each fix tried alone.

#include "lint/apply_fixes.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "base/paths.h"
#include "base/read_file.h"
#include "lint/config.h"
#include "lint/write_file.h"
#include "workload/syntax_errors.h"

namespace tilewise {
namespace {

Seconds SavingOf(const Diagnostic& finding) {
  return finding.saving ? finding.saving->time_per_step : Seconds{};
}

bool CollideAny(const Diagnostic& a, const Diagnostic& b) {
  return std::ranges::any_of(a.fix.edits, [&](const TextEdit& x) {
    return std::ranges::any_of(b.fix.edits, [&](const TextEdit& y) { return Collide(x, y); });
  });
}

// The same finding of another pass; lines may have moved.
bool Same(const Diagnostic& a, const Diagnostic& b) {
  return a.rule == b.rule && a.fingerprint == b.fingerprint && a.message == b.message;
}

bool Contains(const std::vector<Diagnostic>& findings, const Diagnostic& one) {
  return std::ranges::any_of(findings, [&](const Diagnostic& other) { return Same(other, one); });
}

size_t CountOf(const std::vector<const Diagnostic*>& findings, const std::string& rule) {
  return static_cast<size_t>(std::ranges::count(findings, rule, &Diagnostic::rule));
}

// Returns why the program after some fixes is not what they promised; empty
// when it is.
std::string Problem(const LintedProgram& before, const LintedProgram& after,
                    const std::vector<Diagnostic>& made) {
  if (SyntaxErrorsIn(after.notes) > SyntaxErrorsIn(before.notes)) {
    return "the file had a syntax error afterwards";
  }
  std::map<std::string, size_t> rules;
  for (const Diagnostic& fixed : made) ++rules[fixed.rule];
  for (const auto& [rule, expected] : rules) {
    const size_t was = CountOf(SingleFindings(before), rule);
    const size_t is = CountOf(SingleFindings(after), rule);
    if (is + expected <= was) continue;
    return fmt::format("{} still had {} finding{} afterwards, expected {}", rule, is,
                       is == 1 ? "" : "s", was - expected);
  }
  return "";
}

absl::Status CheckStaysInside(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_symlink(path, error)) return absl::OkStatus();
  const std::string checkout = CheckoutOf(RealPath(AbsolutePath(path).parent_path()).string());
  if (LiesIn(checkout, path)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("{}: found a link to {}, out of {}, expected a file in it; nothing was written",
                  path, RealPath(path).string(), checkout));
}

class Fixer {
 public:
  Fixer(LintedProgram program, FileTexts texts, bool unsafe, const Relint& relint)
      : unsafe_(unsafe), relint_(relint) {
    result_.program = std::move(program);
    result_.texts = std::move(texts);
  }

  FixResult Run() {
    for (int pass = 0; pass < kMostFixPasses; ++pass) {
      const std::vector<Diagnostic> chosen = Chosen();
      if (chosen.empty()) return std::move(result_);
      if (!Make(chosen).empty()) MakeEach(chosen);
    }
    result_.stopped = !Chosen().empty();
    return std::move(result_);
  }

 private:
  std::vector<Diagnostic> Chosen() const {
    std::vector<Diagnostic> refused;
    refused.reserve(result_.refused.size());
    for (const RefusedFix& fix : result_.refused) {
      refused.push_back(fix.finding);
    }
    std::vector<Diagnostic> chosen;
    for (const size_t index : ChooseFixes(result_.program.findings, unsafe_, refused)) {
      chosen.push_back(result_.program.findings[index]);
    }
    return chosen;
  }

  // Makes the fixes together and keeps them, unless there is a problem, which
  // is returned.
  std::string Make(const std::vector<Diagnostic>& fixes) {
    std::vector<TextEdit> edits;
    for (const Diagnostic& finding : fixes) {
      edits.insert(edits.end(), finding.fix.edits.begin(), finding.fix.edits.end());
    }
    absl::StatusOr<FileTexts> texts = EditFiles(result_.program.files, result_.texts, edits);
    if (!texts.ok()) return Message(texts.status());
    if (*texts == result_.texts) return "the edits change nothing";
    absl::StatusOr<LintedProgram> program = relint_(*texts);
    if (!program.ok()) {
      return fmt::format("the file could not be read afterwards: {}", Message(program.status()));
    }
    std::string problem = Problem(result_.program, *program, fixes);
    if (!problem.empty()) return problem;
    result_.program = *std::move(program);
    result_.texts = *std::move(texts);
    result_.fixed.insert(result_.fixed.end(), fixes.begin(), fixes.end());
    return "";
  }

  // The most expensive of them that can be made; the others wait for the next
  // pass, as their locations may have moved.
  void MakeEach(const std::vector<Diagnostic>& fixes) {
    for (const Diagnostic& finding : fixes) {
      std::string problem = Make({finding});
      if (problem.empty()) return;
      result_.refused.push_back({finding, std::move(problem)});
    }
  }

  bool unsafe_;
  const Relint& relint_;
  FixResult result_;
};

}  // namespace

bool CanBeFixed(const Diagnostic& finding, bool unsafe) {
  if (finding.fix.edits.empty()) return false;
  return finding.fix.applicability == Applicability::kSafe ||
         (unsafe && finding.fix.applicability == Applicability::kUnsafe);
}

std::vector<size_t> ChooseFixes(const std::vector<Diagnostic>& findings, bool unsafe,
                                const std::vector<Diagnostic>& refused) {
  std::vector<size_t> order(findings.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    const Seconds x = SavingOf(findings[a]), y = SavingOf(findings[b]);
    return x != y ? x > y : ReportsBefore(findings[a], findings[b]);
  });
  std::vector<size_t> chosen;
  for (const size_t index : order) {
    const Diagnostic& finding = findings[index];
    if (!CanBeFixed(finding, unsafe) || Contains(refused, finding)) continue;
    const bool free = std::ranges::none_of(
        chosen, [&](size_t other) { return CollideAny(finding, findings[other]); });
    if (free) chosen.push_back(index);
  }
  return chosen;
}

FixResult FixProgram(LintedProgram program, FileTexts texts, bool unsafe, const Relint& relint) {
  return Fixer(std::move(program), std::move(texts), unsafe, relint).Run();
}

int64_t CountFixed(const std::vector<Diagnostic>& reported, const std::vector<Diagnostic>& left,
                   bool unsafe) {
  struct Tally {
    int64_t fixable = 0, gone = 0;
  };
  std::map<std::string, Tally> rules;
  for (const Diagnostic& finding : reported) {
    rules[finding.rule].fixable += CanBeFixed(finding, unsafe);
    ++rules[finding.rule].gone;
  }
  for (const Diagnostic& finding : left) --rules[finding.rule].gone;
  int64_t count = 0;
  for (const auto& [rule, tally] : rules) {
    count += std::clamp<int64_t>(tally.gone, 0, tally.fixable);
  }
  return count;
}

absl::Status WriteFixedFiles(const FileTexts& before, const FileTexts& after) {
  std::vector<std::string> changed;
  for (const auto& [path, text] : after) {
    const auto old = before.find(path);
    if (old == before.end() || old->second == text) continue;
    TW_RETURN_IF_ERROR(CheckStaysInside(path));
    TW_ASSIGN_OR_RETURN(const std::string now, ReadRegularFile(path, kLargestFixedFile));
    if (now != old->second) {
      return absl::AbortedError(
          fmt::format("{}: found the file changed since it was linted, expected it as it "
                      "was; nothing was written",
                      path));
    }
    changed.push_back(path);
  }
  for (size_t i = 0; i < changed.size(); ++i) {
    absl::Status written = WriteFileAtomically(changed[i], after.at(changed[i]));
    if (written.ok()) continue;
    for (size_t back = 0; back < i; ++back) {
      WriteFileAtomically(changed[back], before.at(changed[back])).IgnoreError();
    }
    return written;
  }
  return absl::OkStatus();
}

}  // namespace tilewise
