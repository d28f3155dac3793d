// What the file of a model says about its program besides the graph itself:
// ops that a device cannot run as they are, sizes that were left open, flags,
// shardings and devices. Readers fill it in one form for all formats.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/location.h"
#include "base/units.h"
#include "graph/op.h"

namespace tilewise {

// This says why an op of the file is worth knowing by itself.
enum class OpTrait : uint8_t {
  kHost,                // strings, tables, Python: no device runs it
  kOutsideCompilation,  // the author has it run on the host
  kDataDependentShape,  // how large its result is depends on values
  kComputedSize,        // a size it takes is a value of the step
  kLocalResponseNorm,
  kScatterLoop,  // a loop that was made of a scatter
};

// An op of the file and what it became.
struct SourceOp {
  OpTrait trait = OpTrait::kHost;
  std::string kind;    // as the file names it: "PyFunc", "NonZero"
  std::string detail;  // of kComputedSize: "its shape"; may be empty
  Location location;   // item: the name of the op
  // It takes what the device has computed, rather than inputs alone.
  bool reads_device = false;
  // Ops of the graph that were made of it: [first, end); equal when there are
  // none.
  OpId first = 0;
  OpId end = 0;
};

// A dim of an input that the file leaves open and that is not the batch.
struct UnknownDim {
  OpId op = kNoOp;  // the parameter
  int64_t dim = 0;
  int64_t taken = 0;     // the size that the graph has in its place
  bool bounded = false;  // the file states a bound, which was taken
};

// What a gather or scatter promises about its indices.
struct IndexFlags {
  bool unique = false;
  bool sorted = false;
};

// How an array is divided among the devices of a program that is not
// partitioned yet.
struct ArraySharding {
  // Parts along each dim; all 1: every device has the whole.
  std::vector<int64_t> tiles;
  bool replicated() const {
    for (const int64_t tile : tiles) {
      if (tile > 1) return false;
    }
    return true;
  }
};

// Numbers that are written into the program, where they are more than one.
struct WrittenConstant {
  OpId op = kNoOp;       // a variable of the graph
  OpId same_as = kNoOp;  // an earlier one with the same numbers
};

struct ModuleFacts {
  std::vector<SourceOp> ops;  // as the file was read
  std::vector<UnknownDim> unknown_dims;
  // Gathers and scatters of formats that have such flags have these.
  std::map<OpId, IndexFlags> index_flags;
  std::map<OpId, ArraySharding> shardings;  // empty: partitioned already
  int64_t partitions = 1;
  std::map<OpId, std::string> devices;  // "/job:worker/task:0/device:GPU:1"
  std::vector<WrittenConstant> constants;
  // Weights stand in the file as constants: a model to be run, not trained.
  bool frozen = false;
  // A function of a compiler: what is written over which argument is stated,
  // and an argument that nothing is written over is kept.
  bool states_aliases = false;
  // Arguments that their caller gives up without saying for which result.
  std::vector<OpId> donated;
  std::vector<OpId> recomputed;  // ops that a compiler runs once more
};

}  // namespace tilewise
