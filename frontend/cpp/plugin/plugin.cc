// The plug-in, which alone is linked to Clang.

#include <string>
#include <type_traits>
#include <vector>

#include "frontend/cpp/format_edits.h"
#include "frontend/cpp/plugin/cpp_plugin.h"
#include "frontend/cpp/read_cpp.h"

extern "C" void tilewise_cpp_read(const std::string& path, const std::string& text,
                                  const tilewise::LoadOptions& options,
                                  absl::StatusOr<tilewise::CppReading>& reading) {
  static_assert(std::is_same_v<decltype(tilewise_cpp_read), tilewise::CppPluginRead>);
  tilewise::CppReading made;
  absl::StatusOr<tilewise::Workload> workload =
      tilewise::ReadCpp(path, text, options, &made.program);
  if (!workload.ok()) {
    reading = workload.status();
    return;
  }
  made.workload = *std::move(workload);
  reading = std::move(made);
}

extern "C" void tilewise_cpp_format(const std::string& path, const std::string& text,
                                    std::vector<tilewise::TextEdit>& edits) {
  static_assert(std::is_same_v<decltype(tilewise_cpp_format), tilewise::CppPluginFormat>);
  tilewise::FormatEdits(path, text, edits);
}
