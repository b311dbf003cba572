// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/json_node.h"

#include <iterator>

#include <nlohmann/json.hpp>

namespace hallwright {
namespace {

/// Walks over the text and counts the lines behind it, for the parser's events have no places.
class CountingIterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  CountingIterator(const char* at, int* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (*at_++ == '\n') ++*line_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.at_ != b.at_; }

private:
  const char* at_;
  int* line_;
};

constexpr std::size_t deepest = 16; // a design is three deep

class NodeMaker : public nlohmann::json_sax<nlohmann::json> {
public:
  explicit NodeMaker(const int* line) : line_(line) {}
  JsonNode root;
  JsonFault fault;

  bool null() override { return add({.kind = JsonNode::Kind::null}); }
  bool boolean(bool value) override { return add({.kind = JsonNode::Kind::boolean, .yes = value}); }
  bool number_integer(number_integer_t value) override {
    return add({.kind = JsonNode::Kind::integer, .integer = value, .number = static_cast<double>(value), .text = std::to_string(value)});
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
      return number_integer(static_cast<number_integer_t>(value));
    return add({.kind = JsonNode::Kind::number, .number = static_cast<double>(value), .text = std::to_string(value)});
  }
  bool number_float(number_float_t value, const string_t& text) override {
    return add({.kind = JsonNode::Kind::number, .number = value, .text = text});
  }
  bool string(string_t& value) override { return add({.kind = JsonNode::Kind::text, .text = std::move(value)}); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(JsonNode::Kind::object); }
  bool start_array(std::size_t) override { return open(JsonNode::Kind::array); }
  bool end_object() override { return shut(); }
  bool end_array() override { return shut(); }
  bool key(string_t& value) override {
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& problem) override {
    std::string what = problem.what();
    if (const auto colon = what.find("- "); colon != std::string::npos) what.erase(0, colon + 2);
    fault = {*line_, "it is not whole JSON: " + what};
    return false;
  }

private:
  bool add(JsonNode node) {
    node.line = *line_;
    place(std::move(node));
    return true;
  }
  bool open(JsonNode::Kind kind) {
    if (open_.size() >= deepest) {
      fault = {*line_, "brackets are nested deeper than " + std::to_string(deepest)};
      return false;
    }
    JsonNode node{.kind = kind};
    node.line = *line_;
    open_.push_back({std::move(key_), std::move(node)});
    key_.clear();
    return true;
  }
  bool shut() {
    auto [key, node] = std::move(open_.back());
    open_.pop_back();
    key_ = std::move(key);
    place(std::move(node));
    return true;
  }
  void place(JsonNode node) {
    if (open_.empty()) root = std::move(node);
    else if (open_.back().second.kind == JsonNode::Kind::array) open_.back().second.items.push_back(std::move(node));
    else open_.back().second.members.emplace_back(std::move(key_), std::move(node));
    key_.clear();
  }
  const int* line_;
  std::string key_;
  std::vector<std::pair<std::string, JsonNode>> open_; ///< with the key under which each will stand
};

} // namespace

tl::expected<JsonNode, JsonFault> parse_json(std::string_view text) {
  int line = 1;
  NodeMaker maker(&line);
  const bool whole = nlohmann::json::sax_parse(CountingIterator(text.data(), &line), CountingIterator(text.data() + text.size(), &line), &maker);
  if (!whole) return tl::make_unexpected(maker.fault.what.empty() ? JsonFault{line, "it is not whole JSON"} : maker.fault);
  return std::move(maker.root);
}

std::string json_quoted(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') (out += '\\') += c;
    else if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (byte < 0x20) ((out += "\\u00") += digits[byte >> 4U]) += digits[byte & 15U];
    else out += c;
  }
  return out + '"';
}

} // namespace hallwright
