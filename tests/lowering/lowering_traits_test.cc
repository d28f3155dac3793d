// What holds of the lowering's records of all op kinds.

#include "sim/lowering/lowering_traits.h"

#include <vector>

#include <gtest/gtest.h>

#include "graph/op_traits.h"

namespace tilewise {
namespace {

std::vector<OpKind> AllKinds() {
  return {
#define TW_OP(enumerator, name, op_class) OpKind::enumerator,
#include "graph/op_kinds.def"
#undef TW_OP
  };
}

TEST(LoweringTraits, CompositesAndOnlyTheyAreDecomposed) {
  for (const OpKind kind : AllKinds()) {
    EXPECT_EQ(LoweringTraitsOf(kind).decompose != nullptr, ClassOf(kind) == OpClass::kComposite)
        << OpName(kind);
  }
}

// What computes has work; what only moves has it or moves bytes by itself.
TEST(LoweringTraits, WhatComputesHasWork) {
  for (const OpKind kind : AllKinds()) {
    switch (ClassOf(kind)) {
      case OpClass::kElementwise:
      case OpClass::kReduce:
      case OpClass::kWindow:
      case OpClass::kMxu:
      case OpClass::kIndex:
      case OpClass::kRandom:
      case OpClass::kRecurrent:
      case OpClass::kSort:
      case OpClass::kAttention:
        EXPECT_NE(LoweringTraitsOf(kind).work, nullptr) << OpName(kind);
        break;
      default:
        break;
    }
  }
}

TEST(LoweringTraits, KindsOfOneClassAreKernelsOfOneKind) {
  std::vector<std::vector<OpKind>> by_class(16);
  for (const OpKind kind : AllKinds()) {
    by_class[static_cast<size_t>(ClassOf(kind))].push_back(kind);
  }
  for (const std::vector<OpKind>& kinds : by_class) {
    for (const OpKind kind : kinds) {
      EXPECT_EQ(LoweringTraitsOf(kind).kernel, LoweringTraitsOf(kinds.front()).kernel)
          << OpName(kind);
    }
  }
}

TEST(LoweringTraits, WhatJoinsLoopsMovesDataOrMakesNumbers) {
  for (const OpKind kind : AllKinds()) {
    if (!LoweringTraitsOf(kind).joins_loops) continue;
    const OpClass its_class = ClassOf(kind);
    EXPECT_TRUE(its_class == OpClass::kData || its_class == OpClass::kRandom) << OpName(kind);
  }
}

// Without operand_dim nobody knows which part of the operand a part is made of.
TEST(LoweringTraits, WhatFollowsThePartitionKnowsItsOperandsDims) {
  for (const OpKind kind : AllKinds()) {
    if (!LoweringTraitsOf(kind).follows_partition) continue;
    EXPECT_NE(LoweringTraitsOf(kind).operand_dim, nullptr) << OpName(kind);
  }
}

TEST(LoweringTraits, WhatIsMadeWhereUsedMayBeVirtual) {
  for (const OpKind kind : AllKinds()) {
    if (!LoweringTraitsOf(kind).is_made_where_used) continue;
    EXPECT_NE(LoweringTraitsOf(kind).is_virtual, nullptr) << OpName(kind);
  }
}

// Operands that are waited for have an order of their own.
TEST(LoweringTraits, OnlyTheFirstOfOperandsThatAreWaitedForSharesItsOrder) {
  for (const OpKind kind : AllKinds()) {
    if (!TraitsOf(kind).waits) continue;
    EXPECT_EQ(LoweringTraitsOf(kind).same_order, LoweringTraits::SameOrder::kFirst) << OpName(kind);
  }
}

}  // namespace
}  // namespace tilewise
