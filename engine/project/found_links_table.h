// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace hallwright {

/// Numbers found by 64-bit keys: open addressing in one block, for hundreds of thousands of ports and identities.
class KeyTable {
public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  explicit KeyTable(std::size_t expected = 0) { grow(expected * 2 + 16); }
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const {
    for (std::size_t at = place(key);; at = (at + 1) & mask_)
      if (slots_[at].value == none)
        return none;
      else if (slots_[at].key == key)
        return slots_[at].value;
  }
  /// The value at a key; `value` is put there when there was none.
  std::uint32_t& at(std::uint64_t key, std::uint32_t value) {
    if ((used_ + 1) * 2 > slots_.size()) grow(slots_.size() * 2);
    std::size_t at = place(key);
    while (slots_[at].value != none && slots_[at].key != key)
      at = (at + 1) & mask_;
    if (slots_[at].value == none) {
      slots_[at] = {key, value};
      ++used_;
    }
    return slots_[at].value;
  }
  [[nodiscard]] std::size_t size() const { return used_; }

  /// Spreads the bits of a key.
  static std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0x9E3779B97F4A7C15ULL;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9ULL;
    return x ^ (x >> 32);
  }
  /// A key of a text. Two texts with one key are told apart by the caller.
  static std::uint64_t key_of(std::string_view text) {
    std::uint64_t h = 0xCBF29CE484222325ULL ^ text.size();
    while (text.size() >= 8) {
      std::uint64_t word = 0;
      __builtin_memcpy(&word, text.data(), 8);
      h = mixed(h ^ word);
      text.remove_prefix(8);
    }
    for (char c : text)
      h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return mixed(h);
  }

private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = none;
  };
  [[nodiscard]] std::size_t place(std::uint64_t key) const { return mixed(key) & mask_; }
  void grow(std::size_t wanted) {
    std::size_t size = 16;
    while (size < wanted)
      size *= 2;
    std::vector<Slot> old(size);
    old.swap(slots_);
    mask_ = size - 1;
    for (const Slot& s : old) {
      if (s.value == none) continue;
      std::size_t at = place(s.key);
      while (slots_[at].value != none)
        at = (at + 1) & mask_;
      slots_[at] = s;
    }
  }
  std::vector<Slot> slots_;
  std::size_t mask_ = 0, used_ = 0;
};

} // namespace hallwright
