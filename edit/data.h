// Text edits of configuration files: one value set or added, all other
// bytes as they were. Nothing is returned when the location is not found.
//
// A path names a value from the outside in: "train_config.batch_size",
// "data_preprocessing.ops[1].type". A textproto's repeated fields are counted
// in the same way, and [0] may be left out. Keys with dots in them cannot be
// named.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "workload/workload.h"

namespace tilewise {

// `value` as it is to stand in the file ("\"bfloat16\"", "true", "64"). A
// member that is absent is added to an object that is there.
std::vector<TextEdit> SetJson(const Workload& workload, const std::string& file,
                              std::string_view path, std::string_view value);

// The same for block and flow YAML; comments stay. A value over several lines
// is left alone.
std::vector<TextEdit> SetYaml(const Workload& workload, const std::string& file,
                              std::string_view path, std::string_view value);

// The same for a protobuf in text form.
std::vector<TextEdit> SetTextproto(const Workload& workload, const std::string& file,
                                   std::string_view path, std::string_view value);

}  // namespace tilewise
