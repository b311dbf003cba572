// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "fabric/fabric.h"

/// What the rules of networks share: rows of tables, remedies, and the lists of rules by subject.
namespace hallwright {

/// One row of a table of figures.
class TableRow {
public:
  TableRow(const Table& table, std::size_t row) : table_(table), row_(row) {}
  [[nodiscard]] Id id() const { return table_.entities[row_]; }
  /// NaN where the cell or the column is not known.
  [[nodiscard]] double number(std::string_view column) const {
    const TableColumn* c = table_.column(column);
    return c ? c->numbers[row_] : std::nan("");
  }
  [[nodiscard]] const std::string& words(std::string_view column) const {
    static const std::string none;
    const TableColumn* c = table_.column(column);
    return c ? c->words[row_] : none;
  }
  /// Figure of the network that the row is about.
  [[nodiscard]] std::string figure(std::string_view name) const {
    return fmt::format("fabric.network.{}.{}", id(), name);
  }

private:
  const Table& table_;
  std::size_t row_;
};

/// Calls `f(network, row)` for each row of a table whose rows are networks; nothing where there is no such table.
template <class F>
void for_each_row(const CheckContext& context, std::string_view table_id, F&& f) {
  const Table* table = context.figures.table(table_id);
  if (!table) return;
  for (std::size_t i = 0; i < table->row_count() && i < table->entities.size(); ++i)
    if (const Network* network = find(*context.design.networks, table->entities[i])) f(*network, TableRow(*table, i));
}
/// The first row of a network, or NaN and no words everywhere.
class NetworkRows {
public:
  NetworkRows(const CheckContext& context, std::string_view table_id) : table_(context.figures.table(table_id)) {}
  [[nodiscard]] double number(Id network, std::string_view column) const;
  [[nodiscard]] std::string words(Id network, std::string_view column) const;

private:
  [[nodiscard]] std::size_t row_of(Id network) const;
  const Table* table_;
};

inline std::vector<EntityRef> entities_of(const Network& n) { return {{"networks", n.id}}; }

/// Remedies that set fields of one network.
using FieldSettings = std::vector<std::pair<std::string, FieldValue>>;
Remedy set_network(Id id, std::string label, FieldSettings settings);
Remedy set_network(Id id, std::string label, std::string field_name, FieldValue value);

/// The settings that leave all media, modules and cables of a network to the catalog.
FieldSettings catalog_chooses();
/// Whether a network names a medium, module or cable.
bool names_cables(const Network& n);
/// A remedy that changes which links share a cage. Where media or parts that the network names then do not fit any more,
/// it leaves them to the catalog as well, and its label says so. None where the ways between switches pass more patch panels
/// than any module reaches through: links that a change adds there would not work.
std::optional<Remedy> rewire_network(const CheckContext& context, const Network& n, std::string label, std::string field_name, FieldValue value);

inline void add_remedy(Finding& finding, std::optional<Remedy> remedy) {
  if (remedy) finding.remedies.push_back(*std::move(remedy));
}

/// Whether a network can be counted with this change ("whole units"); also where that was not tried.
bool can_change(const CheckContext& context, const Network& n, std::string_view change);

/// The figure of this id with a value, or null.
const Figure* known_figure(const CheckContext& context, std::string_view id);
/// Number of an assumption; NaN where the catalog has none.
double assumed_number(const CheckContext& context, std::string_view id);

/// "1 cable", "12 cables".
std::string counted(double n, std::string_view one, std::string_view many = {});
/// Part of a tier; spines stand in for cores, leafs for spines.
const std::string& switch_part_of(const Network& n, SwitchTier tier);
/// Links of this rate [Gbit/s] that a switch has ports for, as the fabric stage counts them; 0: not known.
Count part_radix(const SwitchPart& part, double link_gbit_s);
/// Ports of a node for a kind of network; not set: not known.
Known<Count> node_ports(const NodePart& node, NetworkKind kind);
Known<DataRate> node_port_rate(const NodePart& node, NetworkKind kind);
/// Node parts in drawn racks, else that of the goal; each once.
std::vector<const NodePart*> node_parts(const CheckContext& context);

std::vector<Rule> shape_rules();   ///< counts and bundles: rules.cpp
std::vector<Rule> port_rules();    ///< ports, planes, growth, addresses, names
std::vector<Rule> cable_rules();   ///< media, modules, lengths, trays, watts of ends
std::vector<Rule> place_rules();   ///< where switches stand, airflow, management ports
std::vector<Rule> service_rules(); ///< jobs, storage, failures, spares

} // namespace hallwright
