// Every op on operands and attributes that make no sense: no crash, and no work
// without bound.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/tensorflow/ops/families.h"
#include "tests/tensorflow/op_lines.h"

namespace tilewise::tf {
namespace {

constexpr int kNodesPerOp = 6;

// The same numbers on every machine.
class Numbers {
 public:
  size_t Below(size_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>(state_ >> 33) % limit;
  }
  std::string_view Of(std::span<const std::string_view> list) { return list[Below(list.size())]; }

 private:
  uint64_t state_ = 88172645463325252u;
};

constexpr std::string_view kOperands[] = {
    "Placeholder() dtype=f32 shape=[?,4]",
    "Placeholder() dtype=f32 shape=[?,4,4,3]",
    "Placeholder() dtype=f32 shape=[4,4]",
    "Placeholder() dtype=s32 shape=[3]",
    "Placeholder() dtype=s32 shape=[]",
    "Placeholder() dtype=pred shape=[?,4]",
    "Placeholder() dtype=c64 shape=[2,2]",
    "Placeholder() dtype=str shape=[?]",
    "Placeholder() dtype=f32 shape=[1099511627776,16]",
    "Const() value=s32:[]",
    "Const() value=s32:0",
    "Const() value=s32:-1",
    "Const() value=s64:9223372036854775807",
    "Const() value=s64:[-9223372036854775808,1,0,3]",
    "Const() value=s32:[1,2]",
    "Const() value=s32:[0,0,1,1]",
    "Const() value=f32:[0.5,-1.0]",
    "VarHandleOp() dtype=f32 shape=[4,4]",
    "VarHandleOp() dtype=f32 shape=[3]",
    "TensorListReserve(k, k) element_dtype=f32",
};

constexpr std::string_view kAttributes[] = {
    "axis=-7",
    "axis=1",
    "batch_dims=-3",
    "strides=[1,0,-1,1]",
    "strides=[1,2,2,1]",
    "dilations=[1,9223372036854775807,2,1]",
    "ksize=[1,2,2,1]",
    "ksizes=[1,1048576,1048576,1]",
    "rates=[1,1,1,1]",
    "padding=SAME",
    "padding=VALID",
    "padding=EXPLICIT",
    "data_format=NCHW",
    "data_format=XYZ",
    "begin_mask=-1",
    "shrink_axis_mask=9223372036854775807",
    "ellipsis_mask=3",
    "new_axis_mask=5",
    "num_split=0",
    "num=1000000",
    "block_size=-2",
    "N=3",
    "dtype=f32",
    "T=f32",
    "DstT=pred",
    "type=s64",
    "depth_radius=9223372036854775807",
    "k=9223372036854775807",
    "num_bits=-5",
    "group_size=0",
    "split_count=-1",
    "equation=ab,bc->ac",
    "squeeze_dims=[0,0]",
    "fused_ops=[BiasAdd,Nonsense]",
    "num_partitions=1000000000",
    "num_sampled=-4",
    "rnn_mode=gru",
    "src_format=AB",
    "num_replicas=1000000000",
    "dimension_numbers=garbage",
};

std::string RandomNode(std::string_view op, Numbers& numbers) {
  std::string text = "k = Const() value=s32:[2]\n";
  const size_t operands = numbers.Below(9);
  std::string names;
  for (size_t i = 0; i < operands; ++i) {
    text += fmt::format("a{} = {}\n", i, numbers.Of(kOperands));
    names += fmt::format("{}a{}", i > 0 ? "," : "", i);
  }
  text += fmt::format("y = {}({})", op, names);
  for (size_t i = numbers.Below(5); i > 0; --i) {
    text += fmt::format(" {}", numbers.Of(kAttributes));
  }
  return text + "\nz = Identity(y)\n";
}

TEST(OpsHostile, NonsenseNeverCrashes) {
  Numbers numbers;
  for (const OpEntry& op : AllOps()) {
    for (int i = 0; i < kNodesPerOp; ++i) {
      const std::string nodes = RandomNode(op.name, numbers);
      SCOPED_TRACE(nodes);
      NoteLines(nodes);
    }
  }
}

TEST(OpsHostile, EveryOpHasOneFunction) {
  for (size_t i = 1; i < AllOps().size(); ++i) {
    EXPECT_LT(AllOps()[i - 1].name, AllOps()[i].name);
  }
}

}  // namespace
}  // namespace tilewise::tf
