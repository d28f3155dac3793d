// One function per zoo model, each in the file of its family; zoo.def lists
// them.

#pragma once

#include "zoo/zoo.h"

namespace tilewise {

#define TW_ZOO(name) ZooModel name##Model();
#include "zoo/zoo.def"
#undef TW_ZOO

}  // namespace tilewise
