// The time and memory that Clang may take for one source. Macros that expand to each other, headers
// that are included again and again, templates that instantiate others and constants that are
// computed are short to write and have no end.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>

namespace tilewise::cpp {

class ParseBudget {
 public:
  // Begins to count on the thread that calls it; to be called where the parser runs.
  void Begin();
  // Counts what these two do. What is used up there ends the function that
  // llvm::CrashRecoveryContext runs; its memory is not freed.
  static void Watch(const std::shared_ptr<ParseBudget>& budget, clang::Preprocessor& preprocessor);
  static void Watch(const std::shared_ptr<ParseBudget>& budget, clang::Sema& sema);

  // Looks at the clock and at memory once in a while, and returns whether there is some left.
  bool Left();
  // Ends what Begin() began, on the same thread.
  void End();
  // What was taken until the end, or until it was used up.
  double seconds_taken() const { return taken_; }
  int64_t bytes_taken() const { return bytes_; }
  // What was used up, to follow "Clang"; empty: nothing.
  const std::string& used_up() const { return used_up_; }
  // As Left, and leaves the parser when there is none.
  void Spend();
  // The same for a token that was read.
  void SpendToken();

  // Sources whose parser was left, in this process: each holds what it had taken.
  static int64_t Abandoned();

 private:
  // What may be taken for the files that were read so far.
  double Bytes() const;  // of files
  double Seconds() const;
  int64_t Memory() const;

  clang::Preprocessor* preprocessor_ = nullptr;
  clang::Sema* sema_ = nullptr;
  double begin_ = 0;
  double seconds_ = 0;  // what may be taken, as far as is known
  double taken_ = 0;
  int64_t bytes_ = 0;
  uint64_t looks_ = 0;
  uint64_t tokens_ = 0;
  std::string used_up_;
};

}  // namespace tilewise::cpp
