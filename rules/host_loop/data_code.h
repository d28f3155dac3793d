// Code that makes examples and batches on the host: collate functions and
// collators, items of data sets, functions that data sets map.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "workload/source_facts.h"

namespace tilewise {

enum class DataPart : uint8_t {
  kNone,
  kItem,   // runs for each example
  kBatch,  // makes a batch of examples
};

class DataCode {
 public:
  explicit DataCode(const SourceFacts& facts);
  // What code at `context` works on; code that a data set maps: an item.
  DataPart At(int32_t context) const;
  bool Collates(int32_t context) const { return At(context) == DataPart::kBatch; }
  // Whether the code runs for each example: in an item, or in a loop or a
  // comprehension of what makes a batch, or called from one.
  bool RunsForEachItem(int32_t context) const;

 private:
  void AddClasses();
  void AddGiven();
  void Add(int32_t function, DataPart part);
  void Follow(int32_t function);

  const SourceFacts& facts_;
  std::map<int32_t, DataPart> functions_;
  std::vector<int32_t> repeated_;  // functions that one of them calls in a loop
  std::vector<int32_t> pending_;
};

}  // namespace tilewise
