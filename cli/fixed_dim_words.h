// Words of --fixed-dims that mean nothing: most often a slip of the pen, so it
// is said. It changes neither findings nor exit code.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/subject.h"

namespace tilewise {

// Of one program: see UnmatchedFixedDims().
std::map<std::string, std::string> UnmatchedFixedDimsOf(const std::vector<std::string>& fixed_dims,
                                                        const Subject& subject);

// In words; `from`: where the word was written.
std::string UnmatchedDimInWords(const std::string& from, const std::string& word,
                                const std::string& hint);

// Says on standard error which words mean nothing in the model.
void WarnOfUnmatchedDims(const std::vector<std::string>& fixed_dims, const std::string& from,
                         const Subject& subject);

}  // namespace tilewise
