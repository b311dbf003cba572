// SPDX-License-Identifier: GPL-3.0-or-later
// topology.dot of the Prescriptive Topology Manager: "sw1":"swp1" -- "sw2":"swp41" [attributes].
#include "project/found_links_maker.h"

namespace hallwright::found {
namespace {

/// Words, texts in quotes and signs of a dot file; comments are left out.
class Tokens {
public:
  explicit Tokens(std::string_view text) : text_(text) {}
  std::uint32_t line = 1;
  std::string_view token;
  bool in_quotes = false;

  /// False at the end. An error says what is not closed.
  tl::expected<bool, Fault> next() {
    for (;;) {
      while (at_ < text_.size() &&
             (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n'))
        step();
      if (at_ >= text_.size()) return false;
      if (text_[at_] == '#' || text_.substr(at_, 2) == "//") {
        while (at_ < text_.size() && text_[at_] != '\n')
          ++at_;
      } else if (text_.substr(at_, 2) == "/*") {
        const std::uint32_t began = line;
        const auto end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return fault(began, "a comment is not closed");
        while (at_ < end + 2)
          step();
      } else {
        break;
      }
    }
    const std::size_t begin = at_;
    in_quotes = text_[at_] == '"';
    if (in_quotes) {
      const std::uint32_t began = line;
      for (++at_; at_ < text_.size() && text_[at_] != '"'; step())
        if (text_[at_] == '\\' && at_ + 1 < text_.size())
          step();
        else if (text_[at_] == '\n')
          return fault(began, "a text in quotes is not closed on its line");
      if (at_ >= text_.size()) return fault(began, "the file ends within a text in quotes");
      token = text_.substr(begin + 1, at_ - begin - 1);
      ++at_;
      return true;
    }
    const auto word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.' || c == '/' ||
             static_cast<unsigned char>(c) >= 128;
    };
    if (text_.substr(at_, 2) == "--" || text_.substr(at_, 2) == "->") {
      at_ += 2;
    } else if (word(text_[at_])) {
      // A dash may stand within a name, two end it.
      while (at_ < text_.size() &&
             (word(text_[at_]) || (text_[at_] == '-' && at_ + 1 < text_.size() && word(text_[at_ + 1]))))
        ++at_;
    } else {
      ++at_;
    }
    token = text_.substr(begin, at_ - begin);
    return true;
  }
  [[nodiscard]] bool is(std::string_view sign) const { return !in_quotes && token == sign; }

private:
  void step() {
    if (text_[at_] == '\n') ++line;
    ++at_;
  }
  std::string_view text_;
  std::size_t at_ = 0;
};

constexpr const char* form = "allowed is: \"switch\":\"port\" -- \"switch\":\"port\" [attributes]";

} // namespace

Read read_ptm_dot(std::string_view text, std::string_view, Maker& maker) {
  Tokens t(text);
  const auto step = [&]() { return t.next(); };
  tl::expected<bool, Fault> more = step();
  const auto ended = [&](std::string_view where) {
    return fault(t.line, fmt::format("the file ends {}; {}", where, form));
  };
  if (!more) return tl::make_unexpected(more.error());
  bool braces = false, open = false;
  while (*more && (t.is("graph") || t.is("strict") || t.is("digraph"))) {
    braces = true;
    if (more = step(); !more) return tl::make_unexpected(more.error());
  }
  if (braces) {
    if (*more && !t.is("{")) { // the name of the graph
      if (more = step(); !more) return tl::make_unexpected(more.error());
    }
    if (!*more) return ended("before the graph begins");
    if (!t.is("{")) return fault(t.line, fmt::format("{} where {{ should begin the graph", found::quoted(t.token)));
    open = true;
    if (more = step(); !more) return tl::make_unexpected(more.error());
  }
  struct End {
    std::string device, port;
  };
  std::size_t links = 0;
  while (*more) {
    if (t.is(";") || t.is(",")) {
      if (more = step(); !more) return tl::make_unexpected(more.error());
      continue;
    }
    if (t.is("}")) {
      if (!open) return fault(t.line, "} without {");
      open = false;
      if (more = step(); !more) return tl::make_unexpected(more.error());
      continue;
    }
    if (!t.in_quotes &&
        (t.token.size() == 1 && !is_digit(t.token[0]) && !((t.token[0] | 32) >= 'a' && (t.token[0] | 32) <= 'z')))
      return fault(t.line, fmt::format("{} where a statement should begin; {}", found::quoted(t.token), form));
    // An end, or the name of a template or attribute.
    std::vector<End> chain;
    const std::uint32_t line = t.line;
    for (;;) {
      End e{std::string(t.token), {}};
      if (more = step(); !more) return tl::make_unexpected(more.error());
      if (*more && t.is(":")) {
        if (more = step(); !more) return tl::make_unexpected(more.error());
        if (!*more) return ended("where a port should stand");
        e.port = t.token;
        if (more = step(); !more) return tl::make_unexpected(more.error());
      }
      chain.push_back(std::move(e));
      if (!*more || (!t.is("--") && !t.is("->"))) break;
      if (more = step(); !more) return tl::make_unexpected(more.error());
      if (!*more) return ended("after --");
    }
    if (*more && t.is("=") && chain.size() == 1 && chain[0].port.empty()) { // a template: NAME="k=v"
      if (more = step(); !more) return tl::make_unexpected(more.error());
      if (!*more) return ended("after =");
      if (more = step(); !more) return tl::make_unexpected(more.error());
      continue;
    }
    std::string attributes;
    if (*more && t.is("[")) {
      const std::uint32_t began = t.line;
      do {
        if (more = step(); !more) return tl::make_unexpected(more.error());
        if (!*more) return fault(began, "[ is not closed");
        if (t.is("=") && !attributes.empty())
          attributes.back() = '='; // "role=leaf "
        else
          attributes += std::string(t.token) + " ";
      } while (!t.is("]"));
      if (more = step(); !more) return tl::make_unexpected(more.error());
    }
    if (chain.size() == 1) {
      if (!chain[0].port.empty())
        return fault(line, fmt::format("{}:{} has no other end; {}", found::quoted(chain[0].device),
                                       found::quoted(chain[0].port), form));
      if (const auto role = attributes.find("role="); role != std::string::npos) {
        const std::uint32_t d = maker.by_name(chain[0].device, line);
        const std::string_view r = std::string_view(attributes).substr(role + 5);
        maker.device(d).kind =
            r.starts_with("host") || r.starts_with("server") ? FoundKind::host : FoundKind::network_switch;
      }
      continue;
    }
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
      if (chain[i].device.empty() || chain[i + 1].device.empty())
        return fault(line, fmt::format("an end without a name; {}", form));
      if (chain[i].port.empty() || chain[i + 1].port.empty())
        return fault(line, fmt::format("{} -- {} names no ports; {}", found::quoted(chain[i].device),
                                       found::quoted(chain[i + 1].device), form));
      FoundLink l;
      l.line = line;
      l.near = maker.by_name(chain[i].device, line);
      l.far = maker.by_name(chain[i + 1].device, line);
      l.near_port = maker.port(chain[i].port);
      l.far_port = maker.port(chain[i + 1].port);
      maker.add(l);
      ++links;
    }
  }
  if (open) return fault(t.line, "the file ends before the graph's }");
  if (links == 0) return fault(t.line, fmt::format("no link in the whole file; {}", form));
  return {};
}

} // namespace hallwright::found
