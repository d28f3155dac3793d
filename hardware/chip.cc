// A chip's file into the struct that the rest of the program reads.

#include "hardware/chip.h"

#include <algorithm>

#include "hardware/catalog.h"
#include "hardware/number_reader.h"
#include "hardware/target.h"
#include "hardware/text_file.h"

namespace tilewise {
namespace {

void ReadDevice(const proto::Chip& file, NumberReader& in, Chip& chip) {
  chip.generation = in.Whole(file.generation(), "generation");
  chip.cores_per_chip = in.Whole(file.cores_per_chip(), "cores_per_chip");
  chip.tensor_cores_per_device =
      in.Whole(file.tensor_cores_per_device(), "tensor_cores_per_device");
  chip.default_cores = in.Whole(file.default_cores(), "default_cores");
  chip.clock_hz = in.Positive(file.clock_mhz(), "clock_mhz") * 1e6;
}

void ReadMatrixUnits(const proto::Chip& file, NumberReader& in, Chip& chip) {
  chip.mxus = in.Whole(file.mxus(), "mxus");
  chip.mxu_side = in.Whole(file.mxu_side(), "mxu_side");
  chip.mxu_rows_per_cycle = in.Positive(file.mxu_rows_per_cycle(), "mxu_rows_per_cycle");
  chip.latch_cycles = in.NotNegative(file.latch_cycles(), "latch_cycles");
  chip.mxu_fill_cycles = in.NotNegative(file.mxu_fill_cycles(), "mxu_fill_cycles");
  chip.matmul_efficiency = in.Share(file.matmul_efficiency(), "matmul_efficiency");
  chip.mxu_rate_int8 = in.NotNegative(file.mxu_rate_int8(), "mxu_rate_int8");
  chip.mxu_rate_fp8 = in.NotNegative(file.mxu_rate_fp8(), "mxu_rate_fp8");
  chip.mxu_rate_int4 = in.NotNegative(file.mxu_rate_int4(), "mxu_rate_int4");
}

void ReadVectorUnit(const proto::Chip& file, NumberReader& in, Chip& chip) {
  chip.bf16_vector_alu = in.NotNegative(file.bf16_vector_alu(), "bf16_vector_alu") != 0;
  chip.sublanes = in.Whole(file.sublanes(), "sublanes");
  chip.lanes = in.Whole(file.lanes(), "lanes");
  chip.vector_alu_slots = in.Positive(file.vector_alu_slots(), "vector_alu_slots");
  chip.vector_loads_per_cycle =
      in.Positive(file.vector_loads_per_cycle(), "vector_loads_per_cycle");
  chip.vector_stores_per_cycle =
      in.Positive(file.vector_stores_per_cycle(), "vector_stores_per_cycle");
  chip.transcendental_per_cycle =
      in.Positive(file.transcendental_per_cycle(), "transcendental_per_cycle");
  chip.cross_lane_cycles = in.NotNegative(file.cross_lane_cycles(), "cross_lane_cycles");
  chip.f16_unpack_ops = in.NotNegative(file.f16_unpack_ops(), "f16_unpack_ops");
  chip.f16_pack_ops = in.NotNegative(file.f16_pack_ops(), "f16_pack_ops");
  chip.f16_array_pack_ops = in.NotNegative(file.f16_array_pack_ops(), "f16_array_pack_ops");
  chip.mxu_shown_beside_feed = in.Share(file.mxu_shown_beside_feed(), "mxu_shown_beside_feed");
  chip.indexed.row = in.NotNegative(file.indexed_row_cycles(), "indexed_row_cycles");
  chip.indexed.take = in.NotNegative(file.indexed_take_cycles(), "indexed_take_cycles");
  chip.indexed.put = in.NotNegative(file.indexed_put_cycles(), "indexed_put_cycles");
  chip.indexed.add = in.NotNegative(file.indexed_add_cycles(), "indexed_add_cycles");
  chip.indexed.sparse_core_row =
      in.NotNegative(file.sparse_core_row_cycles(), "sparse_core_row_cycles");
}

void ReadMatmulCostModel(const proto::Chip& file, NumberReader& in, MatmulCostModel& model) {
  model.stationary_cycles =
      in.NotNegative(file.product_stationary_cycles(), "product_stationary_cycles");
  model.streamed_cycles = in.NotNegative(file.product_streamed_cycles(), "product_streamed_cycles");
  model.partial_cycles = in.NotNegative(file.product_partial_cycles(), "product_partial_cycles");
  model.step_cycles = in.NotNegative(file.product_step_cycles(), "product_step_cycles");
  model.first_cycles = in.NotNegative(file.product_first_cycles(), "product_first_cycles");
  model.first_hbm_cycles =
      in.NotNegative(file.product_first_hbm_cycles(), "product_first_hbm_cycles");
  model.last_cycles = in.NotNegative(file.product_last_cycles(), "product_last_cycles");
}

// The channels of `chip`, whose bandwidth is read already.
void ReadHbmChannels(const proto::Chip& file, NumberReader& in, Chip& chip) {
  HbmChannels& hbm = chip.hbm_channels;
  const auto nanoseconds = [&in](const proto::Number& number, std::string_view field) {
    return Seconds{in.NotNegative(number, field) * 1e-9};
  };
  hbm.channels = in.Whole(file.hbm_channels(), "hbm_channels");
  hbm.bytes_per_second = {chip.hbm_bandwidth.value / static_cast<double>(hbm.channels)};
  hbm.burst_bytes = in.Whole(file.hbm_burst_bytes(), "hbm_burst_bytes");
  hbm.row_bytes = in.Whole(file.hbm_row_bytes(), "hbm_row_bytes");
  hbm.banks = in.Whole(file.hbm_banks(), "hbm_banks");
  hbm.t_rcd = nanoseconds(file.hbm_trcd_ns(), "hbm_trcd_ns");
  hbm.t_rp = nanoseconds(file.hbm_trp_ns(), "hbm_trp_ns");
  hbm.t_ras = nanoseconds(file.hbm_tras_ns(), "hbm_tras_ns");
  hbm.t_rrd = nanoseconds(file.hbm_trrd_ns(), "hbm_trrd_ns");
  hbm.t_faw = nanoseconds(file.hbm_tfaw_ns(), "hbm_tfaw_ns");
  hbm.t_rfc = nanoseconds(file.hbm_trfc_ns(), "hbm_trfc_ns");
  hbm.t_refi = nanoseconds(file.hbm_trefi_ns(), "hbm_trefi_ns");
  hbm.turnaround = nanoseconds(file.hbm_turnaround_ns(), "hbm_turnaround_ns");
  hbm.batch = in.Whole(file.hbm_batch(), "hbm_batch");
}

void ReadMemory(const proto::Chip& file, NumberReader& in, Chip& chip) {
  chip.hbm = in.Size(file.hbm_gib(), "hbm_gib", kGiB);
  chip.hbm_reserved = in.Size(file.hbm_reserved_mib(), "hbm_reserved_mib", kMiB);
  chip.hbm_bandwidth = {in.Positive(file.hbm_gb_per_s(), "hbm_gb_per_s") * 1e9};
  chip.hbm_efficiency = in.Share(file.hbm_efficiency(), "hbm_efficiency");
  chip.dma_latency = {in.NotNegative(file.dma_latency_us(), "dma_latency_us") * 1e-6};
  chip.dma_min_row_bytes = in.Whole(file.dma_min_row_bytes(), "dma_min_row_bytes");
  chip.vmem = in.Size(file.vmem_mib(), "vmem_mib", kMiB);
  chip.vmem_window_budget = in.Size(file.vmem_window_budget_mib(), "vmem_window_budget_mib", kMiB);
  chip.kernel_overhead = {in.NotNegative(file.kernel_overhead_us(), "kernel_overhead_us") * 1e-6};
  chip.window_overhead = {in.NotNegative(file.window_overhead_us(), "window_overhead_us") * 1e-6};
  chip.window_split_cycles = in.NotNegative(file.window_split_cycles(), "window_split_cycles");
  chip.cmem = in.Size(file.cmem_mib(), "cmem_mib", kMiB);
  chip.cmem_bandwidth = {in.NotNegative(file.cmem_gb_per_s(), "cmem_gb_per_s") * 1e9};
}

void ReadInterconnect(const proto::Chip& file, NumberReader& in, Chip& chip) {
  chip.ici_links = in.Whole(file.ici_links(), "ici_links");
  chip.ici_link_bandwidth = {in.Positive(file.ici_link_gb_per_s(), "ici_link_gb_per_s") * 1e9};
  chip.ici_hop_latency = {in.NotNegative(file.ici_hop_latency_us(), "ici_hop_latency_us") * 1e-6};
  chip.collective_overhead = {
      in.NotNegative(file.collective_overhead_us(), "collective_overhead_us") * 1e-6};
  chip.torus_dims = in.Whole(file.torus_dims(), "torus_dims");
  chip.all_reduce_efficiency = in.Share(file.all_reduce_efficiency(), "all_reduce_efficiency");
  chip.reduce_scatter_efficiency =
      in.Positive(file.reduce_scatter_efficiency(), "reduce_scatter_efficiency");
  chip.torus_wrap_chips = in.Whole(file.torus_wrap_chips(), "torus_wrap_chips");
  chip.pod_chips = in.Whole(file.pod_chips(), "pod_chips");
  chip.dcn_bandwidth = {in.Positive(file.dcn_gb_per_s(), "dcn_gb_per_s") * 1e9};
  chip.dcn_latency = {in.NotNegative(file.dcn_latency_us(), "dcn_latency_us") * 1e-6};
  chip.host_link = {in.Positive(file.host_link_gb_per_s(), "host_link_gb_per_s") * 1e9 /
                    static_cast<double>(chip.cores_per_chip)};
  chip.async_all_gather = in.NotNegative(file.async_all_gather(), "async_all_gather") != 0;
  chip.async_all_reduce = in.NotNegative(file.async_all_reduce(), "async_all_reduce") != 0;
}

}  // namespace

double Chip::peak_flops() const {
  const double side = static_cast<double>(mxu_side);
  return 2 * side * side * mxu_rows_per_cycle * static_cast<double>(mxus) * clock_hz;
}

double Chip::peak_flops(int64_t bits, bool integer) const {
  double rate = 1;
  if (bits == 8) rate = integer ? mxu_rate_int8 : mxu_rate_fp8;
  if (bits == 4 && integer) rate = mxu_rate_int4;
  return peak_flops() * (rate > 0 ? rate : 1);
}

Bytes Chip::promotion_room() const {
  if (cmem > Bytes{}) return cmem;
  return std::max(Bytes{}, vmem - 2 * vmem_window_budget);
}

absl::StatusOr<Chip> ReadChip(std::string_view name, const proto::Chip& file,
                              const FieldPlaces& places) {
  NumberReader in(name, places);
  Chip chip;
  chip.name = file.name();
  chip.description = file.description();
  chip.default_host = file.default_host();
  ReadDevice(file, in, chip);
  ReadMatrixUnits(file, in, chip);
  ReadVectorUnit(file, in, chip);
  ReadMatmulCostModel(file, in, chip.matmul_cost_model);
  ReadMemory(file, in, chip);
  ReadHbmChannels(file, in, chip);
  ReadInterconnect(file, in, chip);
  TW_RETURN_IF_ERROR(in.status());
  if (chip.hbm_reserved >= chip.hbm || chip.vmem_window_budget > chip.vmem) {
    return InvalidInput(std::string(name) +
                        ": found more hbm reserved or vmem budgeted than there "
                        "is, expected a part of it");
  }
  return chip;
}

absl::StatusOr<Chip> FindChip(std::string_view name) {
  FieldPlaces places;
  TW_ASSIGN_OR_RETURN(const proto::Chip file, FindChipFile(name, &places));
  return ReadChip(name, file, places);
}

std::vector<std::string> ChipNames() {
  std::vector<std::string> names;
  for (const proto::Chip& chip : EmbeddedChips()) names.push_back(chip.name());
  return names;
}

absl::StatusOr<std::vector<SourcedNumber>> ChipNumbers(std::string_view name) {
  TW_ASSIGN_OR_RETURN(const proto::Chip file, FindChipFile(name));
  return ListNumbers(file);
}

}  // namespace tilewise
