// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/dxf_export.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace hallwright {
namespace {

/// Handles of the objects that others name; entities count up from the first free one.
enum Handle : unsigned {
  vport_table = 0x8,
  ltype_table = 0x5,
  layer_table = 0x2,
  style_table = 0x3,
  view_table = 0x6,
  ucs_table = 0x7,
  appid_table = 0x9,
  dimstyle_table = 0xA,
  block_record_table = 0x1,
  root_dictionary = 0xC,
  group_dictionary = 0xD,
  plotstyle_dictionary = 0xE,
  plotstyle_normal = 0xF,
  layout_dictionary = 0x1A,
  model_record = 0x1F,
  paper_record = 0x1B,
  model_layout = 0x22,
  paper_layout = 0x1E,
  text_style = 0x11,
  first_free = 0x40
};

class Writer {
public:
  std::string out;
  unsigned next = first_free;

  void put(int code, std::string_view value) { out += fmt::format("{:3}\n{}\n", code, value); }
  void put(int code, int value) { put(code, std::string_view(std::to_string(value))); }
  void put(int code, unsigned value) = delete;
  void real(int code, double value) {
    // Dust of a turned corner is no coordinate: a nanometre is finer than any CAD program draws.
    double rounded = std::round(value * 1e6) / 1e6;
    if (rounded == 0.0) rounded = 0.0; // no minus zero
    std::string text = fmt::format("{}", rounded);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    put(code, text);
  }
  void point(int code, double x, double y) {
    real(code, x);
    real(code + 10, y);
  }
  void point(int code, double x, double y, double z) {
    point(code, x, y);
    real(code + 20, z);
  }
  void handle(int code, unsigned h) { put(code, std::string_view(fmt::format("{:X}", h))); }
  unsigned fresh(int code = 5) {
    handle(code, next);
    return next++;
  }
  void begin_section(std::string_view name) { put(0, "SECTION"), put(2, name); }
  void end_section() { put(0, "ENDSEC"); }
  void begin_table(std::string_view name, unsigned h, int entries) {
    put(0, "TABLE"), put(2, name), handle(5, h), handle(330, 0), put(100, "AcDbSymbolTable"), put(70, entries);
  }
  void end_table() { put(0, "ENDTAB"); }
  /// Begins a record; `h` 0: a fresh handle.
  void record(std::string_view type, unsigned owner, std::string_view subclass, std::string_view name, unsigned h = 0,
              int handle_code = 5) {
    put(0, type);
    if (h == 0)
      fresh(handle_code);
    else
      handle(handle_code, h);
    handle(330, owner), put(100, "AcDbSymbolTableRecord"), put(100, subclass), put(2, name), put(70, 0);
  }
  void entity(std::string_view type, std::string_view layer) {
    put(0, type), fresh(), handle(330, model_record), put(100, "AcDbEntity"), put(8, layer);
  }
};

struct Box {
  double x0 = 0.0, y0 = 0.0, x1 = 1000.0, y1 = 1000.0;
};
Box box_of(const DxfSheet& sheet) {
  Box box;
  bool any = false;
  auto see = [&](const DxfPoint& p) {
    if (!any) box = {p.x, p.y, p.x, p.y};
    any = true;
    box = {std::min(box.x0, p.x), std::min(box.y0, p.y), std::max(box.x1, p.x), std::max(box.y1, p.y)};
  };
  for (const DxfPolyline& p : sheet.polylines)
    for (const DxfPoint& q : p.points)
      see(q);
  for (const DxfText& t : sheet.texts)
    see(t.at);
  return box;
}

void write_header(Writer& w, const DxfSheet& sheet, const Box& box, std::size_t handles) {
  w.put(999, dxf_escaped(sheet.title));
  w.begin_section("HEADER");
  w.put(9, "$ACADVER"), w.put(1, "AC1015");
  w.put(9, "$DWGCODEPAGE"), w.put(3, "ANSI_1252");
  w.put(9, "$INSBASE"), w.point(10, 0, 0, 0);
  w.put(9, "$EXTMIN"), w.point(10, box.x0, box.y0, 0);
  w.put(9, "$EXTMAX"), w.point(10, box.x1, box.y1, 0);
  w.put(9, "$LIMMIN"), w.point(10, box.x0, box.y0);
  w.put(9, "$LIMMAX"), w.point(10, box.x1, box.y1);
  w.put(9, "$LTSCALE"), w.real(40, 1.0);
  w.put(9, "$TEXTSTYLE"), w.put(7, "Standard");
  w.put(9, "$CLAYER"), w.put(8, "0");
  w.put(9, "$LUNITS"), w.put(70, 2);
  w.put(9, "$LUPREC"), w.put(70, 2);
  w.put(9, "$HANDSEED"), w.handle(5, static_cast<unsigned>(first_free + handles));
  w.put(9, "$MEASUREMENT"), w.put(70, 1);
  w.put(9, "$INSUNITS"), w.put(70, 4);
  w.end_section();
}

void write_tables(Writer& w, const DxfSheet& sheet, const Box& box) {
  w.begin_section("TABLES");
  w.begin_table("VPORT", vport_table, 1);
  w.record("VPORT", vport_table, "AcDbViewportTableRecord", "*Active");
  w.point(10, 0, 0), w.point(11, 1, 1);
  w.point(12, (box.x0 + box.x1) / 2.0, (box.y0 + box.y1) / 2.0);
  w.point(13, 0, 0), w.point(14, 10, 10), w.point(15, 10, 10), w.point(16, 0, 0, 1), w.point(17, 0, 0, 0);
  w.real(40, std::max({box.y1 - box.y0, (box.x1 - box.x0) / 1.6, 1000.0}) * 1.1); // height of the view
  w.real(41, 1.6), w.real(42, 50.0), w.real(43, 0.0), w.real(44, 0.0), w.real(50, 0.0), w.real(51, 0.0);
  w.put(71, 0), w.put(72, 1000), w.put(73, 1), w.put(74, 3), w.put(75, 0), w.put(76, 0), w.put(77, 0), w.put(78, 0);
  w.end_table();

  w.begin_table("LTYPE", ltype_table, 4);
  for (const std::string_view name : {"ByBlock", "ByLayer", "Continuous"}) {
    w.record("LTYPE", ltype_table, "AcDbLinetypeTableRecord", name);
    w.put(3, ""), w.put(72, 65), w.put(73, 0), w.real(40, 0.0);
  }
  w.record("LTYPE", ltype_table, "AcDbLinetypeTableRecord", "HALL-DASHED");
  w.put(3, "__ __ __ __"), w.put(72, 65), w.put(73, 2), w.real(40, 300.0);
  w.real(49, 200.0), w.put(74, 0), w.real(49, -100.0), w.put(74, 0);
  w.end_table();

  w.begin_table("LAYER", layer_table, static_cast<int>(sheet.layers.size()) + 1);
  auto layer = [&](std::string_view name, int colour, bool dashed) {
    w.record("LAYER", layer_table, "AcDbLayerTableRecord", name);
    w.put(62, colour), w.put(6, dashed ? "HALL-DASHED" : "Continuous"), w.put(370, -3), w.handle(390, plotstyle_normal);
  };
  layer("0", 7, false);
  for (const DxfLayer& l : sheet.layers)
    if (l.name != "0") layer(l.name, l.colour, l.dashed);
  w.end_table();

  w.begin_table("STYLE", style_table, 1);
  w.record("STYLE", style_table, "AcDbTextStyleTableRecord", "Standard", text_style);
  w.real(40, 0.0), w.real(41, 1.0), w.real(50, 0.0), w.put(71, 0), w.real(42, 100.0), w.put(3, "arial.ttf"),
      w.put(4, "");
  w.end_table();
  w.begin_table("VIEW", view_table, 0), w.end_table();
  w.begin_table("UCS", ucs_table, 0), w.end_table();
  w.begin_table("APPID", appid_table, 1);
  w.record("APPID", appid_table, "AcDbRegAppTableRecord", "ACAD");
  w.end_table();
  w.begin_table("DIMSTYLE", dimstyle_table, 1);
  w.put(100, "AcDbDimStyleTable");
  w.record("DIMSTYLE", dimstyle_table, "AcDbDimStyleTableRecord", "Standard", 0, 105);
  w.real(40, 1.0), w.real(41, 100.0), w.real(42, 50.0), w.real(44, 100.0), w.real(140, 150.0), w.real(147, 50.0),
      w.put(77, 1), w.handle(340, text_style);
  w.end_table();
  w.begin_table("BLOCK_RECORD", block_record_table, 2);
  for (const auto& [name, h, layout] :
       {std::tuple<std::string_view, unsigned, unsigned>{"*Model_Space", model_record, model_layout},
        {"*Paper_Space", paper_record, paper_layout}}) {
    w.put(0, "BLOCK_RECORD"), w.handle(5, h), w.handle(330, block_record_table), w.put(100, "AcDbSymbolTableRecord"),
        w.put(100, "AcDbBlockTableRecord"), w.put(2, name), w.handle(340, layout);
  }
  w.end_table();
  w.end_section();

  w.begin_section("BLOCKS");
  for (const auto& [name, h] :
       {std::pair<std::string_view, unsigned>{"*Model_Space", model_record}, {"*Paper_Space", paper_record}}) {
    w.put(0, "BLOCK"), w.fresh(), w.handle(330, h), w.put(100, "AcDbEntity");
    if (h == paper_record) w.put(67, 1);
    w.put(8, "0"), w.put(100, "AcDbBlockBegin"), w.put(2, name), w.put(70, 0), w.point(10, 0, 0, 0), w.put(3, name),
        w.put(1, "");
    w.put(0, "ENDBLK"), w.fresh(), w.handle(330, h), w.put(100, "AcDbEntity");
    if (h == paper_record) w.put(67, 1);
    w.put(8, "0"), w.put(100, "AcDbBlockEnd");
  }
  w.end_section();
}

void write_entities(Writer& w, const DxfSheet& sheet) {
  w.begin_section("ENTITIES");
  for (const DxfPolyline& p : sheet.polylines) {
    if (p.points.size() < 2) continue;
    w.entity("LWPOLYLINE", p.layer);
    w.put(100, "AcDbPolyline"), w.put(90, static_cast<int>(p.points.size())), w.put(70, p.closed ? 1 : 0),
        w.real(43, 0.0);
    for (const DxfPoint& q : p.points)
      w.point(10, q.x, q.y);
  }
  for (const DxfText& t : sheet.texts) {
    w.entity("TEXT", t.layer);
    w.put(100, "AcDbText"), w.point(10, t.at.x, t.at.y, 0), w.real(40, t.height), w.put(1, dxf_escaped(t.text));
    if (t.rotation != 0.0) w.real(50, t.rotation);
    w.put(7, "Standard");
    const bool aligned = t.across != DxfAcross::left || t.up != DxfUp::baseline;
    if (aligned) w.put(72, static_cast<int>(t.across)), w.point(11, t.at.x, t.at.y, 0);
    w.put(100, "AcDbText");
    if (aligned) w.put(73, static_cast<int>(t.up));
  }
  w.end_section();
}

void write_objects(Writer& w) {
  w.begin_section("OBJECTS");
  auto dictionary = [&](unsigned h, unsigned owner,
                        std::initializer_list<std::pair<std::string_view, unsigned>> entries) {
    w.put(0, "DICTIONARY"), w.handle(5, h), w.handle(330, owner), w.put(100, "AcDbDictionary"), w.put(281, 1);
    for (const auto& [name, entry] : entries)
      w.put(3, name), w.handle(350, entry);
  };
  dictionary(root_dictionary, 0,
             {{"ACAD_GROUP", group_dictionary},
              {"ACAD_LAYOUT", layout_dictionary},
              {"ACAD_PLOTSTYLENAME", plotstyle_dictionary}});
  dictionary(group_dictionary, root_dictionary, {});
  dictionary(layout_dictionary, root_dictionary, {{"Layout1", paper_layout}, {"Model", model_layout}});
  w.put(0, "ACDBDICTIONARYWDFLT"), w.handle(5, plotstyle_dictionary), w.handle(330, root_dictionary),
      w.put(100, "AcDbDictionary"), w.put(281, 1);
  w.put(3, "Normal"), w.handle(350, plotstyle_normal), w.put(100, "AcDbDictionaryWithDefault"),
      w.handle(340, plotstyle_normal);
  w.put(0, "ACDBPLACEHOLDER"), w.handle(5, plotstyle_normal), w.handle(330, plotstyle_dictionary);
  // Two layouts on A3, which every file of this release must have.
  for (const bool model : {true, false}) {
    w.put(0, "LAYOUT"), w.handle(5, model ? model_layout : paper_layout), w.handle(330, layout_dictionary);
    w.put(100, "AcDbPlotSettings"), w.put(1, ""), w.put(2, ""), w.put(4, "A3"), w.put(6, "");
    for (const auto& [code, value] : {std::pair{40, 7.5},
                                      {41, 20.0},
                                      {42, 7.5},
                                      {43, 20.0},
                                      {44, 420.0},
                                      {45, 297.0},
                                      {46, 0.0},
                                      {47, 0.0},
                                      {48, 0.0},
                                      {49, 0.0},
                                      {140, 0.0},
                                      {141, 0.0},
                                      {142, 1.0},
                                      {143, 1.0}})
      w.real(code, value);
    w.put(70, model ? 1024 : 0), w.put(72, 1), w.put(73, 1), w.put(74, 5), w.put(7, ""), w.put(75, 16),
        w.real(147, 1.0), w.real(148, 0.0), w.real(149, 0.0);
    w.put(100, "AcDbLayout"), w.put(1, model ? "Model" : "Layout1"), w.put(70, 1), w.put(71, model ? 0 : 1);
    w.point(10, 0, 0), w.point(11, 420, 297), w.point(12, 0, 0, 0), w.point(14, 0, 0, 0), w.point(15, 420, 297, 0),
        w.real(146, 0.0);
    w.point(13, 0, 0, 0), w.point(16, 1, 0, 0), w.point(17, 0, 1, 0), w.put(76, 0),
        w.handle(330, model ? model_record : paper_record);
  }
  w.end_section();
}

/// Whether "%%" begins a code ("%%d" is a degree sign) and is no text.
bool starts_code(std::string_view text) {
  return text.size() > 2 && text.starts_with("%%") &&
         std::string_view("cdpoukCDPOUK%0123456789").find(text[2]) != std::string_view::npos;
}

/// The byte of a character of code page 1252, which the header names; 0 where it has none.
char code_page_byte(std::uint32_t code) {
  if (code >= 0xA0 && code <= 0xFF) return static_cast<char>(code);
  static constexpr std::array<std::uint16_t, 32> upper{0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                       0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                       0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                       0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
  for (std::size_t i = 0; i < upper.size(); ++i)
    if (upper[i] == code) return static_cast<char>(0x80U + i);
  return '\0';
}

} // namespace

std::string dxf_escaped(std::string_view utf8) {
  std::string out;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    if (lead < 0x80) {
      if (lead < 0x20 || lead == 0x7F)
        out += ' ';
      else if (lead == '^')
        out += "^ ";
      else if (lead == '%' && starts_code(utf8.substr(i)))
        out += "%%%";
      else if (lead == '\\' && i + 2 < utf8.size() && (utf8[i + 1] == 'U' || utf8[i + 1] == 'M') && utf8[i + 2] == '+')
        out += "\\U+005C";
      else
        out += static_cast<char>(lead);
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
    std::uint32_t code = length == 4 ? lead & 0x07U : length == 3 ? lead & 0x0FU : lead & 0x1FU;
    bool good = length > 1 && i + length <= utf8.size();
    for (std::size_t k = 1; good && k < length; ++k) {
      good = (static_cast<unsigned char>(utf8[i + k]) & 0xC0U) == 0x80U;
      code = code << 6U | (static_cast<unsigned char>(utf8[i + k]) & 0x3FU);
    }
    if (!good || code > 0xFFFF)
      out += '?'; // the escape has four digits
    else if (const char byte = code_page_byte(code); byte != '\0')
      out += byte;
    else
      out += fmt::format("\\U+{:04X}", code);
    i += good ? length : 1;
  }
  return out;
}

std::string dxf_text(const DxfSheet& sheet) {
  const Box box = box_of(sheet);
  Writer w;
  w.out.reserve((sheet.polylines.size() * 160 + sheet.texts.size() * 200) + 20000);
  // Handles are counted from here on, so the seed in the header must lie above all of them.
  write_header(w, sheet, box, 64 + sheet.layers.size() + sheet.polylines.size() + sheet.texts.size());
  write_tables(w, sheet, box);
  write_entities(w, sheet);
  write_objects(w);
  w.put(0, "EOF");
  return std::move(w.out);
}

} // namespace hallwright
