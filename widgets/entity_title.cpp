// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/entity_title.h"

#include <map>

#include <QCoreApplication>

#include "widgets/figure_text.h"

namespace hallwright {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("EntityTitle", text); }

QString part_title(const Catalog* catalog, const std::string& part) {
  if (catalog) {
    if (const auto* p = catalog->find<NodePart>(part)) return to_qstring(p->name);
    if (const auto* p = catalog->find<SwitchPart>(part)) return to_qstring(p->name);
    if (const auto* p = catalog->find<StoragePart>(part)) return to_qstring(p->name);
    if (const auto* p = catalog->find<PowerPart>(part)) return to_qstring(p->name);
    if (const auto* p = catalog->find<CoolingPart>(part)) return to_qstring(p->name);
    if (const auto* p = catalog->find<RackPart>(part)) return to_qstring(p->name);
    if (const auto* p = catalog->find<FluidPart>(part)) return to_qstring(p->name);
    if (const auto* p = catalog->find<ClimatePart>(part)) return to_qstring(p->name);
  }
  return to_qstring(part);
}

} // namespace

QString table_word(const std::string& table) {
  if (table == "rack_items") return tr("Rack item");
  if (table == "notes") return tr("Note");
  if (table == "dimensions") return tr("Dimension");
  if (table == "guides") return tr("Guide");
  if (table == "part_overrides") return tr("Replaced value");
  if (table == "waivers") return tr("Waiver");
  if (table == "scenario_changes") return tr("Change of a scenario");
  if (table == "published") return tr("Published figure");
  if (table == "halls") return tr("Hall");
  if (table == "zones") return tr("Zone");
  if (table == "groups") return tr("Group");
  if (table == "structures") return tr("Part of the structure");
  if (table == "rack_types") return tr("Rack type");
  if (table == "rows") return tr("Row");
  if (table == "racks") return tr("Rack");
  if (table == "power_units") return tr("Power unit");
  if (table == "loops") return tr("Coolant loop");
  if (table == "cooling_units") return tr("Cooling unit");
  if (table == "containments") return tr("Containment");
  if (table == "trays") return tr("Cable tray");
  if (table == "pipes") return tr("Pipe");
  if (table == "networks") return tr("Network");
  if (table == "scenarios") return tr("Scenario");
  if (table == "underlays") return tr("Underlay");
  if (table == "failures") return tr("Part out of service");
  QString word = to_qstring(table).replace(QLatin1Char('_'), QLatin1Char(' '));
  return word.isEmpty() ? word : word.front().toUpper() + word.mid(1);
}

QString things_of(const std::string& table, int n) {
  if (n == 1) return tr("1 ") + table_word(table).toLower();
  if (table == "racks") return tr("%1 racks").arg(n);
  if (table == "power_units") return tr("%1 power units").arg(n);
  if (table == "cooling_units") return tr("%1 cooling units").arg(n);
  if (table == "structures") return tr("%1 parts of the structure").arg(n);
  if (table == "part_overrides") return tr("%1 replaced values").arg(n);
  if (table == "scenario_changes") return tr("%1 changes of a scenario").arg(n);
  if (table == "published") return tr("%1 published figures").arg(n);
  if (table == "trays") return tr("%1 cable trays").arg(n);
  if (table == "loops") return tr("%1 coolant loops").arg(n);
  if (table == "failures") return tr("%1 parts out of service").arg(n);
  return QString::number(n) + QLatin1Char(' ') + to_qstring(table).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString screen_choice(std::string_view word) {
  static const std::map<std::string_view, QString> shown{
      {"ups", tr("UPS")}, {"cdu", tr("CDU")}, {"crah", tr("CRAH")}, {"bf16", tr("BF16")},        {"fp16", tr("FP16")},
      {"fp8", tr("FP8")}, {"fp4", tr("FP4")}, {"dxf", tr("DXF")},   {"rack pdu", tr("rack PDU")},
      {"fp8 block", tr("FP8 in blocks")},
      {"mxfp8", tr("MXFP8")},
      {"fp32", tr("FP32")},
      {"tf32", tr("TF32")},
      // Schedules as the timeline and the search name them.
      {"1f1b", tr("1F1B")},
      {"gpipe", tr("GPipe")},
      {"zb-h1", tr("ZB-1P")},
      {"zb-h2", tr("ZB-2P")},
      {"zb-v", tr("ZB-V")},
      {"bidirectional", tr("DualPipe (bidirectional)")},
      {"megatron 2020", tr("Megatron-LM 2020-22")},
      {"megatron-deepspeed", tr("Megatron-DeepSpeed")},
      {"composer", tr("MosaicML llm-foundry (FSDP)")},
      {"nemo", tr("NeMo / Megatron-Core 2024-25")},
      {"megatron-bridge 25", tr("Megatron-Bridge 25.x")},
      {"megatron-bridge early 26", tr("Megatron-Bridge 26.02-26.04")},
      {"megatron-bridge late 26", tr("Megatron-Bridge 26.06 and later")},
      {"torchtitan", tr("TorchTitan (FSDP 2, compiled)")},
      {"fsdp eager", tr("PyTorch FSDP, eager")},
      {"lora", tr("LoRA adapters")},
      {"qlora", tr("QLoRA adapters")},
      {"all linear", tr("all linear layers")}};
  const auto it = shown.find(word);
  return it == shown.end() ? to_qstring(word) : it->second;
}

QString maker_and_name(const std::string& vendor, const std::string& name) {
  if (vendor.empty() || name.rfind(vendor, 0) == 0) return to_qstring(name);
  return to_qstring(vendor + " " + name);
}

QString value_words(const FieldInfo& field, const FieldValue& value, const Design& design, const Catalog* catalog) {
  if (std::holds_alternative<std::monostate>(value)) return tr("not set");
  if (const auto* on = std::get_if<bool>(&value)) return *on ? tr("on") : tr("off");
  if (field.type == FieldType::reference) {
    const auto* id = std::get_if<std::int64_t>(&value);
    if (!id || *id == 0) return tr("none");
    return entity_title(design, catalog, {std::string(field.target), *id});
  }
  if (field.type == FieldType::part) {
    const auto* part = std::get_if<std::string>(&value);
    return !part || part->empty() ? tr("none") : part_title(catalog, *part);
  }
  if (field.type == FieldType::choice) return screen_choice(field_text(field, value));
  QString text = screen_field(field, value).simplified();
  constexpr qsizetype longest = 40;
  if (text.size() > longest) text = text.left(longest - 1) + QChar(0x2026);
  return text.isEmpty() ? tr("nothing") : text;
}

QString path_words(const Design& design, const Catalog* catalog, const std::string& path) {
  const auto parsed = parse_path(design, path);
  if (!parsed) return to_qstring(path);
  for (const FieldInfo& field : table_fields(parsed->entity.table))
    if (field.name == parsed->field)
      return tr("%1 of %2").arg(to_qstring(field.label), entity_title(design, catalog, parsed->entity));
  return to_qstring(path);
}

QString entity_title(const Design& design, const Catalog* catalog, const EntityRef& entity) {
  if (entity.table == "rack_items") {
    if (const RackItem* item = find(*design.rack_items, entity.id); item && !item->part.empty())
      return QStringLiteral("%1 \u00d7 %2").arg(item->count).arg(part_title(catalog, item->part));
  } else if (entity.table == "part_overrides") {
    const PartOverride* o = find(*design.part_overrides, entity.id);
    QString part = o ? to_qstring(o->part) : QString(), field = o ? to_qstring(o->field) : QString();
    if (o && catalog) {
      for (const PartSummary& p : part_summaries(*catalog, o->part_kind))
        if (p.id == o->part) part = to_qstring(p.name);
      for (const PartFieldValue& v : part_values(*catalog, o->part_kind, o->part))
        if (v.field.name == o->field) field = to_qstring(v.field.label);
    }
    if (!part.isEmpty() && !field.isEmpty()) return tr("%1 of %2").arg(field, part);
    if (!part.isEmpty()) return part;
  } else if (entity.table == "notes") {
    if (const Note* note = find(*design.notes, entity.id)) {
      QString line = to_qstring(note->text).section(QLatin1Char('\n'), 0, 0).trimmed();
      constexpr qsizetype longest = 40;
      if (line.size() > longest) line = line.left(longest - 1) + QChar(0x2026);
      if (!line.isEmpty()) return (note->kind == NoteKind::label ? tr("Label: %1") : tr("Note: %1")).arg(line);
    }
  } else {
    const std::string without = entity.id == 0 ? entity.table : entity.table + " " + std::to_string(entity.id);
    if (const std::string name = entity_name(design, entity); name != without) return to_qstring(name);
  }
  return entity.id == 0 ? table_word(entity.table)
                        : QStringLiteral("%1 %2").arg(table_word(entity.table)).arg(entity.id);
}

} // namespace hallwright
