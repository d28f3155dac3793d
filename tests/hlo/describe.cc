// Writes every field of a module, in one form whatever it was read from.

#include "tests/hlo/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilewise::hlo {
namespace {

std::string Describe(const HloShape& shape) {
  std::string text =
      fmt::format("{}:{}{}", static_cast<int>(shape.kind), DTypeName(shape.dtype), shape.dims);
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    if (shape.dynamic[i]) text += fmt::format(" dynamic {}", i);
  }
  if (shape.layout) {
    text += fmt::format(" layout {} {} {} {}", shape.layout->minor_to_major, shape.layout->tiles,
                        shape.layout->memory_space, shape.layout->element_bits);
  }
  for (const HloShape& element : shape.elements) {
    text += fmt::format(" ({})", Describe(element));
  }
  return text;
}

std::string Describe(const InstructionExtras& x) {
  std::string text = fmt::format(" slice {} {} {} {} pad {} {} {} groups {} {} precision {} {}",
                                 x.slice->starts, x.slice->limits, x.slice->strides, x.slice->sizes,
                                 x.pad->low, x.pad->high, x.pad->interior, x.feature_groups,
                                 x.batch_groups, static_cast<int>(x.precision), x.algorithm);
  for (const HloWindowDim& dim : x.window) {
    text += fmt::format(" window {} {} {} {} {} {} {}", dim.size, dim.stride, dim.pad_low,
                        dim.pad_high, dim.window_dilation, dim.base_dilation, dim.reversal);
  }
  text += fmt::format(" conv {} {} {} {} {} {} {} {} {}", x.conv->input_batch,
                      x.conv->input_feature, x.conv->input_spatial, x.conv->kernel_in,
                      x.conv->kernel_out, x.conv->kernel_spatial, x.conv->output_batch,
                      x.conv->output_feature, x.conv->output_spatial);
  text += fmt::format(" gather {} {} {} {} {} {} {}", x.gather->offset_dims,
                      x.gather->collapsed_dims, x.gather->start_dims, x.gather->operand_batch,
                      x.gather->indices_batch, x.gather->slice_sizes, x.gather->index_dim);
  text += fmt::format(" devices {} {} {} {} {}", x.devices->groups, x.devices->group_size,
                      x.devices->group_count, x.devices->source_target, x.channel_id.value_or(0));
  text +=
      fmt::format(" call \"{}\" config \"{}\" kind {} rng {} {} infeed {}", x.custom_call_target,
                  x.backend_config, x.fusion_kind, x.distribution, x.algorithm, x.infeed_config);
  text += fmt::format(" fft {} {} top {} {} norm {} {} bits {} {} trips {}", x.fft->length,
                      x.fft->type, x.k, x.largest, x.epsilon, x.feature_index, x.exponent_bits,
                      x.mantissa_bits, x.trip_count.value_or(-1));
  text += fmt::format(" sharding {} {} {} frontend {}", static_cast<int>(x.sharding->kind),
                      x.sharding->tiles, x.sharding->last_dim_replicated, x.frontend);
  return text;
}

std::string Describe(const Instruction& i) {
  return fmt::format(
      "  {} {}{} {} operands {} called {} dims {} {} index {} {} "
      "from \"{}\" \"{}\" {}:{}:{} dot {} {} {} {} literal {} {}{}\n",
      i.name, OpcodeName(i.opcode), i.more().opcode_text, Describe(i.shape), i.operands, i.called,
      i.dims, static_cast<int>(i.comparison), i.index, i.is_stable, i.metadata.op_type,
      i.metadata.op_name, i.metadata.source_file, i.metadata.source_line, i.metadata.source_column,
      i.dot->lhs_batch, i.dot->rhs_batch, i.dot->lhs_contract, i.dot->rhs_contract,
      i.literal->values, i.literal->splat.value_or(-12345), Describe(i.more()));
}

}  // namespace

std::string Describe(const Module& module) {
  std::string text = fmt::format("{} {} entry {} replicas {} partitions {} scheduled {} {}\n",
                                 module.name, module.dialect, module.entry, module.replica_count,
                                 module.num_partitions, module.is_scheduled, module.frontend);
  for (const Alias& alias : module.aliases) {
    text += fmt::format("alias {} {} {}\n", alias.output, alias.parameter, alias.index);
  }
  for (const Computation& computation : module.computations) {
    text += fmt::format("{} root {} fusion {}\n", computation.name, computation.root,
                        computation.is_fusion);
    for (const Instruction& i : computation.instructions) text += Describe(i);
  }
  return text;
}

}  // namespace tilewise::hlo
