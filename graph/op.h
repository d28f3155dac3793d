// One operation of a graph: kind, result shape, operands, typed attributes.
// Every op has exactly one result.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/location.h"
#include "graph/attributes.h"

namespace tilewise {

enum class OpKind : uint8_t {
#define TW_OP(enumerator, name, op_class) enumerator,
#include "graph/op_kinds.def"
#undef TW_OP
};

enum class OpClass : uint8_t {
  kLeaf,
  kElementwise,
  kData,
  kReduce,
  kWindow,
  kMxu,
  kIndex,
  kRandom,
  kRecurrent,
  kSort,
  kAttention,
  kTransfer,
  kCollective,
  kComposite,
  kOpaque,
};

std::string_view OpName(OpKind kind);
OpClass ClassOf(OpKind kind);

// Index of an op in its graph; operands always have smaller ids.
using OpId = Id<struct Op>;
inline constexpr OpId kNoOp;

// What part of the training step an op belongs to.
enum class Phase : uint8_t { kForward, kLoss, kBackward, kUpdate };
std::string_view PhaseName(Phase phase);

// This says where an op of a loop stands. A loop's body is in the graph once; what it carries from
// iteration to iteration enters through a barrier. Or each iteration of it is there, with a number
// of its own, as where layers are scanned that have each its weights (lax.scan).
struct EnclosingLoop {
  // 0: in no loop; -i: in the loop that computes the gradients of loop i. An
  // inner loop has a number of its own.
  int32_t id = 0;
  int64_t trip_count = 1;  // of this loop and those around it, multiplied
  // Where each iteration is there, this is the number of the loop's first one.
  int32_t first = 0;
  // Where an iteration has several layers, this numbers them over all iterations;
  // 0: it is not told.
  int32_t layer = 0;
  bool is_one_trip() const { return id != 0 && trip_count == 1; }
  // Layers of an iteration are in one loop.
  bool operator==(const EnclosingLoop& other) const {
    return id == other.id && trip_count == other.trip_count && first == other.first;
  }
};

// Whether the struct of that id (kAttributesId) is the one that the kind has.
bool HasAttributes(OpKind kind, const char* id);

struct Op {
  OpId id = kNoOp;
  OpKind kind = OpKind::kOpaque;
  Shape shape;
  std::vector<OpId> operands;
  Attributes attrs;   // the struct of the kind
  std::string name;   // unique in the graph: "conv1/kernel"
  Location location;  // in the user's file; location.item is the layer
  Phase phase = Phase::kForward;
  EnclosingLoop loop;
  // The op of the loaded (forward) graph that this one was made for, carried
  // through every pass; itself in the loaded graph; kNoOp if none (update of
  // the optimizer has the variable's id).
  OpId origin = kNoOp;

  // Its attributes; T is the struct that its kind has. Attributes that are all at
  // their defaults are not kept, and read as the defaults of any struct.
  template <typename T>
  const T& as() const {
    return attrs.as<T>();
  }
  template <typename T>
  T& edit() {
    TW_CHECK(HasAttributes(kind, &kAttributesId<T>));
    return attrs.edit<T>();
  }
};

// Returns the window of pooling, convolutions and their gradients.
const WindowedAttrs& WindowOf(const Op& op);

// Whether the value is there before the step begins.
inline bool IsArgument(const Op& op) {
  return op.kind == OpKind::kParameter || op.kind == OpKind::kVariable;
}

}  // namespace tilewise
