// What one core takes for the ops of input pipelines, by CPU, and what stores
// of data deliver: hardware/data/pipeline_costs.txtpb.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace tilewise {

// These are costs on the reference core.
struct OpCost {
  std::vector<std::string> names;      // of calls, by their ends
  std::vector<std::string> libraries;  // empty: any without an entry of its own
  Seconds call;
  Seconds per_input_byte, per_input_element, per_output_element;
  Seconds memory_per_output_byte;  // on every core alike
};

struct CpuOp {
  std::string op, library;
  double core_time = 1;
};

struct Cpu {
  std::string name;
  std::vector<std::string> aliases;
  double core_time = 1;  // time of one core over that of the reference core
  double vcpus_per_core = 2;
  std::vector<CpuOp> ops;  // where a library's op has a time of its own
};

struct Store {
  std::string name;
  std::vector<std::string> aliases;
  BytesPerSecond stream;  // one reader
  BytesPerSecond total;   // all readers of a machine
  Seconds file;           // to open a file and get its first byte
  Seconds list;           // of a file, before the first is read
  // A reader fetches blocks and has this share of the next one when it comes to it. Readers whose
  // records are wanted in order wait for the rest one after another. Absent: they do not wait.
  std::optional<double> reads_ahead;
  Bytes block;
};

struct PipelineCosts {
  Seconds element;         // one step of a C++ iterator
  Seconds map_call;        // one call of a traced function
  Seconds python_call;     // one call into Python, with its lock
  Seconds python_element;  // an element taken by an eager loop
  Seconds elementwise;     // one op on one element
  double jpeg_bytes_per_pixel = 1, png_bytes_per_pixel = 1;
  double busy_core_share = 1;     // rate of a core when all are busy, over that of one
  double second_thread_gain = 1;  // of a core with two threads over one
  std::vector<OpCost> ops;
  std::vector<Cpu> cpus;
  std::vector<Store> stores;
};

// The file that comes with the program.
const PipelineCosts& PublishedPipelineCosts();

// The cost of a call by its dotted name, "tensorflow.image.random_hue"; null:
// nothing is known of it.
const OpCost* FindOpCost(std::string_view call);
// The one whose name or alias is the longest that stands in `text`; null: none.
// Case is ignored.
const Cpu* FindCpu(std::string_view text);
const Store* FindStore(std::string_view text);

}  // namespace tilewise
