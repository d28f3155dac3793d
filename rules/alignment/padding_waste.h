// Tensors that take much more HBM than their elements, by the layer that makes
// them.

#pragma once

#include <map>
#include <string>

#include "rules/rule.h"

namespace tilewise {

// Padded over real size from which padding is said.
inline constexpr double kMuchPadding = 1.25;

struct PaddingWaste {
  Bytes padded, unpadded;
  Seconds time;  // one write and all reads of the padding
  const Buffer* largest = nullptr;
  Bytes bytes() const { return padded - unpadded; }
  double ratio() const;
  void Add(const PaddingWaste& other);
};

// All badly padded buffers of one layer, by its place. Needs a model.
std::map<Location, PaddingWaste> CollectPadding(const Facts& facts);

// The dim of a value that is padded most; dim -1: none is.
struct PaddedDim {
  int64_t dim = -1;
  int64_t size = 0;
  int64_t padded = 0;
  double ratio = 1;
};
PaddedDim MostPadded(const Program& program, OpId value);
int64_t CountPadded(const Program& program, OpId value);

// What an op that was not understood reads and writes is laid out by guess.
bool TouchesOpaque(const Graph& graph, OpId value);

// "f32[128,100]{1,0:T(8,128)}".
std::string TensorText(const Program& program, OpId value);
// "1.28 times their size in HBM (3.31 MiB of padding), expected less than ..".
std::string TimesTheirSize(const PaddingWaste& waste);

// Completed with what the padding costs: an error when at least half of it is
// padding and that is expensive.
Finding& ReportPadding(const Facts& facts, const Location& location, const PaddingWaste& waste,
                       std::string message, Sink& sink);

}  // namespace tilewise
