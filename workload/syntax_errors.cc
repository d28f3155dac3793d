// Python's parser has a note for each error, Clang one for all of a file.

#include "workload/syntax_errors.h"

#include <cstdlib>
#include <string_view>

namespace tilewise {

int64_t SyntaxErrorsIn(const std::vector<Diagnostic>& notes) {
  constexpr std::string_view kOfClang = "Clang reports ";
  int64_t errors = 0;
  for (const Diagnostic& note : notes) {
    if (note.message.starts_with("syntax error")) ++errors;
    const size_t at = note.message.find(kOfClang);
    if (at != std::string::npos) errors += std::atoll(note.message.c_str() + at + kOfClang.size());
  }
  return errors;
}

}  // namespace tilewise
