// Files of XLA modules: the three forms, by content, and their modules.

#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "frontend/hlo/module.h"
#include "frontend/input_file.h"

namespace tilewise::hlo {

// HLO text, with or without a header. Looks at the first words, past comments.
bool LooksLikeHloText(const InputFile& file);
// HloModuleProto, HloProto or HloSnapshot in wire form.
bool LooksLikeHloProto(const InputFile& file);
// The same in text form.
bool LooksLikeHloTextproto(const InputFile& file);

// Reads all modules of the file, in whichever form; at least one. They are
// views into the file's bytes. Errors: malformed, with the location; none of
// the forms.
absl::StatusOr<std::vector<Module>> ReadModules(const InputFile& file);

// These run the readers on any bytes, for fuzzing.
void FuzzHloText(std::string_view bytes);
void FuzzHloProto(std::string_view bytes);
void FuzzHloTextproto(std::string_view bytes);

}  // namespace tilewise::hlo
