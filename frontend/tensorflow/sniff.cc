// Binary forms are told by the first fields and what is in them: the name and
// op of a first node look like names, which those of other formats that begin
// with the same tags do not. Text forms are told by their first field.

#include "frontend/tensorflow/sniff.h"

#include <algorithm>
#include <cctype>

#include <protozero/pbf_reader.hpp>

#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/tensorflow/wire.h"

namespace tilewise::tf {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

constexpr int kMaxFields = 64;
constexpr size_t kMaxName = 4096;
constexpr size_t kTextPrefix = 1 << 16;

bool IsNodeName(std::string_view name) {
  if (name.empty() || name.size() > kMaxName) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7f;
  });
}

// "Conv2D", "_Arg", "__inference_call_12", "Project>CustomOp".
bool IsOpName(std::string_view name) {
  if (name.empty() || name.size() > kMaxName) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '>' || c == '/' ||
           c == '-' || c == '.';
  });
}

bool IsMapEntry(std::string_view bytes) {
  pbf_reader entry = Reader(bytes);
  return entry.next() && entry.tag() == 1 && entry.wire_type() == pbf_wire_type::length_delimited;
}

bool IsNode(std::string_view bytes) {
  bool name = false;
  bool op = false;
  pbf_reader reader = Reader(bytes);
  for (int i = 0; i < kMaxFields && reader.next(); ++i) {
    if (reader.wire_type() != pbf_wire_type::length_delimited) return false;
    const uint32_t tag = reader.tag();  // reading its value ends it
    const std::string_view value = View(reader.get_view());
    switch (tag) {
      case tensorflow::NodeDef::kNameFieldNumber:
        name = IsNodeName(value);
        if (!name) return false;
        break;
      case tensorflow::NodeDef::kOpFieldNumber:
        op = IsOpName(value);
        if (!op) return false;
        break;
      case tensorflow::NodeDef::kInputFieldNumber:
        if (!IsNodeName(value)) return false;
        break;
      case tensorflow::NodeDef::kDeviceFieldNumber:
        if (!value.empty() && !IsNodeName(value)) return false;
        break;
      case tensorflow::NodeDef::kAttrFieldNumber:
        if (!IsMapEntry(value)) return false;
        break;
      case 6:  // experimental_debug_info, experimental_type
      case 7:
        break;
      default:
        return false;
    }
  }
  return name && op;
}

// A FunctionDef has a signature with a name and then nodes or results.
bool IsFunction(std::string_view bytes) {
  pbf_reader reader = Reader(bytes);
  if (!reader.next(tensorflow::FunctionDef::kSignatureFieldNumber,
                   pbf_wire_type::length_delimited)) {
    return false;
  }
  pbf_reader signature = Reader(View(reader.get_view()));
  if (!signature.next(tensorflow::OpDef::kNameFieldNumber, pbf_wire_type::length_delimited) ||
      !IsOpName(View(signature.get_view()))) {
    return false;
  }
  while (reader.next()) {
    if (reader.wire_type() != pbf_wire_type::length_delimited) return false;
    const uint32_t tag = reader.tag();
    const std::string_view value = View(reader.get_view());
    if (tag == tensorflow::FunctionDef::kNodeDefFieldNumber) {
      return IsNode(value);
    }
    if (tag == tensorflow::FunctionDef::kRetFieldNumber) {
      return IsMapEntry(value);
    }
  }
  return true;
}

bool IsLibrary(std::string_view bytes) {
  pbf_reader reader = Reader(bytes);
  if (!reader.next() || reader.wire_type() != pbf_wire_type::length_delimited) {
    return false;
  }
  return reader.tag() == tensorflow::FunctionDefLibrary::kFunctionFieldNumber &&
         IsFunction(View(reader.get_view()));
}

bool IsGraph(std::string_view bytes) {
  pbf_reader reader = Reader(bytes);
  for (int i = 0; i < kMaxFields && reader.next(); ++i) {
    if (reader.wire_type() != pbf_wire_type::length_delimited) {
      if (reader.tag() != 3) return false;  // the version of old files
      reader.skip();
      continue;
    }
    const uint32_t tag = reader.tag();  // reading its value ends it
    const std::string_view value = View(reader.get_view());
    switch (tag) {
      case tensorflow::GraphDef::kNodeFieldNumber:
        return IsNode(value);
      case tensorflow::GraphDef::kLibraryFieldNumber:
        if (!value.empty()) return IsLibrary(value);
        break;
      case tensorflow::GraphDef::kVersionsFieldNumber:
      case 5:  // debug_info
        break;
      default:
        return false;
    }
  }
  return false;
}

bool IsMetaGraph(std::string_view bytes) {
  pbf_reader reader = Reader(bytes);
  for (int i = 0; i < kMaxFields && reader.next(); ++i) {
    if (reader.tag() > 7 || reader.wire_type() != pbf_wire_type::length_delimited) {
      return false;
    }
    const uint32_t tag = reader.tag();
    const std::string_view value = View(reader.get_view());
    if (tag == tensorflow::MetaGraphDef::kGraphDefFieldNumber) {
      return IsGraph(value);
    }
  }
  return false;
}

bool IsSavedModel(std::string_view bytes) {
  pbf_reader reader = Reader(bytes);
  for (int i = 0; i < 4 && reader.next(); ++i) {
    if (reader.tag() == 1 && reader.wire_type() == pbf_wire_type::varint) {
      reader.skip();
      continue;
    }
    return reader.tag() == tensorflow::SavedModel::kMetaGraphsFieldNumber &&
           reader.wire_type() == pbf_wire_type::length_delimited &&
           IsMetaGraph(View(reader.get_view()));
  }
  return false;
}

// Each test alone: bytes that are malformed for one may be another's.
template <typename Test>
bool Holds(Test test, std::string_view bytes) {
  try {
    return test(bytes);
  } catch (const protozero::exception&) {
    return false;
  }
}

// The first field's name in protobuf text, after comments; what follows it
// stays in `text`.
std::string_view FirstField(std::string_view& text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(3);
  while (!text.empty()) {
    if (std::isspace(static_cast<unsigned char>(text.front())) != 0) {
      text.remove_prefix(1);
    } else if (text.front() == '#') {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else {
      break;
    }
  }
  size_t end = 0;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
    ++end;
  }
  const std::string_view name = text.substr(0, end);
  text.remove_prefix(end);
  return name;
}

bool OpensMessage(std::string_view& text) {
  while (!text.empty() &&
         (std::isspace(static_cast<unsigned char>(text.front())) != 0 || text.front() == ':')) {
    text.remove_prefix(1);
  }
  const bool opens = !text.empty() && (text.front() == '{' || text.front() == '<');
  if (opens) text.remove_prefix(1);
  return opens;
}

FileKind SniffText(std::string_view text) {
  const std::string_view field = FirstField(text);
  if (field == "saved_model_schema_version") return FileKind::kSavedModel;
  if (!OpensMessage(text)) return FileKind::kNone;
  const std::string_view prefix = text.substr(0, kTextPrefix);
  const auto says = [&](std::string_view part) {
    return prefix.find(part) != std::string_view::npos;
  };
  if (field == "meta_graphs") return FileKind::kSavedModel;
  if (field == "meta_info_def" || field == "graph_def") {
    return FileKind::kMetaGraph;
  }
  if (field == "node" && says("op:")) return FileKind::kGraphDef;
  if (field == "library" && says("function")) return FileKind::kGraphDef;
  if (field == "versions" && (says("node") || says("library"))) {
    return FileKind::kGraphDef;
  }
  if (field == "function" && says("signature")) {
    return FileKind::kFunctionLibrary;
  }
  return FileKind::kNone;
}

}  // namespace

FileForm Sniff(std::string_view bytes) {
  if (bytes.empty()) return {};
  if (Holds(IsSavedModel, bytes)) return {FileKind::kSavedModel, false};
  if (Holds(IsGraph, bytes)) return {FileKind::kGraphDef, false};
  if (Holds(IsMetaGraph, bytes)) return {FileKind::kMetaGraph, false};
  if (Holds(IsLibrary, bytes)) return {FileKind::kFunctionLibrary, false};
  return {SniffText(bytes), true};
}

bool LooksLikeJsGraph(std::string_view bytes) {
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || bytes[first] != '{') return false;
  constexpr size_t kPrefix = 1 << 20;
  const std::string_view prefix = bytes.substr(0, kPrefix);
  const size_t topology = bytes.find("\"modelTopology\"");
  if (topology == std::string_view::npos) return false;
  if (prefix.find("\"graph-model\"") != std::string_view::npos) return true;
  const std::string_view after = bytes.substr(topology, kPrefix);
  return after.find("\"node\"") != std::string_view::npos &&
         after.find("\"op\"") != std::string_view::npos &&
         after.find("\"class_name\"") == std::string_view::npos;
}

}  // namespace tilewise::tf
