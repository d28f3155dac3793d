// One lookup of rows in a table.

#include "zoo/micro.h"
#include "zoo/models.h"
#include "zoo/net.h"

namespace tilewise {
namespace {

constexpr ZooParameter kEmbeddingParameters[] = {
    {"vocab", "32768", "rows of the table", {}, 1, int64_t{1} << 31},
    {"features", "1024", "columns of the table"},
    {"ids", "8192", "rows that are looked up"},
    kOperandType,
};

absl::StatusOr<Graph> BuildEmbedding(const ZooSpec& spec) {
  Net net(spec);
  net.Layer("embedding");
  const OpId table = net.Operand("table", {spec.Integer("vocab"), spec.Integer("features")});
  const OpId ids = net.builder.Parameter(Shape::Of(DType::kS32, {spec.Integer("ids")}), "ids");
  return net.Finish({net.builder.Gather(table, ids)});
}

}  // namespace

ZooModel EmbeddingModel() {
  return {"embedding", "one lookup in a table", kEmbeddingParameters, BuildEmbedding};
}

}  // namespace tilewise
