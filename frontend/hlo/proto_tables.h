// What a module's protobuf states besides its computations. All throw
// protozero's exceptions on malformed bytes.

#pragma once

#include <string_view>
#include <vector>

#include "frontend/hlo/module.h"
#include "frontend/hlo/stack_frames.h"

namespace tilewise::hlo {

void ReadAliasProto(std::string_view bytes, std::vector<Alias>& aliases);
// Replicas and partitions of a device assignment.
void ReadDeviceCounts(std::string_view bytes, Module& module);
void ReadStackFramesProto(std::string_view bytes, StackFrames& frames);

}  // namespace tilewise::hlo
