// Protobuf text form -> wire form, so that each schema has one reader, of the
// wire form.

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace google::protobuf {
class Message;
}

namespace tilewise {

// `schema`: an empty message of the type that the text states. Fields that the
// schema has not are left out, with what they hold. Errors: the line and column
// of the text, and what stands there.
absl::StatusOr<std::string> TextToWire(std::string_view text,
                                       const google::protobuf::Message& schema);

}  // namespace tilewise
