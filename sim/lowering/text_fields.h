// The fields of a program's text, once for writing and reading: `fields` is a
// FieldWriter or a FieldReader, the object const for the first.

#pragma once

#include "sim/lowering/program.h"
#include "sim/lowering/text.h"

namespace tilewise {

inline constexpr int kKernelKinds = static_cast<int>(KernelKind::kHostCopy) + 1;
inline constexpr int kBufferUses = static_cast<int>(BufferUse::kTemporary) + 1;
inline constexpr int kPhases = static_cast<int>(Phase::kUpdate) + 1;
inline constexpr int kOpKinds = 0
#define TW_OP(enumerator, name, op_class) +1
#include "graph/op_kinds.def"
#undef TW_OP
    ;

template <class Fields, class AContext, class AProgram>
void HeaderFields(Fields& fields, AContext& context, AProgram& program) {
  fields.Plain("after", context, &ProgramContext::pass);
  fields.Plain("chip", context, &ProgramContext::chip);
  fields.Plain("host", context, &ProgramContext::host);
  fields.Plain("cores", context, &ProgramContext::cores);
  fields.Plain("data", context.mesh, &Mesh::data);
  fields.Plain("fsdp", context.mesh, &Mesh::fsdp);
  fields.Plain("tensor", context.mesh, &Mesh::tensor);
  fields.Plain("slices", context.mesh, &Mesh::slices);
  fields.Plain("batch_per_core", program, &Program::batch_per_core);
  fields.Plain("training", program, &Program::training);
  fields.Plain("compiled", program, &Program::compiled);
}

template <class Fields, class AWindows>
void WindowFields(Fields& fields, AWindows& windows) {
  fields.Plain("window_steps", windows, &Windows::steps);
  fields.Plain("window_vmem", windows, &Windows::vmem);
  fields.Plain("window_buffers", windows, &Windows::buffers);
  fields.Plain("window_hand_written", windows, &Windows::hand_written);
  fields.Plain("window_read", windows, &Windows::read_per_step);
  fields.Plain("window_write", windows, &Windows::write_per_step);
  fields.Plain("window_first_read", windows, &Windows::first_read);
  fields.Plain("window_first_on_chip_read", windows, &Windows::first_on_chip_read);
  fields.Plain("window_last_write", windows, &Windows::last_write);
}

template <class Fields, class AKernel>
void WorkFields(Fields& fields, AKernel& kernel) {
  auto& matrix = kernel.matrix;
  fields.Plain("weight_tiles", matrix, &MatrixWork::weight_tiles);
  fields.Plain("rows_per_tile", matrix, &MatrixWork::rows_per_tile);
  fields.Plain("passes", matrix, &MatrixWork::passes);
  fields.Plain("rate", matrix, &MatrixWork::rate);
  fields.Plain("useful_flops", matrix, &MatrixWork::useful_flops);
  fields.Plain("padded_flops", matrix, &MatrixWork::padded_flops);
  fields.Plain("feed_alu", matrix, &MatrixWork::feed_alu);
  fields.Plain("fills", matrix, &MatrixWork::fills);
  fields.Plain("in_turns", matrix, &MatrixWork::in_turns);
  fields.Plain("busiest_core", matrix, &MatrixWork::busiest_core);
  auto& vector = kernel.vector;
  fields.Plain("alu", vector, &VectorWork::alu);
  fields.Plain("transcendental", vector, &VectorWork::transcendental);
  fields.Plain("cross_lane", vector, &VectorWork::cross_lane);
  fields.Plain("loads", vector, &VectorWork::loads);
  fields.Plain("stores", vector, &VectorWork::stores);
  fields.Plain("hbm_read", kernel, &Kernel::hbm_read);
  fields.Plain("hbm_write", kernel, &Kernel::hbm_write);
  fields.Plain("on_chip_read", kernel, &Kernel::on_chip_read);
  fields.Plain("on_chip_write", kernel, &Kernel::on_chip_write);
  fields.Plain("dma_row_efficiency", kernel, &Kernel::dma_row_efficiency);
}

template <class Fields, class AKernel>
void KernelFields(Fields& fields, AKernel& kernel) {
  fields.Word("kind", kernel, &Kernel::kind, KernelKindName, kKernelKinds);
  fields.Op("root", kernel, &Kernel::root);
  fields.Ops("ops", kernel, &Kernel::ops);
  fields.Ops("inputs", kernel, &Kernel::inputs);
  fields.Traffic("traffic", kernel, &Kernel::traffic);
  fields.Ops("outputs", kernel, &Kernel::outputs);
  fields.Word("phase", kernel, &Kernel::phase, PhaseName, kPhases);
  // The number is that of an op of the forward graph.
  fields.Number("origin", kernel, &Kernel::origin);
  WorkFields(fields, kernel);
  WindowFields(fields, kernel.windows);
  fields.Plain("repeat", kernel, &Kernel::repeat);
  fields.Plain("collective_bytes", kernel, &Kernel::collective_bytes);
  fields.Plain("participants", kernel, &Kernel::participants);
  fields.Word("collective", kernel, &Kernel::collective, OpName, kOpKinds);
  fields.Plain("mesh_axis", kernel, &Kernel::mesh_axis);
  fields.Plain("overlappable", kernel, &Kernel::overlappable);
  fields.Plain("in_pieces", kernel, &Kernel::in_pieces);
  fields.Plain("by_sum", kernel, &Kernel::by_sum);
  fields.Plain("trip", kernel, &Kernel::iteration);
  fields.Plain("rematerialized", kernel, &Kernel::rematerialized);
}

template <class Fields, class ABuffer>
void BufferFields(Fields& fields, ABuffer& buffer) {
  fields.Word("use", buffer, &Buffer::use, BufferUseName, kBufferUses);
  fields.Plain("padded", buffer, &Buffer::padded);
  fields.Plain("unpadded", buffer, &Buffer::unpadded);
  fields.Number("first", buffer, &Buffer::first);
  fields.Number("last", buffer, &Buffer::last);
  fields.Number("on_chip_until", buffer, &Buffer::on_chip_until);
  fields.Plain("prefetched", buffer, &Buffer::prefetched);
  fields.Number("in_place_of", buffer, &Buffer::in_place_of);
}

template <class Fields, class AMemory>
void MemoryFields(Fields& fields, AMemory& memory) {
  fields.Plain("available", memory, &Memory::available);
  fields.Plain("peak", memory, &Memory::peak);
  fields.Number("peak_at", memory, &Memory::peak_at);
  fields.Plain("variables", memory, &Memory::variables);
  fields.Plain("optimizer_state", memory, &Memory::optimizer_state);
  fields.Plain("arguments", memory, &Memory::arguments);
  fields.Plain("without_rematerialization", memory, &Memory::without_rematerialization);
}

}  // namespace tilewise
