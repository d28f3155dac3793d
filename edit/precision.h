// Edits that make the files ask for bfloat16.

#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "workload/workload.h"

namespace tilewise {

// An edit of the files and what it does: "set batch_size to 64".
struct FileEdit {
  std::string text;
  std::vector<TextEdit> edits;  // empty: there is no place for it
};

// The precision policy that the files state, as bfloat16 beside float32
// weights; where they state none, that of the layers in a model's JSON.
FileEdit UseBFloat16(const Workload& workload);

}  // namespace tilewise
