// The dims of an instruction from those of its operands, where the text leaves
// some open. Dims are as in body.h: -k is k times the batch.

#include "frontend/mlir/body.h"

namespace tilewise::mlir {
namespace {

using hlo::Opcode;
using Dims = std::vector<int64_t>;

// Two sizes that must be one: the one that is known, a constant before the
// batch, and not the 1 that is stretched.
int64_t Join(int64_t a, int64_t b) {
  if (a == kUnknownDim) return b;
  if (b == kUnknownDim) return a;
  return a == 1 ? b : a;
}

// Stated dims, and for open ones those of the operands of the same rank.
Dims Pointwise(const Body& body, const hlo::Instruction& instruction) {
  Dims dims(instruction.shape.dims.size(), kUnknownDim);
  for (Index operand : instruction.operands) {
    const Dims& other = body.shape(operand).dims;
    if (other.size() != dims.size()) continue;
    for (size_t i = 0; i < dims.size(); ++i) dims[i] = Join(dims[i], other[i]);
  }
  return dims;
}

// The one open dim such that as many elements come out as went in.
Dims Reshaped(const Dims& from, const Dims& to) {
  int64_t constant = 1;
  int64_t batches = 0;
  constexpr int64_t kMost = int64_t{1} << 40;
  for (int64_t dim : from) {
    if (dim == kUnknownDim || dim == 0 || constant > kMost) return to;
    constant *= dim < 0 ? -dim : dim;
    batches += dim < 0 ? 1 : 0;
  }
  int64_t stated = 1;
  size_t open = to.size();
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] == kUnknownDim) {
      if (open != to.size()) return to;
      open = i;
    } else if (to[i] <= 0 || stated > kMost) {
      return to;
    } else {
      stated *= to[i];
    }
  }
  Dims dims = to;
  if (open == to.size() || constant % stated != 0 || batches > 1) return dims;
  dims[open] = batches == 1 ? -(constant / stated) : constant / stated;
  return dims;
}

int64_t Windowed(int64_t size, const hlo::HloWindowDim& window) {
  if (size == kUnknownDim) return size;
  if (size < 0) {  // of the batch: only what keeps it
    const bool whole =
        window.size == 1 && window.stride == 1 && window.pad_low == 0 && window.pad_high == 0;
    return whole ? size : kUnknownDim;
  }
  const int64_t dilated = size == 0 ? 0 : (size - 1) * window.base_dilation + 1;
  const int64_t reach = (window.size - 1) * window.window_dilation + 1;
  const int64_t room = dilated + window.pad_low + window.pad_high - reach;
  return room < 0 ? 0 : room / window.stride + 1;
}

bool Contains(const Dims& dims, int64_t dim) {
  for (int64_t d : dims) {
    if (d == dim) return true;
  }
  return false;
}

Dims Dot(const Dims& lhs, const Dims& rhs, const DotDims& dot) {
  Dims dims;
  for (int64_t dim : dot.lhs_batch) dims.push_back(lhs[dim]);
  for (size_t i = 0; i < lhs.size(); ++i) {
    const int64_t dim = static_cast<int64_t>(i);
    if (!Contains(dot.lhs_batch, dim) && !Contains(dot.lhs_contract, dim)) {
      dims.push_back(lhs[i]);
    }
  }
  for (size_t i = 0; i < rhs.size(); ++i) {
    const int64_t dim = static_cast<int64_t>(i);
    if (!Contains(dot.rhs_batch, dim) && !Contains(dot.rhs_contract, dim)) {
      dims.push_back(rhs[i]);
    }
  }
  return dims;
}

Dims Convolution(const Dims& input, const Dims& kernel, const hlo::InstructionExtras& more,
                 size_t rank) {
  Dims dims(rank, kUnknownDim);
  const hlo::ConvDims& conv = more.conv;
  const int64_t batch = input[conv.input_batch];
  dims[conv.output_batch] = more.batch_groups == 1 ? batch : kUnknownDim;
  dims[conv.output_feature] = kernel[conv.kernel_out];
  for (size_t i = 0; i < conv.output_spatial.size(); ++i) {
    dims[conv.output_spatial[i]] = Windowed(input[conv.input_spatial[i]], more.window[i]);
  }
  return dims;
}

// Dims of the indices but for the index vector, and those of the slice.
Dims Gathered(const Dims& indices, const GatherDims& gather, size_t rank) {
  Dims dims(rank, kUnknownDim);
  Dims places;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (static_cast<int64_t>(i) != gather.index_dim) places.push_back(indices[i]);
  }
  Dims slice;
  for (size_t i = 0; i < gather.slice_sizes.size(); ++i) {
    const int64_t dim = static_cast<int64_t>(i);
    if (!Contains(gather.collapsed_dims, dim) && !Contains(gather.operand_batch, dim)) {
      slice.push_back(gather.slice_sizes[i]);
    }
  }
  size_t next_place = 0;
  size_t next_offset = 0;
  for (size_t i = 0; i < rank; ++i) {
    if (Contains(gather.offset_dims, static_cast<int64_t>(i))) {
      if (next_offset < slice.size()) dims[i] = slice[next_offset++];
    } else if (next_place < places.size()) {
      dims[i] = places[next_place++];
    }
  }
  return dims;
}

Dims Sliced(Dims dims, const hlo::SliceDims& slice) {
  for (size_t i = 0; i < dims.size() && i < slice.limits.size(); ++i) {
    if (dims[i] < 0 && slice.limits[i] < 0) continue;
    dims[i] = (slice.limits[i] - slice.starts[i] + slice.strides[i] - 1) / slice.strides[i];
  }
  return dims;
}

Dims Padded(Dims dims, const hlo::PadDims& pad) {
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t around = pad.low[i] + pad.high[i];
    if (dims[i] >= 0) {
      const int64_t gaps = dims[i] > 0 ? dims[i] - 1 : 0;
      dims[i] += around + gaps * pad.interior[i];
    } else if (around != 0 || pad.interior[i] != 0) {
      dims[i] = kUnknownDim;
    }
  }
  return dims;
}

Dims Concatenated(const Body& body, const hlo::Instruction& instruction) {
  Dims dims = Pointwise(body, instruction);
  const size_t axis = instruction.dims[0];
  MaybeKnown sum = KnownScalar(0);
  for (Index operand : instruction.operands) {
    const int64_t size = body.shape(operand).dims[axis];
    if (size == kUnknownDim) return dims;
    const KnownValue next{DType::kS64, {}, {FromDim(size)}};
    if (sum) sum = KnownBinary(KnownBinaryOp::kAdd, *sum, next);
  }
  dims[axis] = sum ? AsDim(sum->elements[0]).value_or(kUnknownDim) : kUnknownDim;
  return dims;
}

}  // namespace

Dims InferDims(const Body& body, const hlo::Instruction& instruction) {
  const hlo::InstructionExtras& more = instruction.more();
  const std::vector<int32_t>& operands = instruction.operands;
  const Dims stated = instruction.shape.dims;
  Dims none;
  if (operands.empty()) return none;
  const Dims& x = body.shape(operands[0]).dims;
  switch (instruction.opcode) {
    case Opcode::kReshape:
    case Opcode::kDynamicReshape:
      return Reshaped(x, stated);
    case Opcode::kTranspose: {
      Dims dims;
      for (int64_t dim : instruction.dims) {
        dims.push_back(x[dim]);
      }
      return dims;
    }
    case Opcode::kBroadcast: {
      Dims dims = stated;
      for (size_t i = 0; i < instruction.dims.size(); ++i) {
        dims[instruction.dims[i]] = x[i];
      }
      return dims;
    }
    case Opcode::kConcatenate:
      return Concatenated(body, instruction);
    case Opcode::kSlice:
      return Sliced(x, more.slice);
    case Opcode::kDynamicSlice:
      return more.slice->sizes;
    case Opcode::kPad:
      return Padded(x, more.pad);
    case Opcode::kReduce: {
      Dims dims;
      for (size_t i = 0; i < x.size(); ++i) {
        if (!Contains(instruction.dims, static_cast<int64_t>(i))) {
          dims.push_back(x[i]);
        }
      }
      return dims;
    }
    case Opcode::kReduceWindow: {
      Dims dims;
      for (size_t i = 0; i < x.size(); ++i) {
        dims.push_back(Windowed(x[i], more.window[i]));
      }
      return dims;
    }
    case Opcode::kDot:
      return Dot(x, body.shape(operands[1]).dims, instruction.dot);
    case Opcode::kConvolution:
      return Convolution(x, body.shape(operands[1]).dims, more, stated.size());
    case Opcode::kGather:
      return Gathered(body.shape(operands[1]).dims, more.gather, stated.size());
    case Opcode::kTopk: {
      Dims dims = x;
      dims.back() = more.k;
      return dims;
    }
    case Opcode::kScatter:
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kBatchNormTraining:
    case Opcode::kBatchNormInference:
      return x;
    case Opcode::kClamp:
      return body.shape(operands[1]).dims;
    case Opcode::kCustomCall:
    case Opcode::kAllGather:
    case Opcode::kReduceScatter:
      return none;
    default:
      return Pointwise(body, instruction);
  }
}

}  // namespace tilewise::mlir
