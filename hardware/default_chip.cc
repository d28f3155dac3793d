// Data, not code: the catalogue's file names it.

#include "hardware/default_chip.h"

#include "hardware/catalog.h"

namespace tilewise {

std::string DefaultChipName() { return EmbeddedCatalog().default_chip(); }

}  // namespace tilewise
