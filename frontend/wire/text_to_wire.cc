// libprotobuf reads the text and writes the wire form.

#include "frontend/wire/text_to_wire.h"

#include <climits>
#include <memory>

#include <fmt/format.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>

namespace tilewise {
namespace {

namespace pb = google::protobuf;

// Deeper nesting is no model: attributes of nodes of functions need about ten.
constexpr int kMaxDepth = 100;

class FirstError : public pb::io::ErrorCollector {
 public:
  void AddError(int line, pb::io::ColumnNumber column, const std::string& message) override {
    if (!text_.empty()) return;
    text_ = fmt::format("line {}, column {}: {}", line + 1, column + 1, message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

absl::StatusOr<std::string> TextToWire(std::string_view text, const pb::Message& schema) {
  if (text.size() > INT_MAX) {
    return InvalidInput(
        fmt::format("found {} bytes of protobuf text, expected at most 2 GiB", text.size()));
  }
  pb::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  const std::unique_ptr<pb::Message> message(schema.New());
  FirstError error;
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.AllowUnknownField(true);
  parser.AllowUnknownExtension(true);
  parser.AllowPartialMessage(true);
  parser.SetRecursionLimit(kMaxDepth);
  const pb::LogSilencer quiet;  // of strings that are not UTF-8
  if (!parser.Parse(&stream, message.get())) {
    return InvalidInput(error.text().empty() ? "found malformed protobuf text, expected "
                                               "\"field: value\" or \"field { ... }\""
                                             : error.text());
  }
  return message->SerializePartialAsString();
}

}  // namespace tilewise
