// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace hallwright {

/// The parts of one kind. Copies share one list until one of them is changed, so that a catalog with one value replaced
/// costs one list and not all of them. A list that several threads read must not be changed, as any container.
template <class P>
class PartList {
public:
  using value_type = P;
  using iterator = typename std::vector<P>::iterator;
  using const_iterator = typename std::vector<P>::const_iterator;

  PartList() = default;
  PartList(std::initializer_list<P> parts) : list_(std::make_shared<std::vector<P>>(parts)) {}

  [[nodiscard]] std::size_t size() const { return get().size(); }
  [[nodiscard]] bool empty() const { return get().empty(); }
  [[nodiscard]] const_iterator begin() const { return get().begin(); }
  [[nodiscard]] const_iterator end() const { return get().end(); }
  [[nodiscard]] const P& operator[](std::size_t i) const { return get()[i]; }
  [[nodiscard]] const P& front() const { return get().front(); }

  // Each of these first makes the list this one's own.
  [[nodiscard]] iterator begin() { return own().begin(); }
  [[nodiscard]] iterator end() { return own().end(); }
  [[nodiscard]] P& operator[](std::size_t i) { return own()[i]; }
  [[nodiscard]] P& front() { return own().front(); }
  void push_back(P part) { own().push_back(std::move(part)); }
  void insert(const_iterator before, P part) {
    const auto at = before - std::as_const(*this).begin();
    auto& list = own();
    list.insert(list.begin() + at, std::move(part));
  }
  void clear() { list_.reset(); }

  /// Whether both are copies of one list that neither has changed.
  [[nodiscard]] bool shares_with(const PartList& other) const { return list_ == other.list_; }

private:
  [[nodiscard]] const std::vector<P>& get() const {
    static const std::vector<P> none;
    return list_ ? *list_ : none;
  }
  [[nodiscard]] std::vector<P>& own() {
    if (!list_) {
      list_ = std::make_shared<std::vector<P>>();
    } else if (list_.use_count() != 1) {
      list_ = std::make_shared<std::vector<P>>(*list_);
    } else {
      std::atomic_thread_fence(std::memory_order_acquire); // after the last other owner's release
    }
    return *list_;
  }
  std::shared_ptr<std::vector<P>> list_;
};

} // namespace hallwright
