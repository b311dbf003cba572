// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/fabric_study.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "fabric/communicators.h"
#include "fabric/drawn_failures.h"
#include "quantity/quantity.h"

namespace hallwright {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("FabricStudy", text); }
QString racks_of(std::size_t n) { return n == 1 ? tr("1 rack") : tr("%1 racks").arg(n); }

const NetworkCabling* cabling_of(const Evaluation& e, Id network) {
  return e.cabling ? e.cabling->find(network) : nullptr;
}

/// Places, lengths, media and parts of every link.
std::shared_ptr<wired::Picture> bare_picture(const Evaluation& e, const NetworkCabling& c,
                                             std::vector<wired::ReachLimit>& limits) {
  auto p = std::make_shared<wired::Picture>();
  p->network = c.network;
  p->name = QString::fromStdString(c.name);
  p->wiring = c.wiring;
  if (!c.wiring) return p;
  const std::size_t n = c.wiring->links.size();
  if (c.places && c.places->places.size() == c.wiring->devices.size()) {
    p->places.resize(c.places->places.size());
    for (std::size_t d = 0; d < p->places.size(); ++d) {
      const DevicePlace& place = c.places->places[d];
      p->places[d] = {c.places->rack_of(static_cast<std::uint32_t>(d)), place.half_unit};
    }
    for (const DeviceRack& r : c.places->racks)
      if (const Rack* rack = find(*e.design.racks, r.rack)) p->rack_names[r.rack] = QString::fromStdString(rack->name);
  }
  if (!c.plan || c.plan->links.size() != n) return p;
  const CablePlan& plan = *c.plan;
  p->length_m.resize(n);
  p->ordered_m.resize(n);
  p->estimated.resize(n);
  p->medium.resize(n, LinkMedium::automatic);
  p->cable.resize(n, 0xffff);
  for (const LinkChoice& choice : plan.choices) {
    const std::string& part = choice.cable.empty() ? choice.near_optic : choice.cable;
    const CablePart* cable = e.catalog ? e.catalog->find<CablePart>(choice.cable) : nullptr;
    p->cables << QString::fromStdString(cable ? cable->name : part);
  }
  for (std::size_t l = 0; l < n; ++l) {
    const LinkCable& cable = plan.links[l];
    p->length_m[l] = static_cast<float>(cable.routed_mm / 1000.0);
    p->ordered_m[l] = cable.ordered_mm > 0 ? static_cast<float>(cable.ordered_mm / 1000.0) : std::nanf("");
    p->estimated[l] = cable.how == LengthKind::estimated || cable.how == LengthKind::assumed;
    if (cable.choice == LinkCable::no_choice) continue;
    p->medium[l] = plan.choices[cable.choice].medium;
    p->cable[l] = cable.choice;
  }
  // One line a medium: how far the choices in use reach.
  std::map<std::pair<LinkMedium, double>, QString> reach;
  for (const MediumRow& row : plan.media) {
    const LinkChoice& choice = plan.choices[row.choice];
    if (row.links > 0 && choice.limit_known && choice.limit_mm > 0)
      reach.try_emplace({choice.medium, choice.limit_mm / 1000.0}, wired::medium_name(choice.medium));
  }
  for (const auto& [key, name] : reach)
    limits.push_back({key.first, key.second, name});
  return p;
}

/// As the evaluation tells it.
void add_outages(wired::Picture& p, const Evaluation& e, FabricOutages& out) {
  if (!e.traffic) return;
  const Wiring& w = *p.wiring;
  const TrafficResult& traffic = *e.traffic;
  const NetworkLeft* told = nullptr;
  for (const NetworkLeft& n : traffic.left)
    if (n.network == p.network && n.dead.size() == w.links.size()) told = &n;
  if (told)
    for (const LostParts& lost : told->lost)
      out.names << QString::fromStdString(lost.name);
  // Elements of this network, and all drawn things: they are those of every network.
  for (const Failure& f : *e.design.failures)
    if (f.thing != 0 || f.network == p.network) out.rows.push_back(f.id);
  for (const FailureProblem& problem : traffic.problems)
    if (std::find(out.rows.begin(), out.rows.end(), problem.failure) != out.rows.end())
      out.problems << QString::fromStdString(problem.sentence);
  for (const ThingLeft& t : traffic.things) {
    const QString name = QString::fromStdString(t.thing.name);
    if (!t.thing.note.empty())
      out.problems << tr("%1 takes nothing: %2.").arg(name, QString::fromStdString(t.thing.note));
    else if (!out.names.contains(name))
      out.problems << tr("%1 takes nothing of this network.").arg(name);
    else if (t.thing.racks.size() > 1 || t.thing.racks_kept > 0)
      out.problems << tr("%1 takes %2.").arg(name, racks_of(t.thing.racks.size()));
  }
  out.any = !out.rows.empty();
  if (!told) return;
  out.left = told->left;
  p.device_outage.assign(w.devices.size(), wired::Outage::none);
  p.link_outage.assign(w.links.size(), wired::Outage::none);
  for (std::size_t l = 0; l < told->dead.size(); ++l)
    if (told->dead[l]) p.link_outage[l] = wired::Outage::lost;
  for (const LostParts& lost : told->lost) {
    for (const std::uint32_t d : lost.devices)
      p.device_outage[d] = wired::Outage::stated;
    for (const std::uint32_t l : lost.links)
      p.link_outage[l] = wired::Outage::stated;
  }
  for (std::uint32_t d = 0; d < w.devices.size(); ++d) {
    if (p.device_outage[d] != wired::Outage::none || w.devices[d].kind != DeviceKind::node) continue;
    const auto links = w.at_device(d);
    if (!links.empty() && std::all_of(links.begin(), links.end(),
                                      [&](std::uint32_t l) { return p.link_outage[l] != wired::Outage::none; }))
      p.device_outage[d] = wired::Outage::lost;
  }
}

void add_traffic(wired::Picture& p, const Evaluation& e, FabricTraffic& out, const std::stop_token& stop) {
  const Wiring& w = *p.wiring;
  const Network* network = find(*e.design.networks, p.network);
  if (!network) return;
  if (network->kind != NetworkKind::compute) {
    out.note = tr("Loads are those of the job, which runs over the compute network.");
    return;
  }
  if (!e.traffic || !e.traffic->placement) {
    const Figure* why = e.figures.find("traffic.spine_share");
    out.note =
        why && !why->reason.empty() ? QString::fromStdString(why->reason) : tr("The job does not lie on this network.");
    return;
  }
  const std::vector<CommunicatorTraffic>& traffic = e.traffic->communicators;
  const std::vector<NodePlace>& places = e.traffic->places;
  std::vector<NetworkFlow> flows;
  constexpr std::size_t most_flows = 4'000'000;
  for (const CommunicatorTraffic& t : traffic) {
    if (stop.stop_requested()) return;
    auto some = network_flows(t, *e.traffic->placement, places, most_flows, stop);
    if (!some) {
      out.note = QStringLiteral("%1: %2").arg(QString::fromStdString(t.name), QString::fromStdString(some.error()));
      continue;
    }
    flows.insert(flows.end(), some->begin(), some->end());
  }
  if (flows.empty()) {
    if (out.note.isEmpty()) out.note = tr("The job sends nothing over this network.");
    return;
  }
  FabricPaths paths(w);
  if (!p.link_outage.empty()) {
    std::vector<bool> dead(w.links.size());
    for (std::size_t l = 0; l < dead.size(); ++l)
      dead[l] = p.link_outage[l] != wired::Outage::none;
    paths.take_out(std::move(dead));
  }
  LoadOptions options;
  options.choice = network->path_choice;
  options.flows_per_pair = network->flows_per_pair;
  options.link_gb_s = in_gigabits_per_second(network->link_rate) / 8.0;
  options.uplink_gb_s = network->uplink_rate ? in_gigabits_per_second(*network->uplink_rate) / 8.0 : options.link_gb_s;
  auto loads = link_loads(paths, flows, options, stop);
  if (!loads) {
    out.note = QString::fromStdString(loads.error());
    return;
  }
  if (loads->stopped || loads->link_bytes.size() < 2 * w.links.size()) return;
  out.known = true;
  out.spread = loads->spread;
  out.without_path = loads->without_path;
  out.worst = QString::fromStdString(loads->worst_name);
  out.worst_s = loads->worst_s;
  if (loads->worst != FabricPaths::no_link) out.worst_link = loads->worst / 2;
  p.load.resize(w.links.size());
  p.bytes.resize(w.links.size());
  for (std::size_t l = 0; l < w.links.size(); ++l) {
    const double bytes = std::max(loads->link_bytes[2 * l], loads->link_bytes[2 * l + 1]);
    const double rate = (w.links[l].kind == LinkClass::node_leaf ? options.link_gb_s : options.uplink_gb_s) * 1e9;
    p.bytes[l] = bytes;
    p.load[l] = loads->worst_s > 0 ? static_cast<float>(bytes / rate / loads->worst_s) : 0.0F;
  }
}

} // namespace

Count gpus_per_node_of(const Evaluation& e) {
  if (e.population && e.population->accelerators_per_node.has_value())
    return std::clamp<Count>(e.population->accelerators_per_node.value, 1, 4096);
  return 8;
}

FabricPictureAnswer fabric_picture(const SharedEvaluation& evaluation, Id network, const FabricPictureAnswer* previous,
                                   bool traffic, const std::stop_token& stop) {
  FabricPictureAnswer out;
  out.network = network;
  out.evaluation = evaluation;
  const NetworkCabling* c = evaluation ? cabling_of(*evaluation, network) : nullptr;
  if (!c) return out;
  auto picture = bare_picture(*evaluation, *c, out.limits);
  if (picture->shows()) {
    out.scene = previous && previous->scene && previous->scene->wiring == picture->wiring
                    ? previous->scene
                    : std::make_shared<const wired::Scene>(wired::make_scene(picture->wiring));
    if (!stop.stop_requested()) add_outages(*picture, *evaluation, out.outages);
    if (traffic && !stop.stop_requested()) {
      add_traffic(*picture, *evaluation, out.traffic, stop);
      out.with_traffic = !stop.stop_requested();
    }
  }
  out.picture = std::move(picture);
  return out;
}

SinglesRest singles_rest(const Evaluation& e, Id network) {
  SinglesRest out;
  if (const NetworkCabling* c = cabling_of(e, network)) out.wiring = c->wiring, out.places = c->places, out.plan = c->plan;
  out.racks = e.design.racks;
  out.power_units = e.design.power_units;
  out.trays = e.design.trays;
  out.power_plant = e.design.power_plant;
  return out;
}

SingleFailures single_failures(const Evaluation& e, Id network, const std::stop_token& stop) {
  SingleFailures out;
  const NetworkCabling* c = cabling_of(e, network);
  if (!c || !c->wiring) return out;
  const FailureStudy study(*c->wiring, gpus_per_node_of(e));
  const std::vector<LossGroup> groups = single_losses(e.design, *c, e.cabling->trays.get(), stop);
  if (stop.stop_requested()) return out;
  out.classes = study.all_single(stop, groups);
  for (const FailureClass& c : out.classes) {
    if (c.kind != "leaf" && c.kind != "spine" && c.kind != "core") continue;
    if (c.left.injection < out.least_injection.value_or(2)) {
      out.least_injection = c.left.injection;
      out.injection_switch = QString::fromStdString(c.example.name);
    }
    if (c.left.bisection && *c.left.bisection < out.least_bisection.value_or(2)) {
      out.least_bisection = c.left.bisection;
      out.bisection_switch = QString::fromStdString(c.example.name);
    }
  }
  return out;
}

} // namespace hallwright
