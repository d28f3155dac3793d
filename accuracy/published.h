// What comes with the program from validation/: measured sets, their targets
// and the figures of others, and the shapes that names of models stand for.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tilewise {

struct PublishedModel {
  std::string name, spec;
};
std::span<const PublishedModel> PublishedModels();

// A figure that someone else reached on a set; errors as shares.
struct Peer {
  std::string who;
  std::optional<double> mape, median_ape, regret;
  std::string note;
};

// One kind of set: where its files do not say, this holds.
struct SetDefaults {
  std::string name;  // of the set that comes with the program
  std::string kind;  // SetKind::name
  std::string file;  // its table in validation/; empty: none comes along
  std::string chip, host, dtype;
  int64_t cores = 0;
  std::optional<double> target_mape, target_median_ape, target_spearman, target_regret;
  std::string source;
  std::vector<Peer> peers;
};
std::span<const SetDefaults> PublishedSets();

// The text of a file of validation/; empty when there is none.
std::string_view PublishedText(std::string_view file);

}  // namespace tilewise
