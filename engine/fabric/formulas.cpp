// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/formulas.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ledger/formula_range.h"

namespace hallwright {
namespace {

/// Middle value of a non-empty list; the mean of the two middle values of an even one.
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}
double median(const std::vector<DataRate>& rates) {
  std::vector<double> values;
  values.reserve(rates.size());
  for (DataRate r : rates)
    values.push_back(base_value(r));
  return median(std::move(values));
}

} // namespace

// Fabric fault isolation

constinit const Formula<double, Count, Count> links_per_rail{
    .name = "links_per_rail",
    .text = "links / rails",
    .source = "rail arithmetic",
    .parameters = {"links", "rails"},
    .function = [](Count links, Count rails) -> Result<double> {
      if (auto wrong = violated({not_negative("links", links), at_least("rails", rails, 1)})) return *wrong;
      return 1.0 * links / rails;
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::count,
};

constinit const Formula<Count, Count> bisection_steps{
    .name = "bisection_steps",
    .text = "ceil(log2(links))",
    .source = "binary search",
    .parameters = {"links"},
    .function = [](Count links) -> Result<Count> {
      if (auto wrong = violated({at_least("links", links, 1)})) return *wrong;
      return counted_whole(whole_at_least(std::log2(static_cast<double>(links))));
    },
};

// Acceptance against the fleet

constinit const Formula<DataRate, const std::vector<DataRate>&, double> fleet_median_floor{
    .name = "fleet_median_floor",
    .text = "median(measured_bandwidths) - deviation_multiplier * 1.4826 * median(abs(measured_bandwidths - "
            "median(measured_bandwidths)))",
    .source = "median absolute deviation, Hampel 1974",
    .parameters = {"measured_bandwidths", "deviation_multiplier"},
    .function = [](const std::vector<DataRate>& measured_bandwidths, double deviation_multiplier) -> Result<DataRate> {
      if (measured_bandwidths.empty())
        return not_applicable("measured_bandwidths must hold at least one value; it is empty");
      for (DataRate each : measured_bandwidths)
        if (auto wrong = violated({not_negative("measured_bandwidths", each)})) return *wrong;
      if (auto wrong = violated({not_negative("deviation_multiplier", deviation_multiplier)})) return *wrong;
      const double middle = median(measured_bandwidths);
      std::vector<double> deviations;
      deviations.reserve(measured_bandwidths.size());
      for (DataRate b : measured_bandwidths)
        deviations.push_back(std::abs(base_value(b) - middle));
      return bytes_per_second(middle - deviation_multiplier * 1.4826 * median(std::move(deviations)));
    },
    .monotone = Monotone::mixed,
};

// Optics count

constinit const Formula<double, Count, Count, double, double> clos_transceiver_count{
    .name = "clos_transceiver_count",
    .text = "2 * endpoints * (optical_share_of_host_links + (tiers - 1) * optical_share_of_fabric_links)",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"endpoints", "tiers", "optical_share_of_host_links", "optical_share_of_fabric_links"},
    .function = [](Count endpoints, Count tiers, double optical_share_of_host_links,
                   double optical_share_of_fabric_links) -> Result<double> {
      if (auto wrong = violated({not_negative("endpoints", endpoints), at_least("tiers", tiers, 1),
                                 share("optical_share_of_host_links", optical_share_of_host_links),
                                 share("optical_share_of_fabric_links", optical_share_of_fabric_links)}))
        return *wrong;
      return 2.0 * endpoints * (optical_share_of_host_links + (tiers - 1.0) * optical_share_of_fabric_links);
    },
    .result_kind = &kind::count,
};

constinit const Formula<double, Count> twin_port_transceiver_count{
    .name = "twin_port_transceiver_count",
    .text = "endpoints + 3 * endpoints / 2",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"endpoints"},
    .function = [](Count endpoints) -> Result<double> {
      if (auto wrong = violated({not_negative("endpoints", endpoints)})) return *wrong;
      return endpoints + 3.0 * endpoints / 2.0;
    },
    .result_kind = &kind::count,
};

constinit const Formula<Count, Count> leaf_spine_transceiver_count{
    .name = "leaf_spine_transceiver_count",
    .text = "2 * endpoints",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"endpoints"},
    .function = [](Count endpoints) -> Result<Count> {
      if (auto wrong = violated({not_negative("endpoints", endpoints)})) return *wrong;
      return counted_whole(2.0 * endpoints);
    },
};

// Optics power

constinit const Formula<Power, Count, Power> transceiver_power{
    .name = "transceiver_power",
    .text = "transceivers * power_per_transceiver",
    .source = "sum of equal parts",
    .parameters = {"transceivers", "power_per_transceiver"},
    .function = [](Count transceivers, Power power_per_transceiver) -> Result<Power> {
      if (auto wrong = violated({not_negative("transceivers", transceivers),
                                 not_negative("power_per_transceiver", power_per_transceiver)}))
        return *wrong;
      return transceivers * power_per_transceiver;
    },
};

// Copy through host memory

constinit const Formula<DataRate, DataRate, DataRate> store_and_forward_bandwidth{
    .name = "store_and_forward_bandwidth",
    .text = "1 / (1 / inbound_bandwidth + 1 / outbound_bandwidth)",
    .source = "two stages in series",
    .parameters = {"inbound_bandwidth", "outbound_bandwidth"},
    .function = [](DataRate inbound_bandwidth, DataRate outbound_bandwidth) -> Result<DataRate> {
      if (auto wrong = violated({above_zero("inbound_bandwidth", inbound_bandwidth),
                                 above_zero("outbound_bandwidth", outbound_bandwidth)}))
        return *wrong;
      return 1.0 / (1.0 / inbound_bandwidth + 1.0 / outbound_bandwidth);
    },
};

// Fabric size limits

constinit const Formula<double, Count> two_tier_endpoint_limit{
    .name = "two_tier_endpoint_limit",
    .text = "radix ^ 2 / 2",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"radix"},
    .function = [](Count radix) -> Result<double> {
      if (auto wrong = violated({at_least("radix", radix, 1)})) return *wrong;
      return 1.0 * radix * radix / 2.0;
    },
    .result_kind = &kind::count,
};

constinit const Formula<double, Count> three_tier_endpoint_limit{
    .name = "three_tier_endpoint_limit",
    .text = "radix ^ 3 / 4",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"radix"},
    .function = [](Count radix) -> Result<double> {
      if (auto wrong = violated({at_least("radix", radix, 1)})) return *wrong;
      return 1.0 * radix * radix * radix / 4.0;
    },
    .result_kind = &kind::count,
};

constinit const Formula<double, Count, Count> multi_plane_two_tier_endpoint_limit{
    .name = "multi_plane_two_tier_endpoint_limit",
    .text = "(radix * planes) ^ 2 / 2",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"radix", "planes"},
    .function = [](Count radix, Count planes) -> Result<double> {
      if (auto wrong = violated({at_least("radix", radix, 1), at_least("planes", planes, 1)})) return *wrong;
      return (1.0 * radix * planes) * (1.0 * radix * planes) / 2.0;
    },
    .result_kind = &kind::count,
};

// Switch count

constinit const Formula<Count, Count, Count> two_tier_switch_count{
    .name = "two_tier_switch_count",
    .text = "ceil(2 * endpoints / radix) + ceil(endpoints / radix)",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"endpoints", "radix"},
    .function = [](Count endpoints, Count radix) -> Result<Count> {
      if (auto wrong = violated({not_negative("endpoints", endpoints), at_least("radix", radix, 1)})) return *wrong;
      return counted_whole(whole_at_least(2.0 * endpoints / radix) + whole_at_least(1.0 * endpoints / radix));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, double> three_tier_switch_count{
    .name = "three_tier_switch_count",
    .text = "2 * ceil(2 * endpoints / radix) + ceil(endpoints / (core_oversubscription * radix))",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"endpoints", "radix", "core_oversubscription"},
    .function = [](Count endpoints, Count radix, double core_oversubscription) -> Result<Count> {
      if (auto wrong = violated({not_negative("endpoints", endpoints), at_least("radix", radix, 1),
                                 at_least("core_oversubscription", core_oversubscription, 1)}))
        return *wrong;
      return counted_whole(2.0 * whole_at_least(2.0 * endpoints / radix) +
                           whole_at_least(endpoints / (core_oversubscription * radix)));
    },
    .monotone = Monotone::mixed,
};

// Cable count

constinit const Formula<Count, Count> two_tier_cable_count{
    .name = "two_tier_cable_count",
    .text = "2 * endpoints",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"endpoints"},
    .function = [](Count endpoints) -> Result<Count> {
      if (auto wrong = violated({not_negative("endpoints", endpoints)})) return *wrong;
      return counted_whole(2.0 * endpoints);
    },
};

// Scale-up domain

constinit const Formula<double, Count, Count> failure_domain_ratio{
    .name = "failure_domain_ratio",
    .text = "first_domain_gpus / second_domain_gpus",
    .source = "ratio of domain sizes",
    .parameters = {"first_domain_gpus", "second_domain_gpus"},
    .function = [](Count first_domain_gpus, Count second_domain_gpus) -> Result<double> {
      if (auto wrong = violated({not_negative("first_domain_gpus", first_domain_gpus),
                                 at_least("second_domain_gpus", second_domain_gpus, 1)}))
        return *wrong;
      return 1.0 * first_domain_gpus / second_domain_gpus;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, DataRate, DataRate> scale_up_to_scale_out_bandwidth_ratio{
    .name = "scale_up_to_scale_out_bandwidth_ratio",
    .text = "(scale_up_two_way_bandwidth / 2) / (network_line_rate / 8 bit/B)",
    .source = "one-way against one-way",
    .parameters = {"scale_up_two_way_bandwidth", "network_line_rate"},
    .function = [](DataRate scale_up_two_way_bandwidth, DataRate network_line_rate) -> Result<double> {
      if (auto wrong = violated({not_negative("scale_up_two_way_bandwidth", scale_up_two_way_bandwidth),
                                 above_zero("network_line_rate", network_line_rate)}))
        return *wrong;
      return (scale_up_two_way_bandwidth / 2.0) / network_line_rate;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, DataRate, DataRate> two_way_scale_up_to_line_rate_ratio{
    .name = "two_way_scale_up_to_line_rate_ratio",
    .text = "scale_up_two_way_bandwidth / (network_line_rate / 8 bit/B)",
    .source = "two-way against one-way, as quoted",
    .parameters = {"scale_up_two_way_bandwidth", "network_line_rate"},
    .function = [](DataRate scale_up_two_way_bandwidth, DataRate network_line_rate) -> Result<double> {
      if (auto wrong = violated({not_negative("scale_up_two_way_bandwidth", scale_up_two_way_bandwidth),
                                 above_zero("network_line_rate", network_line_rate)}))
        return *wrong;
      return scale_up_two_way_bandwidth / network_line_rate;
    },
    .monotone = Monotone::mixed,
};

// Rail-optimized cabling

constinit const Formula<Count, Count, Count, Count, Count> rail_optimized_leaf_index{
    .name = "rail_optimized_leaf_index",
    .text = "floor(node_index / nodes_per_unit) * rails + gpu_index",
    .source = "rail-optimized cabling rule",
    .parameters = {"node_index", "gpu_index", "nodes_per_unit", "rails"},
    .function = [](Count node_index, Count gpu_index, Count nodes_per_unit, Count rails) -> Result<Count> {
      if (auto wrong = violated({not_negative("node_index", node_index), not_negative("gpu_index", gpu_index),
                                 at_least("nodes_per_unit", nodes_per_unit, 1), at_least("rails", rails, 1)}))
        return *wrong;
      if (gpu_index >= rails)
        return not_applicable(
            fmt::format("gpu_index must be below the number of rails, {}; it is {}", rails, gpu_index));
      return counted_whole(1.0 * (node_index / nodes_per_unit) * rails + gpu_index);
    },
    .monotone = Monotone::mixed,
};

// Incast

constinit const Formula<Time, Count, DataRate, Bytes> incast_buffer_fill_time{
    .name = "incast_buffer_fill_time",
    .text = "buffer * 8 bit/B / ((senders - 1) * line_rate)",
    .source = "buffer over excess rate",
    .parameters = {"senders", "line_rate", "buffer"},
    .function = [](Count senders, DataRate line_rate, Bytes buffer) -> Result<Time> {
      if (auto wrong = violated(
              {at_least("senders", senders, 2), above_zero("line_rate", line_rate), not_negative("buffer", buffer)}))
        return *wrong;
      return buffer / ((senders - 1.0) * line_rate);
    },
    .monotone = Monotone::mixed,
};

// Third tier

constinit const Formula<double, Count, Count> clos_link_count_ratio{
    .name = "clos_link_count_ratio",
    .text = "first_tiers / second_tiers",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"first_tiers", "second_tiers"},
    .function = [](Count first_tiers, Count second_tiers) -> Result<double> {
      if (auto wrong = violated({at_least("first_tiers", first_tiers, 1), at_least("second_tiers", second_tiers, 1)}))
        return *wrong;
      return 1.0 * first_tiers / second_tiers;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Count, Count> three_to_two_tier_switch_ratio{
    .name = "three_to_two_tier_switch_ratio",
    .text = "(5 / three_tier_radix) / (3 / two_tier_radix)",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"three_tier_radix", "two_tier_radix"},
    .function = [](Count three_tier_radix, Count two_tier_radix) -> Result<double> {
      if (auto wrong = violated(
              {at_least("three_tier_radix", three_tier_radix, 1), at_least("two_tier_radix", two_tier_radix, 1)}))
        return *wrong;
      return (5.0 / three_tier_radix) / (3.0 / two_tier_radix);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Count, Time> added_hop_latency{
    .name = "added_hop_latency",
    .text = "extra_hops * latency_per_hop",
    .source = "sum over hops",
    .parameters = {"extra_hops", "latency_per_hop"},
    .function = [](Count extra_hops, Time latency_per_hop) -> Result<Time> {
      if (auto wrong =
              violated({not_negative("extra_hops", extra_hops), not_negative("latency_per_hop", latency_per_hop)}))
        return *wrong;
      return extra_hops * latency_per_hop;
    },
};

// Link replay

constinit const Formula<double, double, Count> link_replay_goodput{
    .name = "link_replay_goodput",
    .text = "1 / (1 + replays_per_packet * packets_resent_per_replay)",
    .source = "go-back-n retransmission",
    .parameters = {"replays_per_packet", "packets_resent_per_replay"},
    .function = [](double replays_per_packet, Count packets_resent_per_replay) -> Result<double> {
      if (auto wrong = violated({not_negative("replays_per_packet", replays_per_packet),
                                 not_negative("packets_resent_per_replay", packets_resent_per_replay)}))
        return *wrong;
      return 1.0 / (1.0 + replays_per_packet * packets_resent_per_replay);
    },
    .monotone = Monotone::mixed,
};

// Scalable units

constinit const Formula<Count, Count, Count, Count> nodes_in_whole_units{
    .name = "nodes_in_whole_units",
    .text = "nodes_per_unit * ceil(ceil(gpus / gpus_per_node) / nodes_per_unit)",
    .source = "whole units",
    .parameters = {"gpus", "gpus_per_node", "nodes_per_unit"},
    .function = [](Count gpus, Count gpus_per_node, Count nodes_per_unit) -> Result<Count> {
      if (auto wrong = violated({not_negative("gpus", gpus), at_least("gpus_per_node", gpus_per_node, 1),
                                 at_least("nodes_per_unit", nodes_per_unit, 1)}))
        return *wrong;
      return counted_whole(nodes_per_unit *
                           whole_at_least(whole_at_least(1.0 * gpus / gpus_per_node) / nodes_per_unit));
    },
    .monotone = Monotone::mixed,
};

// Further parts of the models

constinit const Formula<Count, Count, Count> leaf_count{
    .name = "leaf_count",
    .text = "ceil(endpoints / down_ports)",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"endpoints", "down_ports"},
    .function = [](Count endpoints, Count down_ports) -> Result<Count> {
      if (auto wrong = violated({not_negative("endpoints", endpoints), at_least("down_ports", down_ports, 1)}))
        return *wrong;
      return counted_whole(whole_at_least(1.0 * endpoints / down_ports));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count> uplink_count{
    .name = "uplink_count",
    .text = "leafs * uplinks_per_leaf",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"leafs", "uplinks_per_leaf"},
    .function = [](Count leafs, Count uplinks_per_leaf) -> Result<Count> {
      if (auto wrong = violated({not_negative("leafs", leafs), not_negative("uplinks_per_leaf", uplinks_per_leaf)}))
        return *wrong;
      return counted_whole(1.0 * leafs * uplinks_per_leaf);
    },
};

constinit const Formula<Count, Count, double> uplinks_per_leaf{
    .name = "uplinks_per_leaf",
    .text = "ceil(down_ports / oversubscription_target)",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"down_ports", "oversubscription_target"},
    .function = [](Count down_ports, double oversubscription_target) -> Result<Count> {
      if (auto wrong = violated(
              {not_negative("down_ports", down_ports), above_zero("oversubscription_target", oversubscription_target)}))
        return *wrong;
      return counted_whole(whole_at_least(down_ports / oversubscription_target));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count> spine_count_uneven{
    .name = "spine_count_uneven",
    .text = "ceil(leafs * uplinks_per_leaf / radix)",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"leafs", "uplinks_per_leaf", "radix"},
    .function = [](Count leafs, Count uplinks_per_leaf, Count radix) -> Result<Count> {
      if (auto wrong = violated({not_negative("leafs", leafs), not_negative("uplinks_per_leaf", uplinks_per_leaf),
                                 at_least("radix", radix, 1)}))
        return *wrong;
      return counted_whole(whole_at_least(1.0 * leafs * uplinks_per_leaf / radix));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count> spine_count_equal_bundles{
    .name = "spine_count_equal_bundles",
    .text = "smallest divisor of uplinks_per_leaf that is at least ceil(leafs * uplinks_per_leaf / radix)",
    .source = "divisor rule of published reference fabrics (768 / 64 = 12 spines are built as 16 for 32 uplinks)",
    .parameters = {"leafs", "uplinks_per_leaf", "radix"},
    .function = [](Count leafs, Count uplinks_per_leaf, Count radix) -> Result<Count> {
      if (auto wrong =
              violated({not_negative("leafs", leafs), between("uplinks_per_leaf", uplinks_per_leaf, 0, 1000000),
                        at_least("radix", radix, 1)}))
        return *wrong;
      if (leafs == 0 || uplinks_per_leaf == 0) return Count{0};
      const double needed = whole_at_least(1.0 * leafs * uplinks_per_leaf / radix);
      for (Count spines = 1; spines <= uplinks_per_leaf; ++spines)
        if (uplinks_per_leaf % spines == 0 && spines >= needed) return spines;
      return not_applicable(
          fmt::format("radix must be at least the number of leafs, {}, for equal bundles; it is {}", leafs, radix));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count> links_per_leaf_spine_pair{
    .name = "links_per_leaf_spine_pair",
    .text = "uplinks_per_leaf / spines",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"uplinks_per_leaf", "spines"},
    .function = [](Count uplinks_per_leaf, Count spines) -> Result<Count> {
      if (auto wrong = violated({not_negative("uplinks_per_leaf", uplinks_per_leaf), at_least("spines", spines, 1)}))
        return *wrong;
      if (uplinks_per_leaf % spines != 0)
        return not_applicable(
            fmt::format("spines must divide the {} uplinks of a leaf; it is {}", uplinks_per_leaf, spines));
      return uplinks_per_leaf / spines;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, DataRate, DataRate> oversubscription{
    .name = "oversubscription",
    .text = "down / up",
    .source = "Clos 1953, folded Clos arithmetic",
    .parameters = {"down", "up"},
    .function = [](DataRate down, DataRate up) -> Result<double> {
      if (auto wrong = violated({not_negative("down", down), above_zero("up", up)})) return *wrong;
      return down / up;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count> dragonfly_endpoint_limit{
    .name = "dragonfly_endpoint_limit",
    .text = "routers_per_group * endpoints_per_router * (routers_per_group * global_ports_per_router + 1)",
    .source = "Kim et al. 2008",
    .parameters = {"endpoints_per_router", "routers_per_group", "global_ports_per_router"},
    .function = [](Count endpoints_per_router, Count routers_per_group,
                   Count global_ports_per_router) -> Result<Count> {
      if (auto wrong = violated({not_negative("endpoints_per_router", endpoints_per_router),
                                 not_negative("routers_per_group", routers_per_group),
                                 not_negative("global_ports_per_router", global_ports_per_router)}))
        return *wrong;
      return counted_whole(1.0 * routers_per_group * endpoints_per_router *
                           (1.0 * routers_per_group * global_ports_per_router + 1.0));
    },
};

constinit const Formula<Length, Length, Length, Length, Length, double> routed_cable_length{
    .name = "routed_cable_length",
    .text = "(tray_path + first_drop + second_drop + 2 * dress_each_end) * (1 + slack_share)",
    .source = "cable take-off practice",
    .parameters = {"tray_path", "first_drop", "second_drop", "dress_each_end", "slack_share"},
    .function = [](Length tray_path, Length first_drop, Length second_drop, Length dress_each_end,
                   double slack_share) -> Result<Length> {
      if (auto wrong =
              violated({not_negative("tray_path", tray_path), not_negative("first_drop", first_drop),
                        not_negative("second_drop", second_drop), not_negative("dress_each_end", dress_each_end),
                        not_negative("slack_share", slack_share)}))
        return *wrong;
      return (tray_path + first_drop + second_drop + 2.0 * dress_each_end) * (1.0 + slack_share);
    },
};

constinit const Formula<Length, Length, const std::vector<Length>&> ordered_cable_length{
    .name = "ordered_cable_length",
    .text = "smallest of stock_lengths that is at least routed_length",
    .source = "cable take-off practice",
    .parameters = {"routed_length", "stock_lengths"},
    .function = [](Length routed_length, const std::vector<Length>& stock_lengths) -> Result<Length> {
      if (stock_lengths.empty()) return not_applicable("stock_lengths must hold at least one value; it is empty");
      for (Length each : stock_lengths)
        if (auto wrong = violated({above_zero("stock_lengths", each)})) return *wrong;
      if (auto wrong = violated({not_negative("routed_length", routed_length)})) return *wrong;
      std::optional<Length> best;
      for (Length stock : stock_lengths)
        if (stock >= routed_length && (!best || stock < *best)) best = stock;
      if (!best)
        return not_applicable(fmt::format(
            "routed_length must be at most the longest stock length, {:.6g} m; it is {:.6g} m",
            in_meters(*std::max_element(stock_lengths.begin(), stock_lengths.end())), in_meters(routed_length)));
      return *best;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Count, double, Length, double> optical_channel_loss{
    .name = "optical_channel_loss",
    .text = "joints * loss_per_joint + fiber_length / 1 km * loss_per_kilometer",
    .source = "TIA-568 channel loss budget",
    .parameters = {"joints", "loss_per_joint", "fiber_length", "loss_per_kilometer"},
    .function = [](Count joints, double loss_per_joint, Length fiber_length,
                   double loss_per_kilometer) -> Result<double> {
      if (auto wrong = violated({not_negative("joints", joints), not_negative("loss_per_joint", loss_per_joint),
                                 not_negative("fiber_length", fiber_length),
                                 not_negative("loss_per_kilometer", loss_per_kilometer)}))
        return *wrong;
      return joints * loss_per_joint + in_meters(fiber_length) / 1000.0 * loss_per_kilometer;
    },
};

constinit const Formula<double, Count, Length, Length, Length> tray_fill_share{
    .name = "tray_fill_share",
    .text = "cables * pi / 4 * cable_diameter ^ 2 / (tray_width * tray_height)",
    .source = "geometry; 40 % is the usual limit for communications",
    .parameters = {"cables", "cable_diameter", "tray_width", "tray_height"},
    .function = [](Count cables, Length cable_diameter, Length tray_width, Length tray_height) -> Result<double> {
      if (auto wrong = violated({not_negative("cables", cables), not_negative("cable_diameter", cable_diameter),
                                 above_zero("tray_width", tray_width), above_zero("tray_height", tray_height)}))
        return *wrong;
      return cables * std::numbers::pi / 4.0 * (cable_diameter * cable_diameter) / (tray_width * tray_height);
    },
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> fabric_formulas() {
  return {
      any(links_per_rail),
      any(bisection_steps),
      any(fleet_median_floor),
      any(clos_transceiver_count),
      any(twin_port_transceiver_count),
      any(leaf_spine_transceiver_count),
      any(transceiver_power),
      any(store_and_forward_bandwidth),
      any(two_tier_endpoint_limit),
      any(three_tier_endpoint_limit),
      any(multi_plane_two_tier_endpoint_limit),
      any(two_tier_switch_count),
      any(three_tier_switch_count),
      any(two_tier_cable_count),
      any(failure_domain_ratio),
      any(scale_up_to_scale_out_bandwidth_ratio, {nullptr, &kind::network_rate}),
      any(two_way_scale_up_to_line_rate_ratio, {nullptr, &kind::network_rate}),
      any(rail_optimized_leaf_index),
      any(incast_buffer_fill_time, {nullptr, &kind::network_rate, nullptr}),
      any(clos_link_count_ratio),
      any(three_to_two_tier_switch_ratio),
      any(added_hop_latency),
      any(link_replay_goodput),
      any(nodes_in_whole_units),
      any(leaf_count),
      any(uplink_count),
      any(uplinks_per_leaf),
      any(spine_count_uneven),
      any(spine_count_equal_bundles),
      any(links_per_leaf_spine_pair),
      any(oversubscription, {&kind::network_rate, &kind::network_rate}),
      any(dragonfly_endpoint_limit),
      any(routed_cable_length),
      any(ordered_cable_length),
      any(optical_channel_loss),
      any(tray_fill_share),
  };
}

} // namespace hallwright
