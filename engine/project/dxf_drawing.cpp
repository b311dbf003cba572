// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/dxf_drawing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <sstream>

#include <dxflib/dl_creationadapter.h>
#include <dxflib/dl_dxf.h>
#include <fmt/format.h>

#include "catalog/utf8.h"
#include "project/dxf_groups.h"

namespace hallwright {
namespace {

constexpr double pi = std::numbers::pi;

struct Refused {
  std::string sentence;
};

/// x' = a x + c y + e, y' = b x + d y + f.
struct Affine {
  double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;
  [[nodiscard]] DrawingPoint at(DrawingPoint p) const { return {a * p.x + c * p.y + e, b * p.x + d * p.y + f}; }
  [[nodiscard]] DrawingPoint turned(DrawingPoint v) const { return {a * v.x + c * v.y, b * v.x + d * v.y}; }
  /// Largest stretch of a direction.
  [[nodiscard]] double stretch() const { return std::max(std::hypot(a, b), std::hypot(c, d)) * 1.0; }
  /// First `inner`, then this.
  [[nodiscard]] Affine after(const Affine& inner) const {
    return {a * inner.a + c * inner.b, b * inner.a + d * inner.b,     a * inner.c + c * inner.d,
            b * inner.c + d * inner.d, a * inner.e + c * inner.f + e, b * inner.e + d * inner.f + f};
  }
};

struct Vertex {
  DrawingPoint at;
  double bulge = 0.0; ///< tangent of a quarter of the angle of the arc to the next vertex
};

/// An entity as it stands in the file, before blocks are resolved and curves flattened.
struct Item {
  enum class What : std::uint8_t { path, conic, spline, text, dot, insert } what = What::path;
  std::uint32_t layer = 0;
  std::int16_t colour = 256;
  bool mirrored = false; ///< drawn on a plane that is looked at from behind: x runs to the left
  // path
  bool closed = false, filled = false;
  std::vector<Vertex> vertices;
  // conic: centre + cos t * major + sin t * minor
  DrawingPoint centre, major, minor;
  double from = 0.0, to = 2.0 * pi;
  // spline
  int degree = 3;
  bool through = false; ///< the points are on the curve
  std::vector<double> knots, weights;
  std::vector<DrawingPoint> points;
  // text, and where a dot or an insert stands
  DrawingText text;
  DrawingPoint at;
  // insert
  std::string block;
  double scale_x = 1.0, scale_y = 1.0, angle = 0.0; // degrees
  long columns = 1, rows = 1;
  double column_step = 0.0, row_step = 0.0;
};

struct Block {
  DrawingPoint base;
  std::vector<Item> items;
};

// --- text ------------------------------------------------------------------------------------------------------------

void append_utf8(std::string& out, std::uint32_t c) {
  if (c >= 0xD800 && c < 0xE000) c = 0xFFFD;
  if (c < 0x80)
    out += static_cast<char>(c);
  else if (c < 0x800)
    out += {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
  else
    out += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
            static_cast<char>(0x80 | (c & 0x3F))};
}

/// UTF-8 as it is; anything else is taken as Windows-1252, the usual code page of older files.
std::string decoded(std::string_view bytes) {
  if (line_of_bad_utf8(bytes) == 0) return std::string(bytes);
  static constexpr std::array<std::uint16_t, 32> upper{0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                       0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
                                                       0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                       0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};
  std::string out;
  for (char b : bytes) {
    const auto c = static_cast<unsigned char>(b);
    append_utf8(out, c >= 0x80 && c < 0xA0 ? upper[c - 0x80U] : c);
  }
  return out;
}

/// "\U+00E4" and "%%d" and the like. `formatted`: MTEXT, whose other codes are resolved or left out.
std::string plain_text(const std::string& raw, bool formatted) {
  const std::string text = decoded(raw);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto left = text.size() - i;
    if (c == '\\' && left >= 7 && (text[i + 1] == 'U' || text[i + 1] == 'u') && text[i + 2] == '+') {
      std::uint32_t code = 0;
      const char* digits = text.data() + i + 3;
      if (std::from_chars(digits, digits + 4, code, 16).ptr == digits + 4) {
        append_utf8(out, code);
        i += 6;
        continue;
      }
    }
    if (c == '%' && left >= 3 && text[i + 1] == '%') {
      const char what = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i + 2])));
      if (what == 'd')
        out += "\u00B0";
      else if (what == 'c')
        out += "\u2300";
      else if (what == 'p')
        out += "\u00B1";
      else if (what == '%')
        out += '%';
      else if (what >= '0' && what <= '9' && left >= 5) {
        unsigned code = 0;
        std::from_chars(text.data() + i + 2, text.data() + i + 5, code);
        if (code >= 0x20) append_utf8(out, code);
        i += 2;
      } else if (what != 'o' && what != 'u' && what != 'k') { // lines under, over and through are no text
        out += "%%";                                          // no code at all
        --i;
      }
      i += 2;
      continue;
    }
    if (c == '^' && left >= 2) { // ^J newline, ^I tabulator, "^ " a caret
      const char what = text[i + 1];
      out += what == 'J' ? '\n' : what == ' ' ? '^' : ' ';
      ++i;
      continue;
    }
    if (!formatted) {
      if (static_cast<unsigned char>(c) >= 0x20) out += c;
      continue;
    }
    if (c == '{' || c == '}') continue;
    if (c == '\\' && left >= 2) {
      const char what = text[++i];
      if (what == 'P' || what == 'N')
        out += '\n';
      else if (what == '~')
        out += ' ';
      else if (what == '\\' || what == '{' || what == '}')
        out += what;
      else if (what == 'S') { // stacked: "1^2;" or "1/2;" or "1#2;"
        for (++i; i < text.size() && text[i] != ';'; ++i)
          out += text[i] == '^' || text[i] == '#' ? '/' : text[i];
      } else if (std::string_view("fFHWQTACcp").find(what) != std::string_view::npos) {
        while (i < text.size() && text[i] != ';')
          ++i; // font, height, width, slant, spacing, alignment, colour, paragraph
      }        // L l O o K k: lines under, over and through
      continue;
    }
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out;
}

// --- units -----------------------------------------------------------------------------------------------------------

DrawingUnits units_of(const std::map<std::string, std::string>& header) {
  struct Named {
    long code;
    std::string_view name;
    double millimetres;
  };
  // $INSUNITS of the DXF reference.
  static constexpr std::array<Named, 21> known{{{1, "inches", 25.4},
                                                {2, "feet", 304.8},
                                                {3, "miles", 1609344.0},
                                                {4, "millimetres", 1.0},
                                                {5, "centimetres", 10.0},
                                                {6, "metres", 1000.0},
                                                {7, "kilometres", 1e6},
                                                {8, "microinches", 25.4e-6},
                                                {9, "mils", 0.0254},
                                                {10, "yards", 914.4},
                                                {11, "angstroms", 1e-7},
                                                {12, "nanometres", 1e-6},
                                                {13, "micrometres", 1e-3},
                                                {14, "decimetres", 100.0},
                                                {15, "decametres", 1e4},
                                                {16, "hectometres", 1e5},
                                                {17, "gigametres", 1e12},
                                                {21, "US survey feet", 1200000.0 / 3937.0},
                                                {22, "US survey inches", 100000.0 / 3937.0},
                                                {23, "US survey yards", 3600000.0 / 3937.0},
                                                {24, "US survey miles", 5280.0 * 1200000.0 / 3937.0}}};
  const auto insunits = header.find("$INSUNITS");
  const long code = insunits == header.end() ? 0 : dxf_whole(insunits->second);
  for (const Named& n : known)
    if (n.code == code)
      return {true, n.millimetres, std::string(n.name), fmt::format("$INSUNITS is {}: {}", code, n.name)};
  const std::string unsaid = insunits == header.end() ? "$INSUNITS is not there"
                             : code == 0              ? "$INSUNITS is 0, without unit"
                                         : fmt::format("$INSUNITS is {}, which is no length on a plan", code);
  if (const auto measurement = header.find("$MEASUREMENT"); measurement != header.end()) {
    const bool metric = dxf_whole(measurement->second) != 0;
    return {true, metric ? 1.0 : 25.4, metric ? "millimetres" : "inches",
            fmt::format("{}; $MEASUREMENT says {}, taken as {}: please confirm", unsaid, metric ? "metric" : "imperial",
                        metric ? "millimetres" : "inches")};
  }
  return {false, std::nullopt, "", unsaid + " and $MEASUREMENT neither: the unit is not stated"};
}

// --- from groups to items --------------------------------------------------------------------------------------------

/// What each kind must have: group codes that the reader cannot do without.
const std::map<std::string_view, std::vector<int>>& needed_codes() {
  static const std::map<std::string_view, std::vector<int>> codes{{"LINE", {10, 20, 11, 21}},
                                                                  {"POINT", {10, 20}},
                                                                  {"CIRCLE", {10, 20, 40}},
                                                                  {"ARC", {10, 20, 40, 50, 51}},
                                                                  {"ELLIPSE", {10, 20, 11, 21, 40}},
                                                                  {"LWPOLYLINE", {10, 20}},
                                                                  {"POLYLINE", {}},
                                                                  {"VERTEX", {10, 20}},
                                                                  {"SPLINE", {}},
                                                                  {"TEXT", {10, 20, 1}},
                                                                  {"ATTRIB", {10, 20, 1}},
                                                                  {"MTEXT", {10, 20}},
                                                                  {"SOLID", {10, 20, 11, 21, 12, 22}},
                                                                  {"TRACE", {10, 20, 11, 21, 12, 22}},
                                                                  {"3DFACE", {10, 20, 11, 21, 12, 22}},
                                                                  {"INSERT", {2}}};
  return codes;
}
/// Kinds whose coordinates lie on a plane of their own (group 210).
bool has_own_plane(std::string_view kind) {
  static const std::set<std::string_view> kinds{"CIRCLE", "ARC",   "LWPOLYLINE", "TEXT", "ATTRIB",
                                                "SOLID",  "TRACE", "INSERT",     "HATCH"};
  return kinds.contains(kind);
}

/// One entity: its groups, the first of which is code 0.
struct Record {
  std::span<const DxfGroup> groups;
  [[nodiscard]] std::string_view kind() const { return dxf_word(groups.front().value); }
  [[nodiscard]] std::size_t line() const { return groups.front().line; }
  [[nodiscard]] const DxfGroup* find(int code) const {
    int depth = 0;
    for (const DxfGroup& g : groups.subspan(1)) {
      if (g.code == 102) depth += dxf_word(g.value).starts_with('{') ? 1 : -1;
      if (g.code >= 1000) break; // data of other programs
      if (depth <= 0 && g.code == code) return &g;
    }
    return nullptr;
  }
  [[nodiscard]] long whole(int code, long otherwise) const {
    const DxfGroup* g = find(code);
    return g ? dxf_whole(g->value) : otherwise;
  }
  [[nodiscard]] double real(int code, double otherwise) const {
    const DxfGroup* g = find(code);
    return g ? dxf_real(g->value) : otherwise;
  }
  [[nodiscard]] std::size_t count(int code) const {
    return static_cast<std::size_t>(
        std::count_if(groups.begin(), groups.end(), [code](const DxfGroup& g) { return g.code == code; }));
  }
};

class Contents {
public:
  Contents(std::string file, Drawing& drawing) : file_(std::move(file)), drawing_(drawing) {}
  std::map<std::string, Block> blocks; ///< "": what is drawn
  std::map<std::string, std::size_t> not_shown;
  std::size_t cut_texts = 0;

  [[noreturn]] void refuse(std::size_t line, const std::string& what) const {
    throw Refused{fmt::format("{}, line {}: {}", file_, line, what)};
  }
  std::uint32_t layer(const std::string& raw) {
    const std::string name = raw.empty() ? "0" : plain_text(raw, false);
    const auto [at, fresh] = layer_index_.emplace(name, static_cast<std::uint32_t>(drawing_.layers.size()));
    if (fresh) {
      drawing_.layers.push_back({name, 7, true});
      if (drawing_.layers.size() > 100000)
        throw Refused{file_ + ": more than 100000 layers; at most that many are read"};
    }
    return at->second;
  }
  const std::string& file() const { return file_; }
  void add_layer(const Record& r) {
    const DxfGroup* name = r.find(2);
    if (!name) return;
    const std::uint32_t i = layer(std::string(dxf_word(name->value)));
    const long colour = r.whole(62, 7);
    drawing_.layers[i].colour = colour == 0 || std::abs(colour) > 255 ? 7 : static_cast<int>(std::abs(colour));
    drawing_.layers[i].visible = colour >= 0 && (r.whole(70, 0) & 1) == 0;
  }

private:
  std::string file_;
  Drawing& drawing_;
  std::map<std::string, std::uint32_t> layer_index_;
};

/// Takes what dxflib has decoded.
class Receiver final : public DL_CreationAdapter {
public:
  explicit Receiver(Contents& contents) : contents_(contents), block_(&contents.blocks[""]) {}

  void addBlock(const DL_BlockData& b) override {
    block_ = &contents_.blocks[b.name];
    block_->base = {b.bpx, b.bpy};
    polyline_ = nullptr;
  }
  void endBlock() override { block_ = &contents_.blocks[""]; }
  void addPoint(const DL_PointData& p) override { begin(Item::What::dot, false).at = {p.x, p.y}; }
  void addLine(const DL_LineData& l) override {
    begin(Item::What::path, false).vertices = {{{l.x1, l.y1}}, {{l.x2, l.y2}}};
  }
  void addCircle(const DL_CircleData& c) override { conic({c.cx, c.cy}, c.radius, 0.0, 360.0); }
  void addArc(const DL_ArcData& a) override { conic({a.cx, a.cy}, a.radius, a.angle1, a.angle2); }
  void addEllipse(const DL_EllipseData& e) override {
    Item& i = begin(Item::What::conic, false);
    const double side = mirrored() ? -1.0 : 1.0; // the minor axis is the normal times the major one
    i.centre = {e.cx, e.cy};
    i.major = {e.mx, e.my};
    i.minor = {-e.my * e.ratio * side, e.mx * e.ratio * side};
    i.from = e.angle1;
    i.to = e.angle2 > e.angle1 ? e.angle2 : e.angle2 + 2.0 * pi;
    if (std::abs(i.to - i.from) < 1e-12) i.to = i.from + 2.0 * pi;
    i.to = std::min(i.to, i.from + 2.0 * pi);
    i.closed = i.to - i.from > 2.0 * pi - 1e-9;
  }
  void addPolyline(const DL_PolylineData& p) override {
    Item& i = begin(Item::What::path, true);
    i.closed = (p.flags & 1) != 0;
    polyline_ = &i;
  }
  void addVertex(const DL_VertexData& v) override {
    if (polyline_) polyline_->vertices.push_back({{v.x, v.y}, std::isfinite(v.bulge) ? v.bulge : 0.0});
  }
  void addSpline(const DL_SplineData& s) override {
    Item& i = begin(Item::What::spline, false);
    i.degree = static_cast<int>(s.degree);
    i.closed = (s.flags & 1) != 0;
    spline_ = &i;
  }
  void addKnot(const DL_KnotData& k) override {
    if (spline_) spline_->knots.push_back(k.k);
  }
  void addControlPoint(const DL_ControlPointData& p) override {
    if (!spline_) return;
    spline_->points.push_back({p.x, p.y});
    spline_->weights.push_back(p.w > 0.0 && std::isfinite(p.w) ? p.w : 1.0);
  }
  void addFitPoint(const DL_FitPointData& p) override {
    if (!spline_ || (!spline_->through && !spline_->points.empty())) return; // control points say more
    spline_->through = true;
    spline_->points.push_back({p.x, p.y});
  }
  void addSolid(const DL_SolidData& s) override { corners(s, true, true); }
  void addTrace(const DL_TraceData& s) override { corners(s, true, true); }
  void add3dFace(const DL_3dFaceData& s) override { corners(s, false, false); }
  void addText(const DL_TextData& t) override { text(t); }
  void addAttribute(const DL_AttributeData& t) override { text(t); }
  void addMTextChunk(const std::string& chunk) override { chunks_ += chunk; }
  void addMText(const DL_MTextData& t) override {
    Item& i = begin(Item::What::text, false);
    i.at = {t.ipx, t.ipy};
    i.text.height = t.height;
    i.text.rotation = t.dirx != 0.0 || t.diry != 0.0 ? std::atan2(t.diry, t.dirx) * 180.0 / pi : t.angle * 180.0 / pi;
    const int place = std::clamp(t.attachmentPoint, 1, 9) - 1;
    i.text.across = static_cast<DrawingText::Across>(place % 3);
    i.text.up = place / 3 == 0   ? DrawingText::Up::top
                : place / 3 == 1 ? DrawingText::Up::middle
                                 : DrawingText::Up::bottom;
    i.text.text = plain_text(chunks_ + t.text, true);
    chunks_.clear();
  }
  void addInsert(const DL_InsertData& d) override {
    Item& i = begin(Item::What::insert, true);
    i.block = d.name;
    i.at = {d.ipx, d.ipy};
    i.scale_x = d.sx != 0.0 ? d.sx : 1.0;
    i.scale_y = d.sy != 0.0 ? d.sy : 1.0;
    i.angle = d.angle;
    i.columns = std::max(1, d.cols);
    i.rows = std::max(1, d.rows);
    i.column_step = d.colSp;
    i.row_step = d.rowSp;
  }

private:
  bool mirrored() {
    const double* normal = getExtrusion() ? getExtrusion()->getDirection() : nullptr;
    return normal && normal[2] < 0.0;
  }
  Item& begin(Item::What what, bool own_plane) {
    Item i;
    i.what = what;
    const DL_Attributes attributes = getAttributes();
    i.layer = contents_.layer(attributes.getLayer());
    const int colour = attributes.getColor();
    i.colour = static_cast<std::int16_t>(colour < 0 || colour > 256 ? 256 : colour);
    i.mirrored = own_plane && mirrored();
    polyline_ = nullptr;
    spline_ = nullptr;
    block_->items.push_back(std::move(i));
    return block_->items.back();
  }
  void conic(DrawingPoint centre, double radius, double from, double to) {
    Item& i = begin(Item::What::conic, true);
    i.centre = centre;
    i.major = {radius, 0.0};
    i.minor = {0.0, radius};
    double sweep = std::fmod(to - from, 360.0);
    if (sweep <= 0.0) sweep += 360.0;
    i.from = from * pi / 180.0;
    i.to = (from + sweep) * pi / 180.0;
    i.closed = sweep >= 360.0 - 1e-9;
  }
  void corners(const DL_TraceData& s, bool crossed, bool own_plane) {
    Item& i = begin(Item::What::path, own_plane);
    i.closed = true;
    i.filled = crossed;
    // SOLID and TRACE go 1, 2, 4, 3.
    for (const int k : crossed ? std::array{0, 1, 3, 2} : std::array{0, 1, 2, 3}) {
      const DrawingPoint p{s.x[k], s.y[k]};
      if (i.vertices.empty() || !(i.vertices.back().at == p)) i.vertices.push_back({p});
    }
  }
  void text(const DL_TextData& t) {
    Item& i = begin(Item::What::text, true);
    const bool aligned =
        (t.hJustification != 0 || t.vJustification != 0) && t.hJustification != 3 && t.hJustification != 5;
    i.at = aligned ? DrawingPoint{t.apx, t.apy} : DrawingPoint{t.ipx, t.ipy};
    i.text.height = t.height;
    i.text.rotation = t.angle;
    i.text.across = !aligned || t.hJustification == 0 ? DrawingText::Across::left
                    : t.hJustification == 2           ? DrawingText::Across::right
                                                      : DrawingText::Across::centre;
    i.text.up = t.hJustification == 4 ? DrawingText::Up::middle
                : !aligned            ? DrawingText::Up::baseline
                                      : static_cast<DrawingText::Up>(std::clamp(t.vJustification, 0, 3));
    i.text.text = plain_text(t.text, false);
  }

  Contents& contents_;
  Block* block_;
  Item* polyline_ = nullptr;
  Item* spline_ = nullptr;
  std::string chunks_;
};

/// The outlines of a HATCH. dxflib takes counts and order on trust here, so they are read from the groups.
void read_hatch(const Record& r, Contents& contents, std::vector<Item>& out) {
  const bool mirrored = r.real(230, 1.0) < 0.0;
  const DxfGroup* layer_name = r.find(8);
  Item common;
  common.layer = contents.layer(layer_name ? std::string(dxf_word(layer_name->value)) : "");
  const long colour = r.whole(62, 256);
  common.colour = static_cast<std::int16_t>(colour < 0 || colour > 256 ? 256 : colour);
  common.mirrored = mirrored;

  std::size_t i = 1;
  const auto& g = r.groups;
  while (i < g.size() && g[i].code != 91)
    ++i;
  if (i == g.size()) contents.refuse(r.line(), "HATCH without group code 91, the number of its outlines");
  const long loops = dxf_whole(g[i++].value);
  auto expect = [&](int code, std::string_view what) -> const DxfGroup& {
    if (i >= g.size() || g[i].code != code) {
      const std::size_t line = i < g.size() ? g[i].line : g.back().line;
      contents.refuse(line, fmt::format("HATCH: group code {} ({}) is expected{}", code, what,
                                        i < g.size() ? fmt::format(", {} stands here", g[i].code) : ""));
    }
    return g[i++];
  };
  auto real = [&](int code, std::string_view what) { return dxf_real(expect(code, what).value); };
  auto point = [&](int code) {
    const double x = real(code, "x");
    const double y = real(code + 10, "y");
    return DrawingPoint{x, y};
  };
  auto optional = [&](int code) { return i < g.size() && g[i].code == code; };
  auto count = [&](int code, std::string_view what) {
    const DxfGroup& at = expect(code, what);
    const long n = dxf_whole(at.value);
    if (n < 0 || static_cast<std::size_t>(n) > g.size())
      contents.refuse(at.line, fmt::format("HATCH: {} {} where {} groups follow", n, what, g.size() - i));
    return n;
  };
  auto ellipse = [&](DrawingPoint centre, DrawingPoint major, double ratio) {
    double from = real(50, "start angle"), to = real(51, "end angle");
    const bool counter_clockwise = dxf_whole(expect(73, "direction").value) != 0;
    if (!counter_clockwise) std::tie(from, to) = std::pair(-to, -from); // clockwise ones count their angles clockwise
    Item item = common;
    item.what = Item::What::conic;
    item.centre = centre;
    item.major = major;
    item.minor = {-major.y * ratio, major.x * ratio};
    double sweep = std::fmod(to - from, 360.0);
    if (sweep <= 0.0) sweep += 360.0;
    item.from = from * pi / 180.0;
    item.to = (from + sweep) * pi / 180.0;
    item.closed = sweep >= 360.0 - 1e-9;
    out.push_back(std::move(item));
  };
  if (loops < 0 || static_cast<std::size_t>(loops) > g.size())
    contents.refuse(g[i - 1].line, fmt::format("HATCH: {} outlines where {} groups follow", loops, g.size() - i));
  for (long loop = 0; loop < loops; ++loop) {
    const long flags = dxf_whole(expect(92, "kind of outline").value);
    if ((flags & 2) != 0) {
      Item item = common;
      const bool bulges = dxf_whole(expect(72, "bulges").value) != 0;
      item.closed = dxf_whole(expect(73, "closed").value) != 0;
      const long n = count(93, "corners");
      for (long k = 0; k < n; ++k) {
        Vertex v{point(10)};
        if ((bulges || optional(42)) && optional(42)) v.bulge = real(42, "bulge");
        item.vertices.push_back(v);
      }
      if (item.vertices.size() > 1) out.push_back(std::move(item));
    } else {
      const long n = count(93, "edges");
      for (long k = 0; k < n; ++k) {
        const DxfGroup& type = expect(72, "kind of edge");
        switch (dxf_whole(type.value)) {
        case 1: {
          Item item = common;
          const DrawingPoint a = point(10);
          item.vertices = {{a}, {point(11)}};
          out.push_back(std::move(item));
          break;
        }
        case 2: {
          const DrawingPoint centre = point(10);
          const double radius = real(40, "radius");
          ellipse(centre, {radius, 0.0}, 1.0);
          break;
        }
        case 3: {
          const DrawingPoint centre = point(10), major = point(11);
          const double ratio = real(40, "ratio of the axes");
          ellipse(centre, major, ratio);
          break;
        }
        case 4: {
          Item item = common;
          item.what = Item::What::spline;
          item.degree = static_cast<int>(std::clamp(dxf_whole(expect(94, "degree").value), 1L, 25L));
          expect(73, "rational");
          expect(74, "periodic");
          const long knots = count(95, "knots"), controls = count(96, "control points");
          for (long m = 0; m < knots; ++m)
            item.knots.push_back(real(40, "knot"));
          for (long m = 0; m < controls; ++m) {
            item.points.push_back(point(10));
            item.weights.push_back(optional(42) ? std::max(real(42, "weight"), 1e-9) : 1.0);
          }
          if (optional(97)) { // fit points, then tangents
            const long fits = count(97, "fit points");
            // The same code also counts the source objects of the loop; those are followed by 330.
            for (long m = 0; m < fits && optional(11); ++m)
              point(11);
            if (optional(12)) point(12);
            if (optional(13)) point(13);
          }
          out.push_back(std::move(item));
          break;
        }
        default:
          contents.refuse(
              type.line, fmt::format("HATCH: '{}' is no kind of edge; 1, 2, 3 or 4 is expected", dxf_word(type.value)));
        }
      }
    }
    if (optional(97)) {
      ++i;
      while (optional(330))
        ++i;
    }
  }
}

/// Feeds dxflib with what it knows, cleaned: counts agree with what follows, nothing is longer than its buffers.
class Feed {
public:
  Feed(const std::vector<DxfGroup>& groups, Contents& contents) : groups_(groups), contents_(contents) {}

  std::string cleaned() {
    std::string_view section;
    for (std::size_t i = 0; i < groups_.size();) {
      std::size_t end = i + 1;
      while (end < groups_.size() && groups_[end].code != 0)
        ++end;
      const Record r{std::span(groups_).subspan(i, end - i)};
      i = end;
      const std::string_view kind = r.kind();
      if (kind == "SECTION") {
        section = r.groups.size() > 1 ? dxf_word(r.groups[1].value) : std::string_view{};
        if (section == "HEADER") header(r);
        if (drawn(section)) put(0, "SECTION"), put(2, section);
      } else if (kind == "ENDSEC") {
        if (drawn(section)) {
          if (block_line_ > 0)
            contents_.refuse(
                r.line(),
                fmt::format("section BLOCKS ends within block '{}', which began in line {}; 0 'ENDBLK' is expected",
                            block_, block_line_));
          put(0, "ENDSEC");
        }
        section = {};
      } else if (section == "TABLES") {
        if (kind == "LAYER") contents_.add_layer(r);
      } else if (drawn(section)) {
        entity(r, section == "BLOCKS");
      }
    }
    put(0, "EOF");
    return std::move(out_);
  }
  std::map<std::string, std::string> header_values;

private:
  static bool drawn(std::string_view section) { return section == "BLOCKS" || section == "ENTITIES"; }
  void put(int code, std::string_view value) {
    out_ += std::to_string(code);
    out_ += '\n';
    out_ += value;
    out_ += '\n';
  }
  void header(const Record& r) {
    std::string name;
    for (const DxfGroup& g : r.groups.subspan(1)) {
      if (g.code == 9)
        name = dxf_word(g.value);
      else if (!name.empty() && (g.code == 70 || g.code == 1))
        header_values.emplace(name, dxf_word(g.value));
    }
  }
  void count(std::string_view kind) { ++contents_.not_shown[std::string(kind.substr(0, 60))]; }

  void entity(const Record& r, bool in_blocks) {
    const std::string_view kind = r.kind();
    if (in_blocks && kind == "BLOCK") {
      if (block_line_ > 0)
        contents_.refuse(r.line(),
                         fmt::format("a block begins within block '{}', which began in line {}; 0 'ENDBLK' is expected",
                                     block_, block_line_));
      const DxfGroup* name = r.find(2);
      if (!name || dxf_word(name->value).empty()) contents_.refuse(r.line(), "a block without name (group code 2)");
      if (dxf_word(name->value).size() > 900)
        contents_.refuse(name->line, "the name of a block is longer than 900 bytes");
      block_ = dxf_word(name->value);
      block_line_ = r.line();
      if ((r.whole(70, 0) & 4) != 0) count("external reference");
      put(0, "BLOCK");
      put(2, block_);
      put_plain(r, {70, 10, 20, 30});
      return;
    }
    if (in_blocks && kind == "ENDBLK") {
      block_.clear();
      block_line_ = 0;
      put(0, "ENDBLK");
      return;
    }
    if (in_blocks && block_line_ == 0)
      contents_.refuse(r.line(), fmt::format("'{}' stands outside a block; 0 'BLOCK' or 0 'ENDSEC' is expected", kind));
    if (!in_blocks && r.whole(67, 0) == 1) return count("entity of paper space");
    if (skipped_vertices_) {
      if (kind == "VERTEX") return;
      if (kind == "SEQEND") {
        skipped_vertices_ = false;
        return;
      }
      skipped_vertices_ = false;
    }
    if (kind == "ATTDEF" || kind == "VIEWPORT" || kind == "ENDTAB") return; // templates and windows: nothing to draw
    if (kind == "SEQEND") {
      if (open_polyline_ || open_insert_) put(0, "SEQEND");
      open_polyline_ = open_insert_ = false;
      return;
    }
    if (kind == "VERTEX") {
      if (!open_polyline_) contents_.refuse(r.line(), "VERTEX stands outside a POLYLINE");
      if ((r.whole(70, 0) & 16) != 0) return; // frame of a smoothed polyline
    } else if (open_polyline_) {
      contents_.refuse(r.line(), fmt::format("'{}' stands within a POLYLINE; VERTEX or SEQEND is expected", kind));
    }
    const auto needed = needed_codes().find(kind);
    if (needed == needed_codes().end() && kind != "HATCH") return count(kind);
    if (r.whole(60, 0) == 1) return count(fmt::format("invisible {}", kind));
    if (has_own_plane(kind) && (std::abs(r.real(210, 0.0)) > 1e-6 || std::abs(r.real(220, 0.0)) > 1e-6)) {
      if (kind != "INSERT" || r.whole(66, 0) == 0) return count(fmt::format("tilted {}", kind));
    }
    if (kind == "HATCH") {
      read_hatch(r, contents_, contents_.blocks[block_].items);
      return;
    }
    for (const int code : needed->second)
      if (!r.find(code))
        contents_.refuse(r.line(), fmt::format("{} without group code {}; it is expected", kind, code));
    check_values(r, kind);
    if (kind == "POLYLINE") {
      if ((r.whole(70, 0) & (16 | 64)) != 0) {
        skipped_vertices_ = true;
        return count("mesh POLYLINE");
      }
      open_polyline_ = true;
    }
    if (kind == "INSERT") open_insert_ = r.whole(66, 0) == 1;
    if (kind == "ATTRIB" && (r.whole(70, 0) & 1) != 0) return;
    write(r, kind);
  }

  void check_values(const Record& r, std::string_view kind) {
    if ((kind == "CIRCLE" || kind == "ARC") && r.real(40, 1.0) < 0.0)
      contents_.refuse(r.find(40)->line,
                       fmt::format("{} with radius {}; zero or more is expected", kind, dxf_word(r.find(40)->value)));
    if (kind == "LWPOLYLINE") {
      bool y_due = false;
      for (const DxfGroup& g : r.groups.subspan(1)) {
        if (g.code == 10 && y_due)
          contents_.refuse(g.line, "LWPOLYLINE: group code 20, the y of a corner, is expected, 10 stands here");
        if (g.code == 20 && !y_due)
          contents_.refuse(g.line, "LWPOLYLINE: group code 10, the x of a corner, is expected, 20 stands here");
        if (g.code == 10) y_due = true;
        if (g.code == 20) y_due = false;
      }
      if (y_due)
        contents_.refuse(r.groups.back().line, "LWPOLYLINE: group code 20, the y of the last corner, is expected");
    }
    if (kind == "INSERT") {
      const long columns = r.whole(70, 1), rows = r.whole(71, 1);
      if (columns < 0 || rows < 0 || columns > 10000 || rows > 10000)
        contents_.refuse(r.line(), fmt::format("INSERT with {} columns and {} rows; 1 to 10000 of each are expected",
                                               columns, rows));
      if (dxf_word(r.find(2)->value).size() > 900)
        contents_.refuse(r.find(2)->line, "the name of a block is longer than 900 bytes");
    }
    if (kind == "SPLINE") {
      const long degree = r.whole(71, 3);
      if (degree < 1 || degree > 25)
        contents_.refuse(r.line(), fmt::format("SPLINE of degree {}; 1 to 25 is expected", degree));
      const std::size_t knots = r.count(40), controls = r.count(10), fits = r.count(11);
      if (controls != r.count(20) || fits != r.count(21))
        contents_.refuse(r.line(), "SPLINE: each group code 10 or 11 needs its 20 or 21");
      if (controls == 0 && fits < 2)
        contents_.refuse(r.line(), "SPLINE without control points (group code 10) or fit points (11)");
      if (controls > 0 &&
          (controls < static_cast<std::size_t>(degree) + 1 || knots != controls + static_cast<std::size_t>(degree) + 1))
        contents_.refuse(r.line(),
                         fmt::format("SPLINE of degree {} with {} control points and {} knots; {} knots are expected",
                                     degree, controls, knots, controls + static_cast<std::size_t>(degree) + 1));
    }
  }

  static bool wanted(std::string_view kind, int code) {
    if (code == 6 || code == 8 || code == 62) return true;
    if (code >= 10 && code <= 59) return true;
    if (code >= 70 && code <= 79) return true;
    if (code == 210 || code == 220 || code == 230) return true;
    if (code == 1 || code == 3) return kind == "TEXT" || kind == "MTEXT" || kind == "ATTRIB";
    return code == 2 && (kind == "INSERT" || kind == "ATTRIB");
  }
  void put_plain(const Record& r, std::initializer_list<int> codes) {
    for (const int code : codes)
      if (const DxfGroup* g = r.find(code)) put(code, dxf_word(g->value));
  }
  void write(const Record& r, std::string_view kind) {
    put(0, kind);
    // dxflib makes room by these counts, so they come first and are right.
    if (kind == "LWPOLYLINE") put(90, std::to_string(r.count(10)));
    if (kind == "SPLINE")
      put(72, std::to_string(r.count(40))), put(73, std::to_string(r.count(10))), put(74, std::to_string(r.count(11)));
    int depth = 0;
    for (const DxfGroup& g : r.groups.subspan(1)) {
      if (g.code >= 1000) break;
      if (g.code == 102) {
        depth += dxf_word(g.value).starts_with('{') ? 1 : -1;
        continue;
      }
      if (depth > 0 || !wanted(kind, g.code)) continue;
      if (kind == "SPLINE" && g.code >= 72 && g.code <= 74) continue;
      const bool text = g.code <= 9;
      std::string_view value = text && g.code != 8 && g.code != 2 && g.code != 6 ? g.value : dxf_word(g.value);
      if (value.size() > 1000) {
        if (!text) contents_.refuse(g.line, "a value of more than 1000 characters");
        value = value.substr(0, 1000);
        ++contents_.cut_texts;
      }
      if (text)
        put(g.code, value);
      else if (g.code >= 60 && g.code <= 79)
        put(g.code, std::to_string(std::clamp(dxf_whole(value), -2000000000L, 2000000000L)));
      else
        put(g.code, value);
    }
  }

  const std::vector<DxfGroup>& groups_;
  Contents& contents_;
  std::string out_, block_;
  std::size_t block_line_ = 0;
  bool open_polyline_ = false, open_insert_ = false, skipped_vertices_ = false;
};

// --- from items to the drawing ---------------------------------------------------------------------------------------

/// Chords for a turn of `angle` at `radius`: each stays within `tolerance` of its arc; eight a turn at least.
int chords(double angle, double radius, double tolerance) {
  const double ratio = radius > 0.0 ? std::min(tolerance / radius, 1.0) : 1.0;
  const double step = std::min(2.0 * std::acos(1.0 - ratio), pi / 4.0);
  const double n = step > 0.0 ? std::ceil(std::abs(angle) / step - 1e-9) : 720.0;
  return static_cast<int>(std::clamp(n, 1.0, 1440.0));
}

class Expansion {
public:
  Expansion(const Contents& contents, Drawing& drawing, double tolerance)
      : contents_(contents), drawing_(drawing), tolerance_(tolerance) {}

  void run() { block("", Affine{}, 0, 256, 0); }
  std::size_t missing_blocks = 0, deep_blocks = 0, through_points = 0, sizeless = 0;
  std::set<std::string> missing_names;

private:
  void count_item() {
    if (++items_ > drawing_most_items)
      throw Refused{fmt::format(
          "{}: the drawing holds more than {} items once its blocks are resolved; at most that many are read",
          contents_.file(), drawing_most_items)};
  }
  void count_points(std::size_t n) {
    points_ += n;
    if (points_ > drawing_most_points)
      throw Refused{fmt::format(
          "{}: the drawing holds more than {} points once its curves are flattened; at most that many are read",
          contents_.file(), drawing_most_points)};
  }
  void see(DrawingPoint p) {
    if (!(std::abs(p.x) <= dxf_largest_coordinate * 1e3 && std::abs(p.y) <= dxf_largest_coordinate * 1e3))
      throw Refused{
          fmt::format("{}: a block is inserted so large that points lie beyond {:g}; smaller scales are expected",
                      contents_.file(), dxf_largest_coordinate * 1e3)};
    auto& e = drawing_.extent;
    if (!e) e = DrawingExtent{p, p};
    e->low = {std::min(e->low.x, p.x), std::min(e->low.y, p.y)};
    e->high = {std::max(e->high.x, p.x), std::max(e->high.y, p.y)};
  }

  void block(const std::string& name, const Affine& to, std::uint32_t layer, std::int16_t colour, int depth) {
    const auto found = contents_.blocks.find(name);
    if (found == contents_.blocks.end()) {
      ++missing_blocks;
      if (missing_names.size() < 5) missing_names.insert(name);
      return;
    }
    const bool inside = depth > 0;
    for (const Item& i : found->second.items) {
      count_item();
      const std::uint32_t on = inside && drawing_.layers[i.layer].name == "0" ? layer : i.layer;
      const std::int16_t in = i.colour == 0 ? colour : i.colour == 256 && on != i.layer ? std::int16_t{256} : i.colour;
      const Affine here = i.mirrored ? to.after(Affine{-1, 0, 0, 1, 0, 0}) : to;
      switch (i.what) {
      case Item::What::path:
        path(i, here, on, in);
        break;
      case Item::What::conic:
        conic(i, here, on, in);
        break;
      case Item::What::spline:
        spline(i, here, on, in);
        break;
      case Item::What::dot:
        see(here.at(i.at));
        count_points(1);
        drawing_.dots.push_back({on, in, here.at(i.at)});
        break;
      case Item::What::text:
        text(i, here, on, in);
        break;
      case Item::What::insert:
        insert(i, here, on, in, depth);
        break;
      }
    }
  }

  void insert(const Item& i, const Affine& to, std::uint32_t layer, std::int16_t colour, int depth) {
    if (depth >= drawing_deepest_block) {
      ++deep_blocks;
      return;
    }
    const auto found = contents_.blocks.find(i.block);
    if (found == contents_.blocks.end() || i.block.empty()) {
      ++missing_blocks;
      if (missing_names.size() < 5) missing_names.insert(i.block);
      return;
    }
    const double turn = i.angle * pi / 180.0;
    // Quarter turns leave no dust.
    const double quarters = std::fmod(i.angle, 360.0) / 90.0;
    double c = std::cos(turn), s = std::sin(turn);
    if (quarters == std::round(quarters)) {
      c = std::round(c);
      s = std::round(s);
    }
    for (long row = 0; row < i.rows; ++row)
      for (long column = 0; column < i.columns; ++column) {
        count_item();
        const double dx = static_cast<double>(column) * i.column_step, dy = static_cast<double>(row) * i.row_step;
        Affine place{c * i.scale_x,           s * i.scale_x, -s * i.scale_y, c * i.scale_y, i.at.x + c * dx - s * dy,
                     i.at.y + s * dx + c * dy};
        const DrawingPoint base = found->second.base;
        place = place.after(Affine{1, 0, 0, 1, -base.x, -base.y});
        block(i.block, to.after(place), layer, colour, depth + 1);
      }
  }

  void add_path(std::vector<DrawingPoint> points, bool closed, bool filled, std::uint32_t layer, std::int16_t colour) {
    if (closed && points.size() > 2 && points.front() == points.back()) points.pop_back();
    bool sized = false;
    for (const DrawingPoint& p : points)
      sized = sized || !(p == points.front());
    if (points.size() < 2 || !sized) {
      ++sizeless;
      return;
    }
    for (const DrawingPoint& p : points)
      see(p);
    count_points(points.size());
    drawing_.paths.push_back({layer, colour, closed, filled, std::move(points)});
  }

  /// Points of an arc after its first one.
  void arc(std::vector<DrawingPoint>& out, const Affine& to, DrawingPoint centre, DrawingPoint major,
           DrawingPoint minor, double from, double sweep) const {
    const double radius = std::max(std::hypot(major.x, major.y), std::hypot(minor.x, minor.y)) * to.stretch();
    const int n = chords(sweep, radius, tolerance_);
    for (int k = 1; k <= n; ++k) {
      const double t = from + sweep * k / n, c = std::cos(t), s = std::sin(t);
      out.push_back(to.at({centre.x + c * major.x + s * minor.x, centre.y + c * major.y + s * minor.y}));
    }
  }

  void path(const Item& i, const Affine& to, std::uint32_t layer, std::int16_t colour) {
    if (i.vertices.empty()) {
      ++sizeless;
      return;
    }
    std::vector<DrawingPoint> points{to.at(i.vertices.front().at)};
    const std::size_t sides = i.vertices.size() - (i.closed ? 0 : 1);
    for (std::size_t k = 0; k < sides; ++k) {
      const Vertex& a = i.vertices[k];
      const Vertex& b = i.vertices[(k + 1) % i.vertices.size()];
      const double width = std::hypot(b.at.x - a.at.x, b.at.y - a.at.y);
      if (a.bulge != 0.0 && width > 0.0 && std::abs(a.bulge) < 1e6) {
        // The centre lies on the middle normal of the chord.
        const double angle = 4.0 * std::atan(a.bulge), q = (1.0 - a.bulge * a.bulge) / (4.0 * a.bulge);
        const DrawingPoint centre{(a.at.x + b.at.x) / 2.0 - q * (b.at.y - a.at.y),
                                  (a.at.y + b.at.y) / 2.0 + q * (b.at.x - a.at.x)};
        const double radius = std::hypot(a.at.x - centre.x, a.at.y - centre.y);
        arc(points, to, centre, {radius, 0.0}, {0.0, radius}, std::atan2(a.at.y - centre.y, a.at.x - centre.x), angle);
        points.back() = to.at(b.at);
      } else {
        points.push_back(to.at(b.at));
      }
      if (points.size() > drawing_most_points) count_points(points.size());
    }
    add_path(std::move(points), i.closed, i.filled, layer, colour);
  }

  void conic(const Item& i, const Affine& to, std::uint32_t layer, std::int16_t colour) {
    const double c = std::cos(i.from), s = std::sin(i.from);
    std::vector<DrawingPoint> points{
        to.at({i.centre.x + c * i.major.x + s * i.minor.x, i.centre.y + c * i.major.y + s * i.minor.y})};
    arc(points, to, i.centre, i.major, i.minor, i.from, i.to - i.from);
    if (i.closed) points.pop_back();
    add_path(std::move(points), i.closed, false, layer, colour);
  }

  /// de Boor, with weights.
  static DrawingPoint on_spline(const Item& i, std::size_t span, double t) {
    const auto p = static_cast<std::size_t>(i.degree);
    struct Weighted {
      double x, y, w;
    };
    std::array<Weighted, 26> d{};
    for (std::size_t j = 0; j <= p; ++j) {
      const std::size_t k = span - p + j;
      const double w = i.weights.size() > k ? i.weights[k] : 1.0;
      d[j] = {i.points[k].x * w, i.points[k].y * w, w};
    }
    for (std::size_t r = 1; r <= p; ++r)
      for (std::size_t j = p; j >= r; --j) {
        const std::size_t k = span - p + j;
        const double width = i.knots[k + p - r + 1] - i.knots[k];
        const double share = width > 0.0 ? (t - i.knots[k]) / width : 0.0;
        d[j] = {d[j - 1].x + share * (d[j].x - d[j - 1].x), d[j - 1].y + share * (d[j].y - d[j - 1].y),
                d[j - 1].w + share * (d[j].w - d[j - 1].w)};
      }
    return {d[p].x / d[p].w, d[p].y / d[p].w};
  }

  template <class F>
  void refine(std::vector<DrawingPoint>& out, const F& at, double t0, DrawingPoint a, double t1, DrawingPoint b,
              int depth) const {
    const double tm = (t0 + t1) / 2.0;
    const DrawingPoint m = at(tm), q = at(t0 + (t1 - t0) * 0.25);
    auto off = [&](DrawingPoint p) {
      const double w = std::hypot(b.x - a.x, b.y - a.y);
      return w > 0.0 ? std::abs((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / w
                     : std::hypot(p.x - a.x, p.y - a.y);
    };
    if (depth < 2 || (depth < 11 && (off(m) > tolerance_ || off(q) > tolerance_))) {
      refine(out, at, t0, a, tm, m, depth + 1);
      refine(out, at, tm, m, t1, b, depth + 1);
    } else {
      out.push_back(b);
    }
  }

  void spline(const Item& i, const Affine& to, std::uint32_t layer, std::int16_t colour) {
    std::vector<DrawingPoint> points;
    if (i.through || i.knots.empty()) {
      // Only points on the curve are given: a smooth curve through them (Catmull-Rom).
      if (i.points.size() < 2) {
        ++sizeless;
        return;
      }
      ++through_points;
      const auto& p = i.points;
      points.push_back(to.at(p.front()));
      for (std::size_t k = 0; k + 1 < p.size(); ++k) {
        const DrawingPoint p0 = p[k == 0 ? 0 : k - 1], p1 = p[k], p2 = p[k + 1], p3 = p[std::min(k + 2, p.size() - 1)];
        auto at = [&](double t) {
          auto mixed = [t](double a, double b, double c, double d) {
            return 0.5 *
                   (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t);
          };
          return to.at({mixed(p0.x, p1.x, p2.x, p3.x), mixed(p0.y, p1.y, p2.y, p3.y)});
        };
        refine(points, at, 0.0, points.back(), 1.0, to.at(p2), 0);
      }
    } else {
      const auto p = static_cast<std::size_t>(i.degree);
      if (i.points.size() <= p || i.knots.size() != i.points.size() + p + 1) {
        ++sizeless;
        return;
      }
      for (std::size_t span = p; span < i.points.size(); ++span) {
        if (!(i.knots[span + 1] > i.knots[span])) continue;
        auto at = [&](double t) { return to.at(on_spline(i, span, t)); };
        const DrawingPoint first = at(i.knots[span]);
        if (points.empty()) points.push_back(first);
        refine(points, at, i.knots[span], first, i.knots[span + 1], at(i.knots[span + 1]), 0);
        if (points.size() > drawing_most_points) count_points(points.size());
      }
    }
    add_path(std::move(points), i.closed, false, layer, colour);
  }

  void text(const Item& i, const Affine& to, std::uint32_t layer, std::int16_t colour) {
    if (i.text.text.empty()) return;
    DrawingText t = i.text;
    t.layer = layer;
    t.colour = colour;
    t.at = to.at(i.at);
    const double turn = t.rotation * pi / 180.0;
    const DrawingPoint along = to.turned({std::cos(turn), std::sin(turn)}),
                       up = to.turned({-std::sin(turn), std::cos(turn)});
    t.rotation = std::atan2(along.y, along.x) * 180.0 / pi;
    t.height = (t.height > 0.0 ? t.height : 2.5) * std::hypot(up.x, up.y);
    if (!(t.height > 0.0) || !std::isfinite(t.height)) {
      ++sizeless;
      return;
    }
    see(t.at);
    count_points(1);
    drawing_.texts.push_back(std::move(t));
  }

  const Contents& contents_;
  Drawing& drawing_;
  double tolerance_;
  std::size_t items_ = 0, points_ = 0;
};

} // namespace

std::string Drawing::not_shown_words() const {
  std::string out;
  for (const auto& [kind, count] : not_shown)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, kind);
  return out.empty() ? out : out + " not shown";
}

tl::expected<Drawing, std::string> read_dxf(std::string_view text, const std::string& file,
                                            const DrawingOptions& options) {
  const auto groups = read_dxf_groups(text, file);
  if (!groups) return tl::make_unexpected(groups.error());
  try {
    Drawing drawing;
    Contents contents(file, drawing);
    contents.layer("0");
    Feed feed(*groups, contents);
    std::istringstream cleaned(feed.cleaned());
    Receiver receiver(contents);
    DL_Dxf().in(cleaned, &receiver);
    drawing.units = units_of(feed.header_values);

    const std::size_t layers = drawing.layers.size();
    auto expand = [&](double tolerance) {
      drawing.paths.clear();
      drawing.texts.clear();
      drawing.dots.clear();
      drawing.extent.reset();
      Expansion expansion(contents, drawing, tolerance);
      expansion.run();
      return expansion;
    };
    double tolerance =
        drawing.units.millimetres_per_unit ? options.tolerance_mm / *drawing.units.millimetres_per_unit : 0.0;
    if (!drawing.units.millimetres_per_unit) {
      expand(std::numeric_limits<double>::max());
      const double size = drawing.extent ? std::hypot(drawing.extent->high.x - drawing.extent->low.x,
                                                      drawing.extent->high.y - drawing.extent->low.y)
                                         : 1.0;
      tolerance = size > 0.0 ? size / 20000.0 : 1.0;
    }
    const Expansion done = expand(tolerance);
    drawing.tolerance = tolerance;
    drawing.layers.resize(layers);
    drawing.not_shown.assign(contents.not_shown.begin(), contents.not_shown.end());
    if (done.missing_blocks > 0) {
      std::string names;
      for (const std::string& name : done.missing_names)
        names += (names.empty() ? "'" : ", '") + plain_text(name, false) + "'";
      drawing.notes.push_back(fmt::format("{} INSERT of blocks that the file does not hold ({}) are not shown",
                                          done.missing_blocks, names));
    }
    if (done.deep_blocks > 0)
      drawing.notes.push_back(fmt::format("{} INSERT nested deeper than {} blocks, or within themselves, are not shown",
                                          done.deep_blocks, drawing_deepest_block));
    if (done.through_points > 0)
      drawing.notes.push_back(fmt::format("{} SPLINE given by points on it only: drawn as a smooth curve through them",
                                          done.through_points));
    if (done.sizeless > 0) drawing.notes.push_back(fmt::format("{} entities without size are left out", done.sizeless));
    if (contents.cut_texts > 0)
      drawing.notes.push_back(fmt::format("{} texts are cut after 1000 bytes", contents.cut_texts));
    return drawing;
  } catch (const Refused& refused) {
    return tl::make_unexpected(refused.sentence);
  } catch (const std::bad_alloc&) {
    return tl::make_unexpected(file + ": the drawing needs more memory than there is");
  }
}

} // namespace hallwright
