// The table of input formats, reading of files within limits, and the merge of
// what several files say.

#include "frontend/load.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#ifdef TILEWISE_CPP
#include "frontend/cpp/read_cpp.h"
#endif
#include "frontend/keras/read_json.h"
#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

constexpr int64_t kMaxBytes = int64_t{256} << 20;

constexpr InputFormat kFormats[] = {
    {"notebook", "Jupyter notebook (.ipynb) of a TensorFlow training program",
     LooksLikeNotebook, ReadNotebook},
    {"keras-json", "Keras model as model.to_json() writes it (Keras 1, 2, 3)",
     LooksLikeKerasJson, ReadKerasJson},
#ifdef TILEWISE_CPP
    {"cpp", "C++ source with TensorFlow C++ ops, for the rules about calls",
     LooksLikeCpp, ReadCpp},
#endif
    {"python", "TensorFlow training script (.py), read without running it",
     LooksLikePython, ReadPython},
};

// Formats that people give and no reader takes: named, so that nobody takes
// them for another format that they resemble.
struct RefusedFormat {
  std::string_view name;
  bool (*sniff)(std::string_view path, std::string_view text);
};

bool LooksLikeGin(std::string_view path, std::string_view text) {
  return path.ends_with(".gin") ||
         text.find("from __gin__ import") != std::string_view::npos;
}

constexpr RefusedFormat kRefused[] = {
    {"a gin configuration (.gin)", LooksLikeGin},
};

std::string FormatNames() {
  std::string names;
  for (const InputFormat& format : kFormats) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  }
  return names;
}

absl::StatusOr<std::string> ReadText(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status =
      std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return absl::NotFoundError(fmt::format("{}: no such file", path));
  }
  if (std::filesystem::is_directory(status)) {
    return InvalidInput(
        fmt::format("{}: found a directory, expected a file", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::PermissionDeniedError(
        fmt::format("{}: cannot be opened for reading", path));
  }
  // Sizes of pipes and devices are not known: count while reading.
  std::string text;
  std::array<char, 1 << 16> block;
  while (file.read(block.data(), block.size()) || file.gcount() > 0) {
    text.append(block.data(), static_cast<size_t>(file.gcount()));
    if (static_cast<int64_t>(text.size()) > kMaxBytes) {
      return InvalidInput(fmt::format(
          "{}: found more than 256 MiB, expected a model or script of at most "
          "256 MiB",
          path));
    }
  }
  if (file.bad()) {
    return absl::DataLossError(fmt::format("{}: reading failed", path));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return InvalidInput(fmt::format(
        "{}: found an empty file, expected one of {}", path, FormatNames()));
  }
  return text;
}

absl::StatusOr<Workload> ReadFile(const std::string& path,
                                  const LoadOptions& options) {
  TW_ASSIGN_OR_RETURN(std::string text, ReadText(path));
  // A byte order mark is no part of any format here.
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  for (const RefusedFormat& format : kRefused) {
    if (!format.sniff(path, text)) continue;
    return InvalidInput(fmt::format("{}: found {}, expected one of {}", path,
                                    format.name, FormatNames()));
  }
  if (text.find('\0') == std::string::npos) {
    for (const InputFormat& format : kFormats) {
      if (format.sniff(path, text)) return format.read(path, text, options);
    }
  }
  return InvalidInput(
      fmt::format("{}: found an unknown format, expected one "
                  "of {}",
                  path, FormatNames()));
}

}  // namespace

std::span<const InputFormat> InputFormats() { return kFormats; }

absl::StatusOr<Workload> LoadFiles(const std::vector<std::string>& paths,
                                   const LoadOptions& options) {
  if (paths.empty()) {
    return InvalidInput("found no input files, expected at least one");
  }
  std::vector<Workload> parts;
  for (const std::string& path : paths) {
    TW_ASSIGN_OR_RETURN(Workload part, ReadFile(path, options));
    parts.push_back(std::move(part));
  }
  return MergeWorkloads(std::move(parts));
}

}  // namespace tilewise
