// A chip's file into the struct that the rest of the program reads.

#include "hardware/chip.h"

#include "hardware/catalog.h"
#include "hardware/number_reader.h"
#include "hardware/target.h"
#include "hardware/text_file.h"

namespace tilewise {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kGiB = 1024.0 * kMiB;

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
  chip.mxu_rows_per_cycle =
      in.Positive(file.mxu_rows_per_cycle(), "mxu_rows_per_cycle");
  chip.latch_cycles = in.NotNegative(file.latch_cycles(), "latch_cycles");
  chip.mxu_fill_cycles =
      in.NotNegative(file.mxu_fill_cycles(), "mxu_fill_cycles");
  chip.matmul_efficiency =
      in.Share(file.matmul_efficiency(), "matmul_efficiency");
}

void ReadVectorUnit(const proto::Chip& file, NumberReader& in, Chip& chip) {
  chip.bf16_vector_alu =
      in.NotNegative(file.bf16_vector_alu(), "bf16_vector_alu") != 0;
  chip.sublanes = in.Whole(file.sublanes(), "sublanes");
  chip.lanes = in.Whole(file.lanes(), "lanes");
  chip.vector_alu_slots =
      in.Positive(file.vector_alu_slots(), "vector_alu_slots");
  chip.vector_loads_per_cycle =
      in.Positive(file.vector_loads_per_cycle(), "vector_loads_per_cycle");
  chip.vector_stores_per_cycle =
      in.Positive(file.vector_stores_per_cycle(), "vector_stores_per_cycle");
  chip.transcendental_per_cycle =
      in.Positive(file.transcendental_per_cycle(), "transcendental_per_cycle");
  chip.cross_lane_cycles =
      in.NotNegative(file.cross_lane_cycles(), "cross_lane_cycles");
}

void ReadMemory(const proto::Chip& file, NumberReader& in, Chip& chip) {
  chip.hbm = in.Size(file.hbm_gib(), "hbm_gib", kGiB);
  chip.hbm_reserved =
      in.Size(file.hbm_reserved_mib(), "hbm_reserved_mib", kMiB);
  chip.hbm_bandwidth = {in.Positive(file.hbm_gb_per_s(), "hbm_gb_per_s") * 1e9};
  chip.hbm_efficiency = in.Share(file.hbm_efficiency(), "hbm_efficiency");
  chip.dma_latency = {in.NotNegative(file.dma_latency_us(), "dma_latency_us") *
                      1e-6};
  chip.dma_min_row_bytes =
      in.Whole(file.dma_min_row_bytes(), "dma_min_row_bytes");
  chip.vmem = in.Size(file.vmem_mib(), "vmem_mib", kMiB);
  chip.vmem_window_budget =
      in.Size(file.vmem_window_budget_mib(), "vmem_window_budget_mib", kMiB);
  chip.kernel_overhead = {
      in.NotNegative(file.kernel_overhead_us(), "kernel_overhead_us") * 1e-6};
}

void ReadInterconnect(const proto::Chip& file, NumberReader& in, Chip& chip) {
  chip.ici_links = in.Whole(file.ici_links(), "ici_links");
  chip.ici_link_bandwidth = {
      in.Positive(file.ici_link_gb_per_s(), "ici_link_gb_per_s") * 1e9};
  chip.ici_hop_latency = {
      in.NotNegative(file.ici_hop_latency_us(), "ici_hop_latency_us") * 1e-6};
  chip.collective_overhead = {
      in.NotNegative(file.collective_overhead_us(), "collective_overhead_us") *
      1e-6};
  chip.torus_dims = in.Whole(file.torus_dims(), "torus_dims");
  chip.all_reduce_efficiency =
      in.Share(file.all_reduce_efficiency(), "all_reduce_efficiency");
  chip.torus_wrap_chips = in.Whole(file.torus_wrap_chips(), "torus_wrap_chips");
}

}  // namespace

double Chip::peak_flops() const {
  const double side = static_cast<double>(mxu_side);
  return 2 * side * side * mxu_rows_per_cycle * static_cast<double>(mxus) *
         clock_hz;
}

absl::StatusOr<Chip> FindChip(std::string_view name) {
  TW_ASSIGN_OR_RETURN(const proto::Chip file, FindChipFile(name));
  NumberReader in(file.name());
  Chip chip;
  chip.name = file.name();
  chip.description = file.description();
  chip.default_host = file.default_host();
  ReadDevice(file, in, chip);
  ReadMatrixUnits(file, in, chip);
  ReadVectorUnit(file, in, chip);
  ReadMemory(file, in, chip);
  ReadInterconnect(file, in, chip);
  TW_RETURN_IF_ERROR(in.status());
  if (chip.hbm_reserved >= chip.hbm || chip.vmem_window_budget > chip.vmem) {
    return InvalidInput(std::string(name) +
                        ": found more hbm reserved or vmem budgeted than there "
                        "is, expected a part of it");
  }
  return chip;
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
