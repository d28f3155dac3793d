// What one TPU generation can do, per core as the framework sees it. Numbers
// come from hardware/data/*.txtpb, each with its source beside it.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/units.h"

namespace tilewise {

struct Chip {
  std::string name;         // "v3"
  std::string description;  // "TPU v3, 2 cores per chip, 16 GiB per core"
  int64_t generation =
      0;  // 2, 3, 4 ... compared with thresholds of the layout rules
  int64_t cores_per_chip =
      1;  // devices the framework sees (1 on megacore chips)
  int64_t tensor_cores_per_device = 1;  // 2 on megacore chips
  double clock_hz = 0;

  // Matrix units of one device.
  int64_t mxus = 1;
  int64_t mxu_side = 128;
  double mxu_rows_per_cycle = 1;  // LHS rows each MXU takes per cycle
  double latch_cycles = 0;        // to load one side x side bf16 weight tile
  double mxu_fill_cycles = 0;     // first row in to first result out
  bool bf16_vector_alu = false;   // else bf16 elementwise runs as f32

  // Vector unit of one device: instructions per cycle, each on 8 x 128 x 32
  // bit.
  int64_t sublanes = 8;
  int64_t lanes = 128;
  double vector_alu_slots = 2;
  double vector_loads_per_cycle = 1;
  double vector_stores_per_cycle = 1;
  double transcendental_per_cycle = 0.5;
  double cross_lane_cycles = 8;  // per vreg rotated, permuted or transposed

  // Memory of one device.
  Bytes hbm;                     // nameplate
  Bytes hbm_reserved;            // taken by the runtime
  BytesPerSecond hbm_bandwidth;  // nameplate
  double hbm_efficiency = 1;     // achieved share when streaming
  Seconds dma_latency;           // first byte of an HBM transfer
  int64_t dma_min_row_bytes =
      512;  // shorter contiguous runs lose in proportion
  Bytes vmem;
  Bytes vmem_window_budget;  // for the windows of one kernel
  Seconds kernel_overhead;   // fixed device time of any kernel
  double matmul_efficiency =
      1;  // achieved share of peak in the MXU's steady state

  // Interconnect of one chip.
  int64_t ici_links = 4;
  BytesPerSecond ici_link_bandwidth;  // one way, per link
  Seconds ici_hop_latency;
  Seconds collective_overhead;  // fixed time of one collective
  int64_t torus_dims = 2;
  double all_reduce_efficiency =
      1;  // achieved share of the links while gradients are summed
  int64_t torus_wrap_chips = 16;  // an axis of a multiple of it is a ring

  std::string default_host;
  int64_t default_cores = 8;  // smallest slice users rent

  // 2 x side x side x rows per cycle x MXUs x clock.
  double peak_flops() const;
  Bytes usable_hbm() const { return hbm - hbm_reserved; }
};

}  // namespace tilewise
