// Text protos of hardware/data and of users: reading with the place of errors.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <google/protobuf/message.h>

#include "base/status.h"
#include "hardware/target.h"

namespace tilewise {

// Fills `message` from `text`. Errors name `file` and the line: a field that is
// not in the schema, a value of another type.
absl::Status ParseTextFile(std::string_view file, std::string_view text,
                           google::protobuf::Message& message);

// Names every field that is absent, other than those in `optional`, and every
// number without kind or source.
absl::Status CheckComplete(std::string_view file,
                           const google::protobuf::Message& message,
                           const std::vector<std::string_view>& optional);

// All numbers of `message` in file order, nested ones with a path:
// "runtimes[0].per_step_ms".
std::vector<SourcedNumber> ListNumbers(
    const google::protobuf::Message& message);

}  // namespace tilewise
