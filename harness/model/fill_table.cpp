#include "model/fill_table.hpp"

namespace mskb {

const FillInfo* find_fill(std::string_view name) {
  for (const FillInfo& fill : fills) {
    if (fill.name == name) {
      return &fill;
    }
  }
  return nullptr;
}

}  // namespace mskb
