// What is remembered of memory accesses: up to four for each word of four bytes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace mskb::simt::races {

enum class Kind : std::uint8_t { none, read, write, atomic, volatile_read, volatile_write };

struct Access {
  const void* pc = nullptr;
  std::uint32_t block = 0;  // number of the block in its grid
  std::uint32_t phase = 0;  // barriers that the block had passed
  std::uint32_t clock = 0;  // of the thread: how many warp operations and releases it had done
  std::uint16_t thread = 0;
  std::uint8_t mask = 0;  // bytes of the word
  Kind kind = Kind::none;
};

using Word = std::array<Access, 4>;

class Shadow {
 public:
  // Forgets everything.
  void begin_launch() { ++launch_; }
  Word& word(std::uintptr_t address) {
    const std::uintptr_t number = address / page_bytes;
    if (number != last_number_) {
      last_ = &pages_[number];
      last_number_ = number;
    }
    if (!*last_) *last_ = std::make_unique<Page>();
    Page& page = **last_;
    if (page.launch != launch_) {
      page.words = {};
      page.launch = launch_;
    }
    return page.words[address % page_bytes / 4];
  }

 private:
  static constexpr std::uintptr_t page_bytes = 1024;
  struct Page {
    std::uint64_t launch = 0;
    std::array<Word, page_bytes / 4> words{};
  };
  std::uint64_t launch_ = 1;
  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::uintptr_t last_number_ = ~std::uintptr_t{0};
  std::unique_ptr<Page>* last_ = nullptr;
};

// Puts `access` into the word. A write takes the place of what it overwrites; a read that of an equal one, of nothing, or of another read.
void remember(Word& word, const Access& access);

}  // namespace mskb::simt::races
