// Recurrent layers and the lookup of token vectors.

#include "zoo/recurrent_block.h"

#include <fmt/format.h>

namespace tilewise {
namespace {

int64_t Gates(CellKind cell) {
  if (cell == CellKind::kLstm) return 4;
  return cell == CellKind::kGru ? 3 : 1;
}

}  // namespace

OpId RunCell(Net& net, CellKind cell, OpId x, int64_t units, bool reverse_time,
             std::string_view prefix) {
  const int64_t width = Gates(cell) * units;
  const OpId z = net.Dense(x, width, true, fmt::format("{}kernel", prefix));
  const OpId u = net.Weight(fmt::format("{}recurrent_kernel", prefix), {units, width});
  return net.builder.Recurrent(cell, z, u, reverse_time);
}

OpId LookUpByMatmul(Net& net, OpId table, OpId ids) {
  GraphBuilder& b = net.builder;
  Shape rows = net.shape(ids);
  rows.dims.push_back(net.shape(table).dims[0]);
  const OpId here =
      b.Compare(Comparison::kEq, b.Broadcast(ids, rows.dims, {0, 1}), b.Iota(rows, 2));
  return b.Dot(b.Convert(here, net.compute_type()), b.Convert(table, net.compute_type()),
               {{}, {}, {2}, {0}});
}

OpId LookUp(Net& net, OpId table, OpId ids) {
  return net.builder.Convert(net.builder.Gather(table, ids), net.compute_type());
}

}  // namespace tilewise
