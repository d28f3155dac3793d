// One collective among the cores of a target.

#include "zoo/micro.h"
#include "zoo/models.h"
#include "zoo/net.h"

namespace tilewise {
namespace {

constexpr ZooParameter kCollectiveParameters[] = {
    {"kind", "all_reduce", "what is exchanged",
     "all_reduce|all_gather|reduce_scatter|all_to_all|permute"},
    {"bytes",
     "16777216",
     "of each core's operand; all_gather gives cores times as much",
     {},
     1,
     int64_t{1} << 40},
    {"cores", "4", "cores that take part, neighbours on the mesh", {}, 2, 1 << 20},
    kOperandFloatType,
};

// `x` has one dim.
OpId Exchange(GraphBuilder& b, std::string_view kind, OpId x, int64_t cores) {
  if (kind == "all_gather") return b.AllGather(x, 0, cores);
  if (kind == "reduce_scatter") return b.ReduceScatter(x, 0, cores);
  if (kind == "all_to_all") return b.AllToAll(x, 0, 0, cores);
  if (kind == "permute") return b.CollectivePermute(x, 1, cores);
  return b.AllReduce(x, cores);
}

absl::StatusOr<Graph> BuildCollective(const ZooSpec& spec) {
  TW_ASSIGN_OR_RETURN(const int64_t elements, ElementsOf(spec));
  Net net(spec);
  const std::string_view kind = spec.Word("kind");
  net.Layer(kind);
  const OpId x = net.Operand("x", {elements});
  return net.Finish({Exchange(net.builder, kind, x, spec.Integer("cores"))});
}

}  // namespace

ZooModel CollectiveModel() {
  return {"collective", "one exchange between cores", kCollectiveParameters, BuildCollective};
}

}  // namespace tilewise
