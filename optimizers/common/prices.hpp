#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "common/chat.hpp"

namespace mskb::agents {

// US dollars per million tokens.
struct Price {
  double input = 0, output = 0;
  std::optional<double> cached;  // input tokens read from a cache; absent: as other input

  // Absent unless every figure that is needed is known.
  std::optional<double> cost(const Usage& usage) const;
  double most(double input_tokens, double output_tokens) const;
};

// Prices by the server's host and the model's name: the same name costs differently, or nothing, elsewhere.
class Prices {
 public:
  Prices() = default;
  explicit Prices(const std::filesystem::path& path);  // throws InputError with file and line

  // Of the model itself, or of the name without its date (-2025-04-16, -20250929); null: unknown.
  const Price* find(const std::string& host, const std::string& model) const;

 private:
  std::map<std::string, std::map<std::string, Price>> hosts_;
};

}  // namespace mskb::agents
