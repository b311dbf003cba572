// SPDX-License-Identifier: GPL-3.0-or-later
// Neighbours as JSON: lldpd (-f json with objects or lists, -f json0), EOS, and the topology graph of NetQ.
#include <cstring>

#include "project/found_links_maker.h"

namespace hallwright::found {
namespace {

constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();
constexpr int deepest = 64;

struct Node {
  enum Kind : std::uint8_t { scalar, array, object } kind = scalar;
  std::uint32_t line = 0, first = nothing, next = nothing;
  std::string_view key, text; ///< text between quotes as written; escapes are still in it
};

/// A JSON text as nodes in one vector that point into it.
class Tree {
public:
  std::vector<Node> nodes;
  Read parse(std::string_view text) {
    at_ = text.data();
    end_ = at_ + text.size();
    nodes.reserve(text.size() / 24 + 16);
    std::uint32_t root = 0;
    if (auto r = value({}, 0, root); !r) return r;
    skip();
    if (at_ != end_) return bad("more text after the end of the JSON");
    return {};
  }
  [[nodiscard]] std::uint32_t member(std::uint32_t node, std::string_view key) const {
    if (node == nothing || nodes[node].kind != Node::object) return nothing;
    for (std::uint32_t m = nodes[node].first; m != nothing; m = nodes[m].next)
      if (nodes[m].key == key) return m;
    return nothing;
  }
  /// The text of a scalar, of {"value": text}, or of the first of a list of those.
  [[nodiscard]] std::string_view scalar(std::uint32_t node) const {
    for (int deep = 0; node != nothing && deep < 4; ++deep) {
      const Node& n = nodes[node];
      if (n.kind == Node::scalar) return n.text;
      node = n.kind == Node::array ? n.first : member(node, "value");
    }
    return {};
  }
  /// The node itself, or the first of a list.
  [[nodiscard]] std::uint32_t one(std::uint32_t node) const {
    return node != nothing && nodes[node].kind == Node::array ? nodes[node].first : node;
  }

private:
  tl::unexpected<Fault> bad(std::string what) const { return fault(line_, std::move(what)); }
  void skip() {
    for (; at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r'); ++at_)
      if (*at_ == '\n') ++line_;
  }
  Read text_between_quotes(std::string_view& out) {
    const char* begin = ++at_;
    for (; at_ != end_ && *at_ != '"'; ++at_) {
      if (*at_ == '\\' && at_ + 1 != end_)
        ++at_;
      else if (*at_ == '\n')
        return bad("a text in quotes is not closed on its line");
    }
    if (at_ == end_) return bad("the file ends within a text in quotes");
    out = std::string_view(begin, static_cast<std::size_t>(at_ - begin));
    ++at_;
    return {};
  }
  Read value(std::string_view key, int depth, std::uint32_t& made) {
    skip();
    if (at_ == end_) return bad("the file ends where a value should stand");
    if (depth > deepest) return bad(fmt::format("nested deeper than {} levels", deepest));
    made = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({});
    nodes[made].key = key;
    nodes[made].line = line_;
    const char c = *at_;
    if (c == '"') {
      std::string_view text;
      if (auto r = text_between_quotes(text); !r) return r;
      nodes[made].text = text;
      return {};
    }
    if (c == '{' || c == '[') {
      const char close = c == '{' ? '}' : ']';
      nodes[made].kind = c == '{' ? Node::object : Node::array;
      ++at_;
      std::uint32_t last = nothing;
      skip();
      if (at_ != end_ && *at_ == close) {
        ++at_;
        return {};
      }
      for (;;) {
        std::string_view name;
        skip();
        if (c == '{') {
          if (at_ == end_) return bad("the file ends within an object");
          if (*at_ != '"') return bad(fmt::format("{} where a name in quotes should stand", quoted({at_, 1})));
          if (auto r = text_between_quotes(name); !r) return r;
          skip();
          if (at_ == end_ || *at_ != ':') return bad(fmt::format("no colon after {}", quoted(name)));
          ++at_;
        }
        std::uint32_t child = 0;
        if (auto r = value(name, depth + 1, child); !r) return r;
        (last == nothing ? nodes[made].first : nodes[last].next) = child;
        last = child;
        skip();
        if (at_ == end_) return bad(c == '{' ? "the file ends within an object" : "the file ends within a list");
        if (*at_ == close) {
          ++at_;
          return {};
        }
        if (*at_ != ',') return bad(fmt::format("{} where a comma or {} should stand", quoted({at_, 1}), close));
        ++at_;
      }
    }
    const char* begin = at_;
    while (at_ != end_ && ((*at_ >= '0' && *at_ <= '9') || (*at_ >= 'a' && *at_ <= 'z') || *at_ == '-' || *at_ == '+' ||
                           *at_ == '.' || *at_ == 'E'))
      ++at_;
    const std::string_view word(begin, static_cast<std::size_t>(at_ - begin));
    if (word.empty() ||
        (!is_digit(word.front()) && word.front() != '-' && word != "true" && word != "false" && word != "null"))
      return bad(fmt::format("{} is no JSON value",
                             quoted({begin, std::min<std::size_t>(20, static_cast<std::size_t>(end_ - begin))})));
    nodes[made].text = word == "null" ? std::string_view() : word;
    return {};
  }
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::uint32_t line_ = 1;
};

/// Text of JSON with its escapes undone.
std::string plain(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    if (c == 'u' && i + 4 < text.size()) {
      std::uint64_t code = 0;
      if (!hex_number(text.substr(i + 1, 4), code)) code = 0xFFFD;
      i += 4;
      if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
      if (code < 0x80)
        out += static_cast<char>(code < 32 ? ' ' : code);
      else if (code < 0x800)
        out += {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 63))};
      else
        out += {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 63)),
                static_cast<char>(0x80 | (code & 63))};
    } else {
      out += c == 'n' || c == 't' || c == 'r' || c == 'b' || c == 'f' ? ' ' : c;
    }
  }
  return out;
}

class Neighbours {
public:
  Neighbours(const Tree& tree, std::string_view local, Maker& maker) : tree_(tree), local_name_(local), maker_(maker) {}
  std::size_t count = 0;

  /// lldp.interface in its shapes: by port, list of those, or a list of {"name": port, ...} (json0).
  Read interfaces(std::uint32_t node) {
    const Node& n = tree_.nodes[node];
    if (n.kind == Node::array) {
      for (std::uint32_t m = n.first; m != nothing; m = tree_.nodes[m].next)
        if (auto r = interfaces(m); !r) return r;
      return {};
    }
    if (n.kind != Node::object) return fault(n.line, "\"interface\" holds no object");
    if (tree_.member(node, "chassis") != nothing ||
        (tree_.member(node, "port") != nothing && tree_.member(node, "name") != nothing)) {
      const std::string_view name = tree_.scalar(tree_.member(node, "name"));
      if (name.empty()) return fault(n.line, "an interface without a name");
      return neighbour(name, node);
    }
    for (std::uint32_t m = n.first; m != nothing; m = tree_.nodes[m].next) {
      const Node& port = tree_.nodes[m];
      if (port.kind == Node::array) {
        for (std::uint32_t k = port.first; k != nothing; k = tree_.nodes[k].next)
          if (auto r = neighbour(port.key, k); !r) return r;
      } else if (auto r = neighbour(port.key, m); !r) {
        return r;
      }
    }
    return {};
  }

  void link(std::string_view port, std::uint32_t line, std::string_view device, std::string_view far_port) {
    if (device.empty()) return;
    std::uint64_t mac = 0;
    FoundLink l;
    l.near = maker_.by_name(local_name_, line);
    maker_.device(l.near).own_record = true;
    l.near_port = maker_.port(plain(port));
    l.far = maker_.neighbour(plain(device), line);
    l.far_port = mac_number(far_port, mac) ? 0 : maker_.port(plain(far_port));
    l.line = line;
    maker_.add(l);
    ++count;
  }

private:
  struct Id {
    std::string_view type, value;
  };
  [[nodiscard]] Id id_of(std::uint32_t node) const {
    const std::uint32_t id = tree_.one(tree_.member(node, "id"));
    return {tree_.scalar(tree_.member(id, "type")), tree_.scalar(tree_.member(id, "value"))};
  }

  Read neighbour(std::string_view local_port, std::uint32_t node) {
    const Node& n = tree_.nodes[node];
    if (n.kind != Node::object) return fault(n.line, fmt::format("interface {} holds no object", quoted(local_port)));
    std::uint32_t chassis = tree_.one(tree_.member(node, "chassis")), port = tree_.one(tree_.member(node, "port"));
    if (chassis == nothing && port == nothing) return {}; // a port without a neighbour
    std::string_view name = tree_.scalar(tree_.member(chassis, "name"));
    const auto has_id = [&](std::uint32_t c) {
      const std::uint32_t id = tree_.one(tree_.member(c, "id"));
      return tree_.member(id, "type") != nothing && tree_.member(id, "value") != nothing;
    };
    if (chassis != nothing && tree_.nodes[chassis].kind == Node::object && !has_id(chassis) && name.empty()) {
      // The level of the system's name.
      const std::uint32_t inner = tree_.nodes[chassis].first;
      if (inner != nothing) {
        name = tree_.nodes[inner].key;
        chassis = tree_.one(inner);
      }
    }
    const Id chassis_id = id_of(chassis), port_id = id_of(port);
    std::uint64_t chassis_mac = 0, port_mac = 0;
    const bool chassis_has_mac = chassis_id.type == "mac" && mac_number(chassis_id.value, chassis_mac);
    const bool port_has_mac = port_id.type == "mac" && mac_number(port_id.value, port_mac);
    const std::string_view descr = tree_.scalar(tree_.member(port, "descr"));
    FoundLink l;
    l.line = n.line;
    l.near = maker_.by_name(local_name_, n.line);
    maker_.device(l.near).own_record = true;
    l.near_port = maker_.port(plain(local_port));
    if (port_has_mac && port_mac) {
      // A MAC is an identity, never the name of a port: the adapter becomes a device of its own.
      l.far = maker_.by_guid(port_mac, n.line);
      maker_.device(l.far).kind = FoundKind::host;
      if (maker_.device(l.far).name.empty()) maker_.device(l.far).name = plain(name);
      if (maker_.device(l.far).adapter.empty() && descr.find(' ') == std::string_view::npos && descr.size() <= 16)
        maker_.device(l.far).adapter = plain(descr);
    } else {
      if (!name.empty())
        l.far = maker_.neighbour(plain(name), n.line);
      else if (chassis_has_mac && chassis_mac)
        l.far = maker_.by_guid(chassis_mac, n.line);
      else if (!chassis_id.value.empty())
        l.far = maker_.by_name(plain(chassis_id.value), n.line);
      else
        return fault(n.line, fmt::format("interface {} has a neighbour without name and identity", quoted(local_port)));
      if (chassis_has_mac && !maker_.device(l.far).guid) maker_.device(l.far).system = chassis_mac;
      l.far_port = maker_.port(plain(port_id.value));
    }
    if (const FoundKind kind = kind_of(chassis);
        kind != FoundKind::unknown && maker_.device(l.far).kind == FoundKind::unknown)
      maker_.device(l.far).kind = kind;
    maker_.add(l);
    ++count;
    return {};
  }

  /// A bridge or router that is switched on is a switch; a station alone is a host.
  [[nodiscard]] FoundKind kind_of(std::uint32_t chassis) const {
    std::uint32_t list = tree_.member(chassis, "capability");
    if (list == nothing) return FoundKind::unknown;
    bool station = false, bridge = false;
    for (std::uint32_t m = tree_.nodes[list].kind == Node::array ? tree_.nodes[list].first : list; m != nothing;
         m = tree_.nodes[m].next) {
      const std::string_view type = tree_.scalar(tree_.member(m, "type"));
      const bool on = tree_.scalar(tree_.member(m, "enabled")) == "true";
      bridge |= on && type == "Bridge";
      station |= on && type == "Station";
      if (tree_.nodes[list].kind != Node::array) break;
    }
    return bridge ? FoundKind::network_switch : station ? FoundKind::host : FoundKind::unknown;
  }

  const Tree& tree_;
  std::string_view local_name_;
  Maker& maker_;
};

/// The first member of this name within a few levels: answers of programming interfaces wrap what they hold.
std::uint32_t within(const Tree& tree, std::uint32_t node, std::string_view key, int levels) {
  if (const std::uint32_t m = tree.member(node, key); m != nothing) return m;
  if (levels == 0 || tree.nodes[node].kind == Node::scalar) return nothing;
  int looked = 0;
  for (std::uint32_t m = tree.nodes[node].first; m != nothing && looked < 64; m = tree.nodes[m].next, ++looked)
    if (const std::uint32_t f = within(tree, m, key, levels - 1); f != nothing) return f;
  return nothing;
}

/// NetQ: links between two nodes, each with "compounded_links" of two interfaces.
std::size_t read_netq(const Tree& tree, Maker& maker) {
  std::size_t count = 0;
  for (const Node& n : tree.nodes) {
    if (n.key != "compounded_links" || n.kind != Node::array) continue;
    for (std::uint32_t c = n.first; c != nothing; c = tree.nodes[c].next) {
      const std::uint32_t ends = tree.member(c, "interfaces");
      if (ends == nothing || tree.nodes[ends].kind != Node::array) continue;
      const std::uint32_t a = tree.nodes[ends].first, b = a == nothing ? nothing : tree.nodes[a].next;
      if (b == nothing) continue;
      FoundLink l;
      l.line = tree.nodes[c].line;
      const std::string near = plain(tree.scalar(tree.member(a, "node"))),
                        far = plain(tree.scalar(tree.member(b, "node")));
      if (near.empty() || far.empty()) continue;
      l.near = maker.by_name(near, l.line);
      l.far = maker.by_name(far, l.line);
      l.near_port = maker.port(plain(tree.scalar(tree.member(a, "interface"))));
      l.far_port = maker.port(plain(tree.scalar(tree.member(b, "interface"))));
      maker.add(l);
      ++count;
    }
  }
  return count;
}

} // namespace

Read read_lldp_json(std::string_view text, std::string_view local_name, Maker& maker) {
  Tree tree;
  if (auto r = tree.parse(text); !r) return r;
  Neighbours neighbours(tree, local_name, maker);
  if (const std::uint32_t lldp = within(tree, 0, "lldp", 2); lldp != nothing) {
    std::uint32_t list = lldp;
    std::size_t blocks = 0;
    // json0 wraps "lldp" in a list as well.
    const auto block = [&](std::uint32_t node) -> Read {
      const std::uint32_t interfaces = tree.member(node, "interface");
      if (interfaces == nothing) return {};
      ++blocks;
      return neighbours.interfaces(interfaces);
    };
    if (tree.nodes[list].kind == Node::array) {
      for (std::uint32_t m = tree.nodes[list].first; m != nothing; m = tree.nodes[m].next)
        if (auto r = block(m); !r) return r;
    } else if (auto r = block(list); !r) {
      return r;
    }
    if (blocks == 0) maker.note(fmt::format("{} has no neighbours", local_name));
    return {};
  }
  if (const std::uint32_t list = within(tree, 0, "lldpNeighbors", 3); list != nothing) {
    for (std::uint32_t m = tree.nodes[list].first; m != nothing; m = tree.nodes[m].next) {
      const Node& n = tree.nodes[m];
      if (n.kind != Node::object) return fault(n.line, "an entry of lldpNeighbors is no object");
      if (const std::uint32_t info = tree.member(m, "lldpNeighborInfo"); info != nothing) { // of "detail"
        for (std::uint32_t k = tree.nodes[info].first; k != nothing; k = tree.nodes[k].next) {
          std::string_view far = tree.scalar(tree.member(tree.member(k, "neighborInterfaceInfo"), "interfaceId_v2"));
          if (far.empty()) far = tree.scalar(tree.member(tree.member(k, "neighborInterfaceInfo"), "interfaceId"));
          if (far.starts_with("\\\"") && far.ends_with("\\\"") && far.size() >= 4) far = far.substr(2, far.size() - 4);
          neighbours.link(n.key, tree.nodes[k].line, tree.scalar(tree.member(k, "systemName")), far);
        }
        continue;
      }
      const std::string_view port = tree.scalar(tree.member(m, "port"));
      if (port.empty()) return fault(n.line, "an entry of lldpNeighbors has no \"port\"");
      neighbours.link(port, n.line, tree.scalar(tree.member(m, "neighborDevice")),
                      tree.scalar(tree.member(m, "neighborPort")));
    }
    return {};
  }
  if (read_netq(tree, maker) > 0) return {};
  return fault(1, "the JSON has none of: \"lldp\" with \"interface\" (lldpd), \"lldpNeighbors\" (EOS), "
                  "\"compounded_links\" (NetQ)");
}

} // namespace hallwright::found
