// What gathers and scatters of slices infer, and what they say of dims that do
// not fit.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

// The gather's result, or the error. `operand` is f32[8,N,16], `indices`
// s32[N,5,2] with the components last.
std::string Gathered(const GatherDims& dims) {
  GraphBuilder b("g");
  const OpId operand = b.Parameter({DType::kF32, {{8}, BatchDim(), {16}}}, "operand");
  const OpId indices = b.Parameter({DType::kS32, {BatchDim(), {5}, {2}}}, "indices");
  const OpId y = b.GatherSlices(operand, indices, dims);
  return b.ok() ? FormatShape(b.shape(y)) : Message(b.status());
}

GatherDims Valid() {
  GatherDims dims;
  dims.offset_dims = {2};
  dims.collapsed_dims = {0};
  dims.start_dims = {0, 2};
  dims.operand_batch = {1};
  dims.indices_batch = {0};
  dims.slice_sizes = {1, 1, 4};
  dims.index_dim = 2;
  return dims;
}

TEST(GatherSlices, PutsSlicesAtTheOffsetDims) {
  EXPECT_EQ(Gathered(Valid()), "f32[N,5,4]");
  GatherDims dims = Valid();
  dims.offset_dims = {0};
  EXPECT_EQ(Gathered(dims), "f32[4,N,5]");
  dims.slice_sizes[2] = kWholeDim;
  EXPECT_EQ(Gathered(dims), "f32[16,N,5]");
}

TEST(GatherSlices, TakesAPerBatchDimWhole) {
  GatherDims dims;
  dims.offset_dims = {0, 1};
  dims.collapsed_dims = {0};
  dims.start_dims = {0, 2};
  dims.slice_sizes = {1, kWholeDim, 3};
  dims.index_dim = 2;
  EXPECT_EQ(Gathered(dims), "f32[N,3,N,5]");
  dims.slice_sizes[1] = 7;
  EXPECT_THAT(Gathered(dims), HasSubstr("do not fit dim 1"));
}

TEST(GatherSlices, NamesWhatDoesNotFit) {
  const auto with = [](auto&& change) {
    GatherDims dims = Valid();
    change(dims);
    return Gathered(dims);
  };
  EXPECT_THAT(with([](GatherDims& d) {
                d.slice_sizes = {1, 1};
              }),
              HasSubstr("found 2 slice sizes, expected 3"));
  EXPECT_THAT(with([](GatherDims& d) { d.slice_sizes[0] = 2; }),
              HasSubstr("found slice size 2 in dim 0, which is left out"));
  EXPECT_THAT(with([](GatherDims& d) { d.slice_sizes[2] = 17; }), HasSubstr("do not fit dim 2"));
  EXPECT_THAT(with([](GatherDims& d) { d.start_dims = {0}; }),
              HasSubstr("found 1 start dims for 2 index components"));
  EXPECT_THAT(with([](GatherDims& d) {
                d.start_dims = {0, 1};
              }),
              HasSubstr("start_dims and operand_batch has dim 1 twice"));
  EXPECT_THAT(with([](GatherDims& d) { d.index_dim = -1; }), HasSubstr("found index dim -1"));
  EXPECT_THAT(with([](GatherDims& d) { d.offset_dims = {3}; }),
              HasSubstr("offset_dims has dim 3, expected 0 to 2"));
  EXPECT_THAT(with([](GatherDims& d) { d.offset_dims = {}; }),
              HasSubstr("found 0 offset dims for 1 dims of a slice"));
  EXPECT_THAT(with([](GatherDims& d) { d.indices_batch = {1}; }),
              HasSubstr("batch dim 1 of f32[8,N,16] and dim 1"));
  EXPECT_THAT(with([](GatherDims& d) { d.indices_batch = {}; }),
              HasSubstr("found 1 and 0 batch dims"));
}

TEST(ScatterSlices, KeepsTheOperandsShapeAndChecksTheUpdates) {
  GraphBuilder b("g");
  const OpId cache = b.Parameter({DType::kF32, {BatchDim(), {64}, {16}}}, "cache");
  const OpId place = b.Parameter({DType::kS32, {BatchDim(), {1}}}, "place");
  const OpId update = b.Parameter({DType::kF32, {BatchDim(), {16}}}, "update");
  GatherDims dims;
  dims.offset_dims = {1};
  dims.collapsed_dims = {1};
  dims.start_dims = {1};
  dims.operand_batch = {0};
  dims.indices_batch = {0};
  dims.index_dim = 1;
  const OpId y = b.ScatterSlices(cache, place, update, dims, Reducer::kSum, true);
  ASSERT_TRUE(b.ok()) << b.status();
  EXPECT_EQ(FormatShape(b.shape(y)), "f32[N,64,16]");
  b.ScatterSlices(cache, place, cache, dims, Reducer::kSum, true);
  EXPECT_FALSE(b.ok());
}

TEST(GatherSlices, IsBoundWithItsWholeDims) {
  GraphBuilder b("g");
  const OpId operand = b.Parameter({DType::kF32, {{8}, BatchDim(2)}}, "operand");
  const OpId indices = b.Parameter(Shape::Of(DType::kS32, {5}), "indices");
  GatherDims dims;
  dims.offset_dims = {1};
  dims.collapsed_dims = {0};
  dims.start_dims = {0};
  dims.slice_sizes = {1, kWholeDim};
  dims.index_dim = 1;
  b.GatherSlices(operand, indices, dims);
  const auto graph = b.Build();
  ASSERT_TRUE(graph.ok()) << graph.status();
  const Graph bound = graph->Bind(3);
  EXPECT_EQ(FormatShape(bound.ops().back().shape), "f32[5,6]");
  EXPECT_THAT(bound.ops().back().as<SlicesAttrs>().slice_sizes, testing::ElementsAre(1, 6));
}

}  // namespace
}  // namespace tilewise
