// The tables are part of the program: what they hold was checked by its tests,
// and a mistake in them is a bug.

#include "accuracy/published.h"

#include "accuracy/csv.h"
#include "base/check.h"
#include "hardware/embedded_data.h"

namespace tilewise {

std::span<const EmbeddedFile> ValidationFiles();  // generated

namespace {

Csv Table(std::string_view file) {
  absl::StatusOr<Csv> csv = Csv::Parse(std::string(file), PublishedText(file));
  TW_CHECK(csv.ok());
  return *std::move(csv);
}

// Percents in the tables are shares here.
std::optional<double> Share(const Csv& csv, size_t row, const char* column) {
  const std::string& cell = csv.Cell(row, column);
  if (cell.empty()) return std::nullopt;
  const std::optional<double> value = ParseNumber(cell);
  TW_CHECK(value.has_value());
  return *value / 100;
}

std::vector<PublishedModel> ReadModels() {
  const Csv csv = Table("models.csv");
  std::vector<PublishedModel> models;
  for (size_t row = 0; row < csv.rows(); ++row) {
    models.push_back({csv.Cell(row, "name"), csv.Cell(row, "spec")});
  }
  return models;
}

std::vector<Peer> PeersOf(const Csv& csv, const std::string& set) {
  std::vector<Peer> peers;
  for (size_t row = 0; row < csv.rows(); ++row) {
    if (csv.Cell(row, "set") != set) continue;
    peers.push_back({csv.Cell(row, "who"), Share(csv, row, "mape_percent"),
                     Share(csv, row, "median_percent"), Share(csv, row, "regret_percent"),
                     csv.Cell(row, "note")});
  }
  return peers;
}

std::vector<SetDefaults> ReadSets() {
  const Csv csv = Table("sets.csv");
  const Csv peers = Table("peers.csv");
  std::vector<SetDefaults> sets;
  for (size_t row = 0; row < csv.rows(); ++row) {
    SetDefaults set;
    set.name = csv.Cell(row, "name");
    set.kind = csv.Cell(row, "kind");
    set.file = csv.Cell(row, "file");
    set.chip = csv.Cell(row, "chip");
    set.host = csv.Cell(row, "host");
    set.dtype = csv.Cell(row, "dtype");
    if (!csv.Cell(row, "cores").empty()) {
      const absl::StatusOr<int64_t> cores = csv.Integer(row, "cores", 1);
      TW_CHECK(cores.ok());
      set.cores = *cores;
    }
    set.target_mape = Share(csv, row, "target_mape_percent");
    set.target_median_ape = Share(csv, row, "target_median_percent");
    set.target_regret = Share(csv, row, "target_regret_percent");
    set.target_spearman = ParseNumber(csv.Cell(row, "target_spearman"));
    set.source = csv.Cell(row, "source");
    set.peers = PeersOf(peers, set.name);
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace

std::span<const PublishedModel> PublishedModels() {
  static const std::vector<PublishedModel> models = ReadModels();
  return models;
}

std::span<const SetDefaults> PublishedSets() {
  static const std::vector<SetDefaults> sets = ReadSets();
  return sets;
}

std::string_view PublishedText(std::string_view file) {
  for (const EmbeddedFile& known : ValidationFiles()) {
    if (known.name == file) return known.text;
  }
  return "";
}

}  // namespace tilewise
