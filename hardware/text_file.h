// Text protos of hardware/data and of users: reading with the location of
// errors.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <google/protobuf/message.h>

#include "base/status.h"
#include "hardware/number.pb.h"
#include "hardware/target.h"

namespace tilewise {

// These say where the fields of a message stand: field -> "file:line:column".
using FieldLocations = std::map<std::string, std::string, std::less<>>;

// Fills `message` from `text`. Errors name `file` and the line: a field that is
// not in the schema, a value of another type. `places`, if given, gets those of
// the fields at the top level that are set once.
absl::Status ParseTextFile(std::string_view file, std::string_view text,
                           google::protobuf::Message& message, FieldLocations* places = nullptr);

// Names every field that is absent, other than those in `optional`, and every
// number without kind or source.
absl::Status CheckComplete(std::string_view file, const google::protobuf::Message& message,
                           const std::vector<std::string_view>& optional);

// Returns all numbers of `message` in file order, nested ones with a path:
// "runtimes[0].per_step_ms".
std::vector<SourcedNumber> ListNumbers(const google::protobuf::Message& message);

// "data sheet", "fitted".
std::string KindText(proto::Number::Kind kind);

}  // namespace tilewise
