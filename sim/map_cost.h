// What a function of a map takes on one core for one element.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "hardware/host.h"
#include "pipeline/pipeline.h"

namespace tilewise {

// An element on its way through a function. What reaches a function that decodes
// is encoded: its bytes say little of its numbers.
struct MapElement {
  double bytes_in = 0, bytes_out = 0;
  bool bytes_in_known = false;  // else assumed from what leaves the pipeline
  std::optional<double> numbers_in;
};

struct MapCost {
  Seconds work;    // of a core
  Seconds shared;  // of the memory that all cores share
  Seconds file;    // waiting for the store: files that the function opens
  std::vector<std::string> unknown_ops;
};

// What a function takes call by call, in their order; calls of unknown cost are left out.
struct MapCalls {
  struct Call {
    std::string name;  // "tensorflow.image.random_hue"
    Seconds work;
  };
  std::vector<Call> calls;
  Seconds work;  // of the whole function
};

// Numbers of an element; none where a type or a dim is not known.
std::optional<double> NumbersOf(const Stage& stage);

// Calls are charged in their order, each for the bytes and numbers that it takes
// and leaves; operators between them for one pass each.
MapCost CostMapFunction(const Stage& stage, const MapElement& element, const Host& host);
MapCalls CostCalls(const Stage& stage, const MapElement& element, const Host& host);
// The same of a pipeline's map.
MapCalls CostCallsOf(const Pipeline& pipeline, size_t stage, Bytes bytes_per_example,
                     const Host& host);

}  // namespace tilewise
