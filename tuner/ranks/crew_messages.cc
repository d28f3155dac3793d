// nlohmann::json throws; the exceptions end here.

#include "tuner/ranks/crew_messages.h"

#include "base/fields_json.h"

namespace tilewise {
namespace {

using MessageJson = nlohmann::json;

template <class Message>
std::string WriteFields(const Message& message) {
  return FieldsJson(message).dump(-1, ' ', false, MessageJson::error_handler_t::replace);
}

template <class Message>
bool ReadFieldsOf(std::string_view text, Message& message) {
  try {
    message = {};
    ReadFields(MessageJson::parse(text), message);
    return true;
  } catch (const MessageJson::exception&) {
    return false;
  }
}

}  // namespace

std::string WriteMessage(const CrewHello& message) { return WriteFields(message); }
std::string WriteMessage(const CrewOrder& message) { return WriteFields(message); }
std::string WriteMessage(const CrewAnswer& message) { return WriteFields(message); }
bool ReadMessage(std::string_view text, CrewHello& message) { return ReadFieldsOf(text, message); }
bool ReadMessage(std::string_view text, CrewOrder& message) { return ReadFieldsOf(text, message); }
bool ReadMessage(std::string_view text, CrewAnswer& message) { return ReadFieldsOf(text, message); }

}  // namespace tilewise
