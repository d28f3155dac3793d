// XLA's module protobufs -> a module.

#pragma once

#include <optional>
#include <string_view>

#include "base/status.h"
#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// How many messages, each the field 1 of the next, are around the
// HloModuleProto in wire form: 0 for a module itself, 1 for an HloProto, 2 for
// an HloSnapshot. Told by what the fields hold; nothing when it is none of
// them. Looks at the start of the bytes only, so that files that are cut off
// are known too.
std::optional<int> ModuleDepth(std::string_view bytes);

// The same of the text form, by the names of its first fields.
std::optional<int> TextModuleDepth(std::string_view text);

// The module in the wire form of any of the three. Names are views into
// `bytes`. Instructions are in the order of the schedule where there is one.
// Errors name the instruction and computation at which reading ended.
absl::StatusOr<Module> ReadHloProto(std::string_view bytes);

// The same from the text form of any of the three.
absl::StatusOr<Module> ReadHloTextProto(std::string_view text);

}  // namespace tilewise::hlo
