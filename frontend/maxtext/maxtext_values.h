// What a run of MaxText is configured with: base.yml, the file of the model, the command line.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "frontend/config/setting.h"
#include "frontend/input_file.h"

namespace tilewise {

// Later files win. A value that none of them has is MaxText's own, which the caller names.
class MaxTextValues {
 public:
  // `arguments`: "model_name=llama2-7b", as MaxText's command line has them; others are passed
  // over. Errors: malformed YAML.
  static absl::StatusOr<MaxTextValues> Read(const InputFile& file,
                                            const std::vector<std::string>& arguments);

  // The last one counts where a file has a key twice.
  const Setting* Find(std::string_view key) const;
  int64_t Integer(std::string_view key, int64_t otherwise) const;
  double Number(std::string_view key, double otherwise) const;
  bool Flag(std::string_view key, bool otherwise) const;
  std::string Text(std::string_view key, std::string_view otherwise) const;

  const Location& start() const { return start_; }  // of the file that was given
  // Files that were read or looked for besides that one.
  const std::vector<std::string>& consulted() const { return consulted_; }
  // The file of the model that base.yml or the command line names; empty: there is none.
  const std::string& missing_model() const { return missing_model_; }
  // The base_config that was not found; empty: there is none.
  const std::string& missing_base() const { return missing_base_; }

 private:
  // The settings of the first of these files that is there, as a layer over the others.
  absl::StatusOr<bool> Add(const std::vector<std::string>& paths);

  std::vector<Setting> layers_;  // each over those before it
  std::vector<std::string> consulted_;
  std::string missing_model_, missing_base_;
  Location start_;
};

}  // namespace tilewise
