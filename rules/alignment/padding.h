// Tensors that take much more HBM than their elements, by the layer that makes
// them, and what can be done about it.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "advice/nearest_width.h"
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

// Collects all badly padded buffers of one layer, by its location. Needs a
// model.
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

// "1.28 times their size in HBM (3.31 MiB of padding), expected less than ..".
std::string TimesTheirSize(const PaddingWaste& waste);

// Completed with what the padding costs: an error when at least half of it is
// padding and that is expensive.
Finding& ReportPadding(const Facts& facts, const Location& location, const PaddingWaste& waste,
                       std::string message, Sink& sink);

// The batch of the model's tensors; one that is written into a graph is found
// by following its inputs. 0: not found.
int64_t BatchInTensors(const Facts& facts);

// Requests one by one: their batch stays what it is.
bool AreSingleExamples(const Facts& facts, int64_t batch);

// AL002 speaks of a batch that the program chooses.
bool IsBatchOfOtherRule(const Facts& facts, int64_t batch);

// What the batch is padded to, where no dim is padded more.
struct PaddedBatch {
  int64_t size = 0;
  bool alone = true;  // no other dim is padded
};
std::optional<PaddedBatch> FindPaddedBatch(const Program& program, OpId value, int64_t batch);

// Layers with one cause.
struct PaddedLayers {
  PaddingWaste waste;
  int64_t count = 0;
};
void ReportPaddedBatch(const Facts& facts, int64_t batch, int64_t padded,
                       const PaddedLayers& layers, Sink& sink);

class PaddedImages {
 public:
  explicit PaddedImages(const Program& program);

  // Returns whether the value is of a convolution, which the compiler lays out
  // by itself.
  bool IsImage(OpId value) const;
  // No other width or order of dims is right for the value: it is an image with
  // the colours of its data, or, `single`, one example and its channels.
  bool IsRight(OpId value, bool single) const;

 private:
  const Program& program_;
  std::vector<bool> images_;
  std::vector<bool> early_;  // computed before any trained weight
};

// What the author can do about it.
struct PaddingRemedy {
  PaddedDim most;
  bool fixed = false;
  std::optional<NewWidth> width;  // one that can be followed through the model
  bool near = false;              // a multiple is not far from the size
  bool larger = false;            // another dim would fill the tile better
  bool narrower() const { return width && width->size < most.size; }
  // Requests one by one are not worth a layer that computes more.
  bool any(bool single) const {
    return fixed || narrower() || larger || (!single && (width || near));
  }
};

// Finds the remedy for a value of the lowered graph. `image`: the value is of a
// convolution, which the compiler lays out by itself.
PaddingRemedy FindRemedy(const Facts& facts, OpId value, bool image);

// Says the remedy in words. `written`: what the fix edits, if anything.
std::string AdviceOf(const PaddingRemedy& remedy, const std::string& written);

}  // namespace tilewise
