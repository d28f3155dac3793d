// The longest of the chains through the loop: all of the work, or all of the
// channel's transfers.

#include "sim/lowering/tile_selection/window_time.h"

#include <algorithm>

#include "sim/lowering/kernels/dma_rate.h"
#include "sim/lowering/kernels/unit_time.h"

namespace tilewise {
namespace {

constexpr double kLeastOverhead = 1e-9;  // seconds: so that counts are finite

double TransferSeconds(const WindowCosts& costs, const WindowBytes& bytes) {
  return std::max(bytes.hbm * costs.hbm, bytes.on_chip * costs.on_chip);
}

double Mixing(const WindowCosts& costs, double read, double written) {
  const double all = read + written;
  return all > 0 ? 1 + costs.turns * 2 * std::min(read, written) / all : 1;
}

}  // namespace

WindowCosts CostsOfWindows(const Kernel& kernel, const Chip& chip) {
  WindowCosts costs;
  costs.compute = ComputeTime(kernel, chip).value;
  costs.at_peak = ComputeTimeAtPeak(kernel, chip).value;
  costs.fill = FillTime(kernel, chip).value;
  costs.hbm = 1 / DmaRate(kernel, chip);
  costs.on_chip = chip.cmem > Bytes{} ? 1 / chip.cmem_bandwidth.value : 0;
  costs.turns = StreamRate(chip, 0) / StreamRate(chip, 1) - 1;
  costs.overhead = std::max(chip.window_overhead.value, kLeastOverhead);
  return costs;
}

double WindowTime(const WindowCosts& costs, const WindowTraffic& traffic) {
  if (traffic.steps < 2) {
    return costs.fill + costs.compute + TransferSeconds(costs, traffic.read) +
           TransferSeconds(costs, traffic.written);
  }
  const double others = traffic.steps - 1;
  const double ends =
      TransferSeconds(costs, traffic.first_read) + TransferSeconds(costs, traffic.last_write);
  const WindowBytes read = traffic.read - traffic.first_read;
  const WindowBytes written = traffic.written - traffic.last_write;
  const double mixing = Mixing(costs, read.hbm, written.hbm);
  const double loads = TransferSeconds(costs, read) * mixing;
  const double stores = TransferSeconds(costs, written) * mixing;
  const double load = loads / others;
  const double store = stores / others;
  const auto loop = [&](double compute) {
    const double each = compute / traffic.steps;
    const double waits = std::max(0.0, costs.fill + each - load) + std::max(0.0, each - store);
    return ends + std::max(costs.fill + compute, loads + stores + waits);
  };
  return std::max(loop(costs.compute), loop(costs.at_peak) + others * costs.overhead);
}

double LeastWindowTime(const WindowCosts& costs, double steps, double hbm, double ends) {
  const double work = std::max(costs.compute, costs.at_peak + (steps - 1) * costs.overhead);
  return std::max(costs.fill + work + ends * costs.hbm, hbm * costs.hbm);
}

}  // namespace tilewise
