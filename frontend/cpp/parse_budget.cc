// The clock is the CPU time of the parser's thread, so that a busy machine refuses nothing.

#include "frontend/cpp/parse_budget.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Sema/TemplateInstCallback.h>
#include <fmt/format.h>
#include <llvm/Support/CrashRecoveryContext.h>

namespace tilewise::cpp {
namespace {

constexpr double kSeconds = 8;
// The headers of LibTorch are 15 MiB and take 2 to 10 s, as the machine is.
constexpr double kSecondsAMebibyte = 2;
constexpr double kMostSeconds = 60;
constexpr int64_t kBytes = int64_t{512} << 20;  // of Clang's own tables; the process takes more
// A token takes 24 bytes, and a level of a macro's argument may double them once more. Sources of
// LibTorch have one for six bytes.
constexpr uint64_t kTokens = 8'000'000;
constexpr double kTokensAByte = 1;
// One look may follow the evaluation of a constant, which takes up to some 10 ms.
constexpr uint64_t kLooksBetween = 64;
constexpr uint64_t kLooksAtMemory = 4096;

std::atomic<int64_t> abandoned = 0;

double ThreadSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Expansions : public clang::PPCallbacks {
 public:
  explicit Expansions(std::shared_ptr<ParseBudget> budget) : budget_(std::move(budget)) {}

  void MacroExpands(const clang::Token& /*name*/, const clang::MacroDefinition& /*macro*/,
                    clang::SourceRange /*range*/, const clang::MacroArgs* /*args*/) override {
    budget_->Spend();
  }
  void FileChanged(clang::SourceLocation /*at*/, FileChangeReason /*reason*/,
                   clang::SrcMgr::CharacteristicKind /*kind*/, clang::FileID /*before*/) override {
    budget_->Spend();
  }

 private:
  std::shared_ptr<ParseBudget> budget_;
};

class Instantiations : public clang::TemplateInstantiationCallback {
 public:
  explicit Instantiations(std::shared_ptr<ParseBudget> budget) : budget_(std::move(budget)) {}

  void initialize(const clang::Sema& /*sema*/) override {}
  void finalize(const clang::Sema& /*sema*/) override {}
  void atTemplateBegin(const clang::Sema& /*sema*/,
                       const clang::Sema::CodeSynthesisContext& /*context*/) override {
    budget_->Spend();
  }
  void atTemplateEnd(const clang::Sema& /*sema*/,
                     const clang::Sema::CodeSynthesisContext& /*context*/) override {}

 private:
  std::shared_ptr<ParseBudget> budget_;
};

}  // namespace

void ParseBudget::Begin() {
  begin_ = ThreadSeconds();
  seconds_ = kSeconds;
}

void ParseBudget::End() {
  taken_ = ThreadSeconds() - begin_;
  bytes_ = Memory();
}

void ParseBudget::Watch(const std::shared_ptr<ParseBudget>& budget,
                        clang::Preprocessor& preprocessor) {
  budget->preprocessor_ = &preprocessor;
  preprocessor.addPPCallbacks(std::make_unique<Expansions>(budget));
  // Tokens that an argument of a macro expands to as well: `TWICE(TWICE(TWICE(x)))`.
  preprocessor.setPreprocessToken(true);
  preprocessor.setTokenWatcher([budget](const clang::Token& /*token*/) { budget->SpendToken(); });
}

void ParseBudget::Watch(const std::shared_ptr<ParseBudget>& budget, clang::Sema& sema) {
  budget->sema_ = &sema;
  sema.TemplateInstCallbacks.push_back(std::make_unique<Instantiations>(budget));
}

double ParseBudget::Bytes() const {
  if (preprocessor_ == nullptr) return 0;
  const clang::SourceManager& sources = preprocessor_->getSourceManager();
  double bytes = 0;
  for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
    bytes += static_cast<double>(file->first.getSize());
  }
  return bytes;
}

double ParseBudget::Seconds() const {
  return std::min(kSeconds + kSecondsAMebibyte * Bytes() / (1 << 20), kMostSeconds);
}

int64_t ParseBudget::Memory() const {
  if (preprocessor_ == nullptr) return 0;
  const clang::SourceManager& sources = preprocessor_->getSourceManager();
  size_t bytes = preprocessor_->getTotalMemory() + sources.getDataStructureSizes() +
                 sources.getContentCacheSize();
  if (sema_ != nullptr) {
    bytes += sema_->Context.getASTAllocatedMemory() + sema_->Context.getSideTableAllocatedMemory();
  }
  return static_cast<int64_t>(bytes);
}

bool ParseBudget::Left() {
  if (!used_up_.empty()) return false;
  if (++looks_ % kLooksBetween != 0) return true;
  const double taken = ThreadSeconds() - begin_;
  if (taken > seconds_) seconds_ = Seconds();
  if (taken > seconds_) {
    used_up_ = fmt::format("could not parse this source within {:.0f} s", seconds_);
  } else if (looks_ % kLooksAtMemory == 0 && Memory() > kBytes) {
    used_up_ = fmt::format(
        "needs more than {} MiB for what this source includes, expands or "
        "instantiates, expected at most that",
        kBytes >> 20);
  }
  return used_up_.empty();
}

void ParseBudget::SpendToken() {
  // What was expanded is kept token by token, which Clang's tables do not count.
  if (used_up_.empty() && ++tokens_ > kTokens && tokens_ % kLooksAtMemory == 0 &&
      static_cast<double>(tokens_) > kTokens + kTokensAByte * Bytes()) {
    used_up_ = fmt::format(
        "found {} million tokens where this source expands its macros, "
        "expected fewer",
        tokens_ / 1'000'000);
  }
  Spend();
}

void ParseBudget::Spend() {
  if (Left()) return;
  End();
  ++abandoned;
  llvm::CrashRecoveryContext::GetCurrent()->HandleExit(EXIT_FAILURE);
}

int64_t ParseBudget::Abandoned() { return abandoned; }

}  // namespace tilewise::cpp
