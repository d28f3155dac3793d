// The plug-in, which alone is linked to Clang.

#include <type_traits>

#include "frontend/cpp/model/linked.h"
#include "frontend/cpp/plugin/cpp_plugin.h"
#include "frontend/cpp/read_cpp.h"
#include "frontend/cpp/translation_unit.h"

extern "C" void tilewise_cpp_read(const tilewise::InputFile& file,
                                  const tilewise::LoadOptions& options,
                                  absl::StatusOr<tilewise::CppReading>& reading) {
  static_assert(std::is_same_v<decltype(tilewise_cpp_read), tilewise::CppPluginRead>);
  absl::StatusOr<tilewise::Workload> workload = tilewise::ReadCpp(file, options);
  if (!workload.ok()) {
    reading = workload.status();
    return;
  }
  reading = tilewise::CppReading{*std::move(workload), {}};
  const auto unit = tilewise::ParseTranslationUnit(file.path, file.bytes, {});
  if (unit.ok()) {
    reading->program = tilewise::cpp::TranslateLinked(
        *unit->tree, file.path, [](const std::string& path, const std::string& text) {
          auto other = tilewise::ParseTranslationUnit(path, text, {});
          return other.ok() ? std::move(other->tree) : nullptr;
        });
  }
}
