// The list of the corpus of real model files that stands beside the project,
// and what is to become of each.

#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace tilewise {

struct CorpusFile {
  std::string file;    // below the folder
  std::string format;  // the corpus's word for it
  std::string path;    // to open
  // Why no reader takes it; empty: it must load.
  std::string refused;
  // Shapes that it states are wrong, and notes must say so.
  bool states_wrong_shapes = false;
};

// For messages of tests.
void PrintTo(const CorpusFile& file, std::ostream* out);

// All of INDEX.csv, in its order; empty without the folder.
std::vector<CorpusFile> CorpusFiles();

}  // namespace tilewise
