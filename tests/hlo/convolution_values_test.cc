// What convolutions become computes what XLA defines them to compute: windows,
// groups and gradients against a direct sum over the dims that the text names.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/hlo/build_graph.h"
#include "frontend/hlo/read_text.h"
#include "tests/reference/evaluator.h"

namespace tilewise::hlo {
namespace {

using reference::Index;
using reference::Tensor;

// The element of `x` that position `at` of the dilated, padded dim shows; -1
// for padding and holes.
int64_t Source(int64_t at, int64_t dilation, int64_t size) {
  if (at < 0 || at % dilation != 0 || at / dilation >= size) return -1;
  return at / dilation;
}

struct Summing {
  const Tensor& x;
  const Tensor& kernel;
  const InstructionExtras& more;
  const Index& out_sizes;

  // One product of the sum; 0 beside the data.
  double Product(const Index& out, const Index& taps, int64_t in) const {
    const ConvDims& conv = more.conv;
    Index from(out.size(), 0);
    Index with(out.size(), 0);
    for (size_t i = 0; i < taps.size(); ++i) {
      const HloWindowDim& w = more.window[i];
      const size_t dim = conv.input_spatial[i];
      const int64_t at =
          out[conv.output_spatial[i]] * w.stride - w.pad_low + taps[i] * w.window_dilation;
      from[dim] = Source(at, w.base_dilation, x.sizes[dim]);
      if (from[dim] < 0) return 0;
      with[conv.kernel_spatial[i]] = w.reversal ? w.size - 1 - taps[i] : taps[i];
    }
    const int64_t feature = out[conv.output_feature];
    const int64_t features = out_sizes[conv.output_feature];
    const int64_t of_features = feature / (features / more.feature_groups);
    const int64_t of_batch = feature / (features / more.batch_groups);
    const int64_t ins = kernel.sizes[conv.kernel_in];
    const size_t batch = conv.input_batch;
    from[batch] = out[conv.output_batch] + of_batch * (x.sizes[batch] / more.batch_groups);
    from[conv.input_feature] = of_features * ins + in;
    with[conv.kernel_in] = in;
    with[conv.kernel_out] = feature;
    return x[from] * kernel[with];
  }

  Tensor Run() const {
    Tensor result(out_sizes);
    Index window;
    for (const HloWindowDim& w : more.window) window.push_back(w.size);
    const int64_t ins = kernel.sizes[more.conv->kernel_in];
    reference::ForEachIndex(out_sizes, [&](const Index& out) {
      double sum = 0;
      reference::ForEachIndex(window, [&](const Index& taps) {
        for (int64_t in = 0; in < ins; ++in) sum += Product(out, taps, in);
      });
      result[out] = sum;
    });
    return result;
  }
};

class ConvolutionValues : public testing::TestWithParam<const char*> {};

TEST_P(ConvolutionValues, AreThoseOfTheDefinition) {
  const absl::StatusOr<std::vector<Module>> modules = ReadHloText(GetParam());
  ASSERT_TRUE(modules.ok()) << modules.status();
  const absl::StatusOr<Workload> workload = BuildWorkload(modules->front(), "test.hlo");
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_TRUE(workload->opaque_layers.empty());
  const reference::Tensors leaves = reference::RandomLeaves(*workload->graph, 7);
  const Instruction& root = modules->front().computations[0].instructions.back();
  ASSERT_EQ(root.opcode, Opcode::kConvolution);
  const Summing summing = {leaves.at("x"), leaves.at("k"), root.more(), root.shape.dims};
  const Tensor expected = summing.Run();
  const Tensor made = reference::Evaluate(*workload->graph, leaves).at(0);
  ASSERT_EQ(made.sizes, expected.sizes);
  for (size_t i = 0; i < expected.data.size(); ++i) {
    ASSERT_NEAR(made.data[i], expected.data[i], 1e-9) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, ConvolutionValues,
                         testing::Values(
                             // Forward.
                             "ENTRY e {\n x = f32[2,5,6,4] parameter(0)\n"
                             " k = f32[3,2,4,6] parameter(1)\n"
                             " ROOT y = f32[2,3,5,6] convolution(x, k), window={size=3x2 "
                             "stride=2x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f\n}\n",
                             "ENTRY e {\n x = f32[2,4,5,6] parameter(0)\n"
                             " k = f32[6,2,3,3] parameter(1)\n"
                             " ROOT y = f32[2,6,5,6] convolution(x, k), window={size=3x3 "
                             "pad=2_2x2_2 rhs_dilate=2x2}, dim_labels=bf01_oi01->bf01, "
                             "feature_group_count=2\n}\n",
                             // Gradients of an input: strides, groups, dilation, other padding.
                             "ENTRY e {\n x = f32[2,4,4,6] parameter(0)\n"
                             " k = f32[3,3,5,6] parameter(1)\n"
                             " ROOT y = f32[2,8,8,5] convolution(x, k), window={size=3x3 "
                             "pad=1_2x1_2 lhs_dilate=2x2 rhs_reversal=1x1}, "
                             "dim_labels=b01f_01oi->b01f\n}\n",
                             "ENTRY e {\n x = f32[2,4,6] parameter(0)\n"
                             " k = f32[3,5,6] parameter(1)\n"
                             " ROOT y = f32[2,7,5] convolution(x, k), window={size=3 "
                             "pad=1_1 lhs_dilate=2 rhs_reversal=1}, dim_labels=b0f_0oi->b0f\n}\n",
                             "ENTRY e {\n x = f32[2,8,8] parameter(0)\n"
                             " k = f32[3,4,2] parameter(1)\n"
                             " ROOT y = f32[2,8,4] convolution(x, k), window={size=3 pad=2_2 "
                             "rhs_dilate=2 rhs_reversal=1}, dim_labels=b0f_0oi->b0f, "
                             "feature_group_count=4\n}\n",
                             "ENTRY e {\n x = f32[2,6,4,4] parameter(0)\n"
                             " k = f32[5,6,1,1] parameter(1)\n"
                             " ROOT y = f32[2,5,8,8] convolution(x, k), window={size=1x1 "
                             "pad=0_1x0_1 lhs_dilate=2x2}, dim_labels=bf01_oi01->bf01\n}\n",
                             // Gradients of a kernel: strides, dilation, groups.
                             "ENTRY e {\n x = f32[2,8,8,3] parameter(0)\n"
                             " k = f32[2,4,4,5] parameter(1)\n"
                             " ROOT y = f32[3,3,3,5] convolution(x, k), window={size=4x4 "
                             "pad=0_1x0_1 rhs_dilate=2x2}, dim_labels=f01b_i01o->01bf\n}\n",
                             "ENTRY e {\n x = f32[3,2,9] parameter(0)\n"
                             " k = f32[2,5,9] parameter(1)\n"
                             " ROOT y = f32[3,3,5] convolution(x, k), window={size=9 "
                             "pad=2_2 stride=2}, dim_labels=bf0_io0->0bf\n}\n",
                             "ENTRY e {\n x = f32[2,6,8] parameter(0)\n"
                             " k = f32[2,6,8] parameter(1)\n"
                             " ROOT y = f32[3,1,6] convolution(x, k), window={size=8 pad=1_1}, "
                             "dim_labels=fb0_io0->0bf, batch_group_count=6\n}\n",
                             // Dots, with groups and batches.
                             "ENTRY e {\n x = f32[8,12] parameter(0)\n"
                             " k = f32[3,20] parameter(1)\n"
                             " ROOT y = f32[8,20] convolution(x, k), window={}, "
                             "dim_labels=bf_io->bf, feature_group_count=4\n}\n",
                             "ENTRY e {\n x = f32[8,12] parameter(0)\n"
                             " k = f32[12,20] parameter(1)\n"
                             " ROOT y = f32[2,20] convolution(x, k), window={}, "
                             "dim_labels=bf_io->bf, batch_group_count=4\n}\n",
                             "ENTRY e {\n x = f32[3,4,5] parameter(0)\n"
                             " k = f32[4,5,6] parameter(1)\n"
                             " ROOT y = f32[4,3,6] convolution(x, k), window={size=4 stride=3 "
                             "lhs_dilate=4}, dim_labels=b0f_0io->0bf\n}\n",
                             "ENTRY e {\n x = f32[3,1,5] parameter(0)\n"
                             " k = f32[4,5,6] parameter(1)\n"
                             " ROOT y = f32[3,4,6] convolution(x, k), window={size=4 pad=3_3 "
                             "rhs_reversal=1}, dim_labels=b0f_0io->b0f\n}\n",
                             "ENTRY e {\n x = f32[3,4,5] parameter(0)\n"
                             " k = f32[4,5,6] parameter(1)\n"
                             " ROOT y = f32[3,1,6] convolution(x, k), window={size=4}, "
                             "dim_labels=b0f_0io->b0f\n}\n",
                             // Groups of the batch, a part of the window turned, negative padding.
                             "ENTRY e {\n x = f32[6,8,3] parameter(0)\n"
                             " k = f32[3,3,4] parameter(1)\n"
                             " ROOT y = f32[3,8,4] convolution(x, k), window={size=3 pad=1_1}, "
                             "dim_labels=b0f_0io->b0f, batch_group_count=2\n}\n",
                             "ENTRY e {\n x = f32[2,5,6,3] parameter(0)\n"
                             " k = f32[3,3,3,4] parameter(1)\n"
                             " ROOT y = f32[2,2,6,4] convolution(x, k), window={size=3x3 "
                             "pad=-1_0x1_1 rhs_reversal=0x1}, dim_labels=b01f_01io->b01f\n}\n"));

}  // namespace
}  // namespace tilewise::hlo
