// What one TPU generation can do, per core as the framework sees it. Numbers
// come from hardware/data/*.txtpb, each with its source beside it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error_range.h"
#include "base/status.h"
#include "base/units.h"
#include "hardware/hbm.h"
#include "hardware/matmul_cost_model.h"

namespace tilewise {

// A machine that some chips of a generation are sold with.
struct Machine {
  std::string host;  // whose numbers it replaces
  int64_t chips = 4;
  int64_t vcpus = 1;
  Bytes ram;
};

// Of one core that takes, puts or adds rows of an array by their index.
struct IndexedCycles {
  double row = 19;  // and for each piece of 128 lanes of the row:
  double take = 1;
  double put = 6;    // without reading what was there
  double add = 8.5;  // read, combine, write
  // A row that is put or added to at a location of several indices, of which nothing is promised,
  // takes this: it waits for the one before it.
  double serial = 188;
  // A row that the SparseCores take costs this; 0 where gathers stay on the core.
  double sparse_core_row = 0;
};

struct Chip {
  std::string name;                     // as users give it
  std::string description;              // "TPU v3, 2 cores per chip, 16 GiB per core"
  int64_t generation = 0;               // 2, 3, 4 ... compared with thresholds of the layout rules
  int64_t cores_per_chip = 1;           // devices the framework sees (1 on megacore chips)
  int64_t tensor_cores_per_device = 1;  // 2 on megacore chips
  double clock_hz = 0;
  // In the highest state that the compiler can ask for; 0: not known.
  double top_clock_hz = 0;

  // Matrix units of one device.
  int64_t mxus = 1;
  int64_t mxu_side = 128;
  double mxu_rows_per_cycle = 1;  // LHS rows each MXU takes per cycle
  double latch_cycles = 0;        // to load one side x side bf16 weight tile
  double mxu_fill_cycles = 0;     // first row in to first result out
  bool bf16_vector_alu = false;   // else bf16 elementwise runs as f32
  // Multiply-add rates relative to bf16; 0: not native, runs converted.
  double mxu_rate_int8 = 0;
  double mxu_rate_fp8 = 0;
  double mxu_rate_int4 = 0;

  // Vector unit of one device: instructions per cycle, each on 8 x 128 x 32
  // bit.
  int64_t sublanes = 8;
  int64_t lanes = 128;
  double vector_alu_slots = 2;
  double vector_loads_per_cycle = 1;
  double vector_stores_per_cycle = 1;
  double transcendental_per_cycle = 0.5;
  double cross_lane_cycles = 8;  // per vreg rotated, permuted or transposed
  double f16_unpack_ops = 16;    // ALU ops from f16 to one vreg of f32
  double f16_pack_ops = 19;      // and back; no chip has f16 arithmetic
  double partial_sum_ops = 5;    // ALU ops for one vreg of a sum that goes on in the next window
  // The array may wait for converted operands: this share of its work then shows on top of the
  // vector unit's.
  double mxu_shown_beside_feed = 0.3;
  IndexedCycles indexed;
  MatmulCostModel matmul_cost_model;
  // An elementwise fusion is cut into two windows when half of its arithmetic
  // takes longer; see sim/lowering/tile_selection/even_tiles.h.
  double window_split_cycles = 180;
  Seconds window_overhead;  // of each window of a kernel after its first

  // Memory of one device.
  Bytes hbm;                     // nameplate
  Bytes hbm_reserved;            // taken by the runtime
  BytesPerSecond hbm_bandwidth;  // nameplate
  HbmChannels hbm_channels;
  double hbm_efficiency = 1;        // DMA's share of what the channels allow
  Seconds dma_latency;              // first byte of an HBM transfer
  int64_t dma_min_row_bytes = 512;  // shorter contiguous runs lose in proportion
  Bytes vmem;
  Bytes vmem_window_budget;  // for the windows of one kernel
  Bytes cmem;                // second on-chip memory, 0 where there is none
  BytesPerSecond cmem_bandwidth;
  Seconds kernel_overhead;       // fixed device time of any kernel
  double matmul_efficiency = 1;  // achieved share of peak in the MXU's steady state

  // Interconnect of one chip.
  int64_t ici_links = 4;
  BytesPerSecond ici_link_bandwidth;  // one way, per link
  Seconds ici_hop_latency;
  // This is between the cores of a chip that each have HBM of their own, one way; 0: they have HBM
  // in common.
  BytesPerSecond core_link_bandwidth;
  Seconds collective_overhead;  // fixed time of one collective
  int64_t torus_dims = 2;
  double all_reduce_efficiency = 1;  // achieved share of the links while gradients are summed
  // The same while they are summed to a part for each core, of the links of one
  // axis of the torus, along which they go at a time; above 1 where they go
  // along several.
  double reduce_scatter_efficiency = 1;
  int64_t torus_wrap_chips = 16;  // an axis of a multiple of it is a ring
  int64_t pod_chips = 256;        // most chips that one interconnect joins
  BytesPerSecond dcn_bandwidth;   // of one chip, between pods, one way
  Seconds dcn_latency;
  BytesPerSecond host_link;      // of one device, to host memory and back, each
  bool async_all_gather = true;  // the compiler's flags as delivered
  bool async_all_reduce = false;
  // So are gathers over three closed axes of the torus.
  bool gathers_by_sum = false;
  bool rematerializes_chains = false;  // where memory is short

  // This is there where a profile of the user's machine was compared with the simulation.
  std::optional<ErrorRange> measured_range;

  std::string default_host;
  std::vector<Machine> machines;
  std::string slice_host;     // of slices of more than one machine
  int64_t default_cores = 8;  // smallest slice users rent

  // 2 x side x side x rows per cycle x MXUs x clock.
  double peak_flops() const;
  // That, for operands of `bits` bits. Types that the MXU has no path for are
  // converted, and run at the rate of bf16.
  double peak_flops(int64_t bits, bool integer) const;
  Bytes usable_hbm() const { return hbm - hbm_reserved; }
  // On-chip memory for whole values between kernels: the second memory, else
  // what the windows of the kernel before and after leave of the VMEM.
  Bytes promotion_room() const;
};

}  // namespace tilewise
