#pragma once
#include <cstdint>
#include <type_traits>

#include "base/bf16.hpp"
#include "base/host_device.hpp"
#include "mskb/oracle.hpp"
#include "truth/module.hpp"

namespace mskb::truth {

// One input buffer as the oracle sees it: its pristine contents, element by element, as doubles.
class Reader {
 public:
  MSKB_FN Reader(const View& view, std::uint32_t argument)
      : data_(view.contents[argument]), type_(view.spec.arguments[argument].type), rounding_(view.rounding) {}

  MSKB_FN double operator[](std::int64_t i) const {
    switch (type_) {
      case ElementType::bf16: return static_cast<double>(float_from_bf16(static_cast<const std::uint16_t*>(data_)[i]));
      case ElementType::i32: return static_cast<double>(static_cast<const std::int32_t*>(data_)[i]);
      default: return static_cast<double>(rounded(static_cast<const float*>(data_)[i]));
    }
  }

 private:
  MSKB_FN float rounded(float value) const {
    if (rounding_ == InputRounding::bf16) {
      return float_from_bf16(bf16_from_float(value));
    }
    return rounding_ == InputRounding::tf32 ? tf32_from_float(value) : value;
  }

  const void* data_;
  ElementType type_;
  InputRounding rounding_;
};

// Position of Item in a list of types; the list's length when it is not there.
template <class Item, class... Items>
struct Position;
template <class Item>
struct Position<Item> : std::integral_constant<int, 0> {};
template <class Item, class First, class... Rest>
struct Position<Item, First, Rest...>
    : std::integral_constant<int, std::is_same_v<Item, First> ? 0 : 1 + Position<Item, Rest...>::value> {};

// What the oracle calls `s`: s(stage{}, i) is element i of a stage.
template <class List>
class StageReader;

template <class... Items>
class StageReader<List<Items...>> {
 public:
  static constexpr int count = static_cast<int>(sizeof...(Items));

  // Host only: asks every stage for its size.
  template <class Case>
  StageReader(const Case& x, const double* data) : data_(data) {
    const std::int64_t sizes[] = {static_cast<std::int64_t>(Items::size(x))..., 0};
    begin_[0] = 0;
    for (int k = 0; k < count; ++k) {
      begin_[k + 1] = begin_[k] + sizes[k];
    }
  }

  template <class Item>
  MSKB_FN double operator()(Item, std::int64_t i) const {
    static_assert(Position<Item, Items...>::value < count, "this stage is not in the oracle's list of stages");
    return data_[begin_[Position<Item, Items...>::value] + i];
  }

  // Of the stage at that position.
  std::int64_t begin(int stage) const { return begin_[stage]; }
  std::int64_t size(int stage) const { return begin_[stage + 1] - begin_[stage]; }
  std::int64_t total() const { return begin_[count]; }

 private:
  const double* data_;
  std::int64_t begin_[count + 1];
};

}  // namespace mskb::truth
