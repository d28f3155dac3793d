// What HBM holds, and what would make it enough.

#include <fmt/format.h>

#include "report/tables.h"

namespace tilewise {

Table MemoryTable(const MemoryUse& use) {
  Table table({{"HBM at the peak", Align::kLeft}, {"", Align::kRight}});
  const auto add = [&](std::string_view name, Bytes bytes) {
    if (bytes > Bytes{}) {
      table.AddRow({std::string(name), FormatBytes(bytes)});
    }
  };
  for (size_t i = 0; i < use.by_use.size(); ++i) {
    add(BufferUseName(static_cast<BufferUse>(i)), use.by_use[i]);
  }
  add("of these, padding", use.padding);
  if (use.fragmentation) {
    add("fragmentation beside them", *use.fragmentation);
  }
  add("reserved by the runtime", use.reserved);
  add("HBM of a core, nameplate", use.nameplate);
  return table;
}

Table FitTable(const std::vector<FitTrial>& trials) {
  Table table({{"change", Align::kLeft},
               {"HBM peak", Align::kRight},
               {"", Align::kLeft},
               {"device step", Align::kRight}});
  for (const FitTrial& trial : trials) {
    table.AddRow({trial.change, FormatBytes(trial.hbm_peak), trial.fits() ? "fits" : "does not fit",
                  FormatSeconds(trial.device_step)});
  }
  return table;
}

}  // namespace tilewise
