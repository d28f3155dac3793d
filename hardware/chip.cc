// A chip's file into the struct that the rest of the program reads.

#include "hardware/chip.h"

#include <algorithm>

#include <fmt/format.h>

#include "hardware/catalog.h"
#include "hardware/number_reader.h"
#include "hardware/target.h"
#include "hardware/text_file.h"

namespace tilewise {
namespace {

void ReadDevice(NumberReader& in, Chip& chip) {
  chip.generation = in.Whole("generation");
  chip.cores_per_chip = in.Whole("cores_per_chip");
  chip.tensor_cores_per_device = in.Whole("tensor_cores_per_device");
  chip.default_cores = in.Whole("default_cores");
  chip.clock_hz = in.Positive("clock_mhz") * 1e6;
}

void ReadMatrixUnits(NumberReader& in, Chip& chip) {
  chip.mxus = in.Whole("mxus");
  chip.mxu_side = in.Whole("mxu_side");
  chip.mxu_rows_per_cycle = in.Positive("mxu_rows_per_cycle");
  chip.latch_cycles = in.NotNegative("latch_cycles");
  chip.mxu_fill_cycles = in.NotNegative("mxu_fill_cycles");
  chip.matmul_efficiency = in.Share("matmul_efficiency");
  chip.mxu_rate_int8 = in.NotNegative("mxu_rate_int8");
  chip.mxu_rate_fp8 = in.NotNegative("mxu_rate_fp8");
  chip.mxu_rate_int4 = in.NotNegative("mxu_rate_int4");
}

void ReadVectorUnit(NumberReader& in, Chip& chip) {
  chip.bf16_vector_alu = in.Flag("bf16_vector_alu");
  chip.sublanes = in.Whole("sublanes");
  chip.lanes = in.Whole("lanes");
  chip.vector_alu_slots = in.Positive("vector_alu_slots");
  chip.vector_loads_per_cycle = in.Positive("vector_loads_per_cycle");
  chip.vector_stores_per_cycle = in.Positive("vector_stores_per_cycle");
  chip.transcendental_per_cycle = in.Positive("transcendental_per_cycle");
  chip.cross_lane_cycles = in.NotNegative("cross_lane_cycles");
  chip.f16_unpack_ops = in.NotNegative("f16_unpack_ops");
  chip.f16_pack_ops = in.NotNegative("f16_pack_ops");
  chip.partial_sum_ops = in.NotNegative("partial_sum_ops");
  chip.mxu_shown_beside_feed = in.Share("mxu_shown_beside_feed");
  chip.indexed.row = in.NotNegative("indexed_row_cycles");
  chip.indexed.take = in.NotNegative("indexed_take_cycles");
  chip.indexed.put = in.NotNegative("indexed_put_cycles");
  chip.indexed.add = in.NotNegative("indexed_add_cycles");
  chip.indexed.serial = in.NotNegative("indexed_serial_cycles");
  chip.indexed.sparse_core_row = in.NotNegative("sparse_core_row_cycles");
}

void ReadMatmulCostModel(NumberReader& in, MatmulCostModel& model) {
  model.stationary_cycles = in.NotNegative("matmul_stationary_cycles");
  model.partial_cycles = in.NotNegative("matmul_partial_cycles");
  model.step_cycles = in.NotNegative("matmul_step_cycles");
  model.first_hbm_cycles = in.NotNegative("matmul_first_hbm_cycles");
  model.last_cycles = in.NotNegative("matmul_last_cycles");
  MatmulCostModel::RowMajor& row_major = model.row_major;
  row_major.stationary_cycles = in.NotNegative("matmul_row_major_stationary_cycles");
  row_major.streamed_cycles = in.NotNegative("matmul_row_major_streamed_cycles");
  row_major.step_cycles = in.NotNegative("matmul_row_major_step_cycles");
  row_major.result_cycles = in.NotNegative("matmul_row_major_result_cycles");
  row_major.first_hbm_cycles = in.NotNegative("matmul_row_major_first_hbm_cycles");
  row_major.first_rhs_cycles = in.NotNegative("matmul_row_major_first_rhs_cycles");
  row_major.last_cycles = in.NotNegative("matmul_row_major_last_cycles");
  MatmulCostModel::Transposed& transposed = model.transposed;
  transposed.step_cycles = in.NotNegative("matmul_transposed_step_cycles");
  transposed.streamed_cycles = in.NotNegative("matmul_transposed_streamed_cycles");
  transposed.result_cycles = in.NotNegative("matmul_transposed_result_cycles");
  transposed.first_cycles = in.NotNegative("matmul_transposed_first_cycles");
  transposed.last_cycles = in.NotNegative("matmul_transposed_last_cycles");
}

// The channels of `chip`, whose bandwidth is read already.
void ReadHbmChannels(NumberReader& in, Chip& chip) {
  HbmChannels& hbm = chip.hbm_channels;
  hbm.channels = in.Whole("hbm_channels");
  hbm.bytes_per_second = {chip.hbm_bandwidth.value / static_cast<double>(hbm.channels)};
  hbm.burst_bytes = in.Whole("hbm_burst_bytes");
  hbm.row_bytes = in.Whole("hbm_row_bytes");
  hbm.banks = in.Whole("hbm_banks");
  hbm.t_rcd = in.Time("hbm_trcd_ns", 1e-9);
  hbm.t_rp = in.Time("hbm_trp_ns", 1e-9);
  hbm.t_ras = in.Time("hbm_tras_ns", 1e-9);
  hbm.t_rrd = in.Time("hbm_trrd_ns", 1e-9);
  hbm.t_faw = in.Time("hbm_tfaw_ns", 1e-9);
  hbm.t_rfc = in.Time("hbm_trfc_ns", 1e-9);
  hbm.t_refi = in.Time("hbm_trefi_ns", 1e-9);
  hbm.turnaround = in.Time("hbm_turnaround_ns", 1e-9);
  hbm.batch = in.Whole("hbm_batch");
}

void ReadMemory(NumberReader& in, Chip& chip) {
  chip.hbm = in.Size("hbm_gib", kGiB);
  chip.hbm_reserved = in.Size("hbm_reserved_mib", kMiB);
  chip.hbm_bandwidth = in.Rate("hbm_gb_per_s");
  chip.hbm_efficiency = in.Share("hbm_efficiency");
  chip.dma_latency = in.Time("dma_latency_us", 1e-6);
  chip.dma_min_row_bytes = in.Whole("dma_min_row_bytes");
  chip.vmem = in.Size("vmem_mib", kMiB);
  chip.vmem_window_budget = in.Size("vmem_window_budget_mib", kMiB);
  chip.kernel_overhead = in.Time("kernel_overhead_us", 1e-6);
  chip.window_overhead = in.Time("window_overhead_us", 1e-6);
  chip.window_split_cycles = in.NotNegative("window_split_cycles");
  chip.cmem = in.Size("cmem_mib", kMiB);
  chip.cmem_bandwidth = {in.NotNegative("cmem_gb_per_s") * 1e9};
}

void ReadInterconnect(NumberReader& in, Chip& chip) {
  chip.ici_links = in.Whole("ici_links");
  chip.ici_link_bandwidth = in.Rate("ici_link_gb_per_s");
  chip.core_link_bandwidth = {in.NotNegative("core_link_gb_per_s") * 1e9};
  chip.ici_hop_latency = in.Time("ici_hop_latency_us", 1e-6);
  chip.collective_overhead = in.Time("collective_overhead_us", 1e-6);
  chip.torus_dims = in.Whole("torus_dims");
  chip.all_reduce_efficiency = in.Share("all_reduce_efficiency");
  chip.reduce_scatter_efficiency = in.Positive("reduce_scatter_efficiency");
  chip.torus_wrap_chips = in.Whole("torus_wrap_chips");
  chip.pod_chips = in.Whole("pod_chips");
  chip.dcn_bandwidth = in.Rate("dcn_gb_per_s");
  chip.dcn_latency = in.Time("dcn_latency_us", 1e-6);
  chip.host_link = {in.Positive("host_link_gb_per_s") * 1e9 /
                    static_cast<double>(chip.cores_per_chip)};
  chip.async_all_gather = in.Flag("async_all_gather");
  chip.async_all_reduce = in.Flag("async_all_reduce");
  chip.gathers_by_sum = in.Flag("gathers_by_sum");
  chip.rematerializes_chains = in.Flag("rematerializes_chains");
}

absl::StatusOr<ErrorRange> ReadRange(std::string_view file, const proto::MeasuredRange& range) {
  const double all[] = {range.low(), range.lower_third(), range.upper_third(), range.high()};
  const bool in_range = all[0] >= 0.01 && all[3] <= 100 && range.ops() > 0;
  if (!in_range || !std::is_sorted(std::begin(all), std::end(all))) {
    return InvalidInput(fmt::format(
        "{}: found measured_over_simulated of {}, {}, {} and {} of {} ops, expected four parts of "
        "0.01 to 100 in rising order and some ops",
        file, all[0], all[1], all[2], all[3], range.ops()));
  }
  return ErrorRange{.low = all[0],
                    .high = all[3],
                    .lower_third = all[1],
                    .upper_third = all[2],
                    .rows = range.ops(),
                    .of_this_machine = true};
}

std::vector<Machine> ReadMachines(NumberReader& in, const proto::Chip& file) {
  std::vector<Machine> machines;
  for (const proto::Machine& machine : file.machines()) {
    in.Enter(machine);
    machines.push_back({.host = machine.host(),
                        .chips = in.Whole("chips"),
                        .vcpus = in.Whole("vcpus"),
                        .ram = in.Size("ram_gib", kGiB)});
  }
  return machines;
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
                              const FieldLocations& places) {
  NumberReader in(name, file, places);
  Chip chip;
  if (file.has_top_clock_mhz()) chip.top_clock_hz = in.Positive("top_clock_mhz") * 1e6;
  chip.name = file.name();
  chip.description = file.description();
  chip.default_host = file.default_host();
  chip.slice_host = file.has_slice_host() ? file.slice_host() : chip.default_host;
  ReadDevice(in, chip);
  ReadMatrixUnits(in, chip);
  ReadVectorUnit(in, chip);
  ReadMatmulCostModel(in, chip.matmul_cost_model);
  ReadMemory(in, chip);
  ReadHbmChannels(in, chip);
  ReadInterconnect(in, chip);
  chip.machines = ReadMachines(in, file);
  TW_RETURN_IF_ERROR(in.status());
  if (file.has_measured_over_simulated()) {
    TW_ASSIGN_OR_RETURN(chip.measured_range, ReadRange(name, file.measured_over_simulated()));
  }
  if (chip.hbm_reserved >= chip.hbm || chip.vmem_window_budget > chip.vmem) {
    return InvalidInput(
        std::string(name) +
        ": found more hbm reserved or vmem budgeted than there is, expected a part of it");
  }
  return chip;
}

absl::StatusOr<Chip> FindChip(std::string_view name) {
  FieldLocations places;
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
