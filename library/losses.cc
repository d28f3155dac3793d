// By comparing every class with that of the row, as XLA does for a gather of
// one element.

#include "library/losses.h"

#include "library/term.h"

namespace tilewise {

OpId NegativeLogLikelihood(GraphBuilder& builder, OpId log_probabilities, OpId classes) {
  const Term x(builder, log_probabilities);
  const Shape shape = x.shape();
  const int64_t last = shape.rank() - 1;
  std::vector<int64_t> rows;
  for (int64_t dim = 0; dim < last; ++dim) rows.push_back(dim);
  const DType type = builder.shape(classes).dtype;
  const Term wanted(builder, builder.Broadcast(classes, shape.dims, rows));
  const Term each(builder, builder.Iota(shape.WithType(type), last));
  const Term hit = Compared(Comparison::kEq, each, wanted);
  return (-Sum(Where(hit, x, x.Like(0)), {last})).id;
}

}  // namespace tilewise
