// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of the fabric: folded Clos arithmetic, rails, optics, cables, links.
///
/// Outside the ranges stated with its parameters a formula is not applicable and names the parameter. Estimates are
/// first-order models; every figure made by one says so.
namespace hallwright {

// Fabric fault isolation

/// Links of one rail when links are spread evenly over identical rails.
/// @param links [count], zero or more
/// @param rails [count], at least 1
/// @return [count, not rounded]
/// @source rail arithmetic
extern const Formula<double, Count, Count> links_per_rail;

/// Halvings that isolate one bad link.
/// @param links [count], at least 1
/// @return [count]
/// @source binary search
extern const Formula<Count, Count> bisection_steps;

// Acceptance against the fleet

/// Bandwidth below which a node stands out from its fleet: median minus a number of robust standard deviations
/// (1.4826 scales the median absolute deviation to a normal standard deviation).
/// @param measured_bandwidths [B/s] a list, not empty, zero or more
/// @param deviation_multiplier [ratio], zero or more
/// @return [B/s]
/// @source median absolute deviation, Hampel 1974
extern const Formula<DataRate, const std::vector<DataRate>&, double> fleet_median_floor;

// Optics count

/// Single-port transceivers of a non-blocking folded Clos: one host link and tiers - 1 fabric links per endpoint,
/// two modules per optical link.
/// @param endpoints [count], zero or more
/// @param tiers [count], at least 1
/// @param optical_share_of_host_links [ratio], 0 to 1
/// @param optical_share_of_fabric_links [ratio], 0 to 1
/// @return [count, not rounded]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<double, Count, Count, double, double> clos_transceiver_count;

/// Modules of a non-blocking, all optical two-tier fabric with single-port modules at the adapters and twin-port
/// modules at leaf down, leaf up and spine.
/// @param endpoints [count], zero or more
/// @return [count, not rounded]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<double, Count> twin_port_transceiver_count;

/// Leaf-spine modules that a count of host links alone leaves out (two tiers, non-blocking, single-port modules at
/// both ends).
/// @param endpoints [count], zero or more
/// @return [count]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<Count, Count> leaf_spine_transceiver_count;

// Optics power

/// Power of all transceivers.
/// @param transceivers [count], zero or more
/// @param power_per_transceiver [W], zero or more
/// @return [W]
/// @source sum of equal parts
extern const Formula<Power, Count, Power> transceiver_power;

// Copy through host memory

/// One-way bandwidth of two copies that follow each other without overlap (a copy through host memory).
/// @param inbound_bandwidth [B/s], above 0
/// @param outbound_bandwidth [B/s], above 0
/// @return [B/s]
/// @source two stages in series
extern const Formula<DataRate, DataRate, DataRate> store_and_forward_bandwidth;

// Fabric size limits

/// Endpoints of the largest non-blocking two-tier folded Clos; the radix is ports per switch at endpoint speed.
/// @param radix [count], at least 1
/// @return [count, not rounded]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<double, Count> two_tier_endpoint_limit;

/// Endpoints of the largest non-blocking three-tier folded Clos; the radix is ports per switch at endpoint speed.
/// @param radix [count], at least 1
/// @return [count, not rounded]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<double, Count> three_tier_endpoint_limit;

/// Endpoints of the largest multi-plane two-tier fabric: every plane has radix * planes ports a switch at 1/planes
/// of the speed.
/// @param radix [count], at least 1
/// @param planes [count], at least 1
/// @return [count, not rounded]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<double, Count, Count> multi_plane_two_tier_endpoint_limit;

// Switch count

/// Leafs and spines of a non-blocking two-tier fabric, each tier rounded up.
/// @param endpoints [count], zero or more
/// @param radix [count], at least 1
/// @return [count]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<Count, Count, Count> two_tier_switch_count;

/// Switches of a three-tier fabric whose leafs and aggregation do not block and whose core is oversubscribed, each
/// tier rounded up.
/// @param endpoints [count], zero or more
/// @param radix [count], at least 1
/// @param core_oversubscription [ratio], at least 1
/// @return [count]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<Count, Count, Count, double> three_tier_switch_count;

// Cable count

/// Cables of a non-blocking two-tier fabric: one host cable and one leaf-spine cable per endpoint.
/// @param endpoints [count], zero or more
/// @return [count]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<Count, Count> two_tier_cable_count;

// Scale-up domain

/// How many times larger one scale-up domain is than another.
/// @param first_domain_gpus [count], zero or more
/// @param second_domain_gpus [count], at least 1
/// @return [ratio]
/// @source ratio of domain sizes
extern const Formula<double, Count, Count> failure_domain_ratio;

/// Scale-up over scale-out bandwidth, like for like: the quoted scale-up figure is the sum of both directions, so
/// half of it is compared with the line rate.
/// @param scale_up_two_way_bandwidth [B/s], zero or more
/// @param network_line_rate [B/s, shown as bit/s], above 0
/// @return [ratio]
/// @source one-way against one-way
extern const Formula<double, DataRate, DataRate> scale_up_to_scale_out_bandwidth_ratio;

/// The same ratio in the mixed convention that is often quoted (both directions over one): twice the like-for-like
/// ratio.
/// @param scale_up_two_way_bandwidth [B/s], zero or more
/// @param network_line_rate [B/s, shown as bit/s], above 0
/// @return [ratio]
/// @source two-way against one-way, as quoted
extern const Formula<double, DataRate, DataRate> two_way_scale_up_to_line_rate_ratio;

// Rail-optimized cabling

/// Leaf, counted from zero, of a GPU in a rail-optimized fabric: one leaf per rail and scalable unit, one adapter
/// per GPU.
/// @param node_index [count], zero or more
/// @param gpu_index [count], zero or more
/// @param nodes_per_unit [count], at least 1
/// @param rails [count], at least 1
/// @return [count]
/// @source rail-optimized cabling rule
extern const Formula<Count, Count, Count, Count, Count> rail_optimized_leaf_index;

// Incast

/// Time in which senders fill the buffer of one egress port, all at the same line rate, buffer empty at the start.
/// @param senders [count], at least 2
/// @param line_rate [B/s, shown as bit/s], above 0
/// @param buffer [B], zero or more
/// @return [s]
/// @source buffer over excess rate
extern const Formula<Time, Count, DataRate, Bytes> incast_buffer_fill_time;

// Third tier

/// Links (and optics) of one tier count over another, non-blocking, equal endpoints.
/// @param first_tiers [count], at least 1
/// @param second_tiers [count], at least 1
/// @return [ratio]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<double, Count, Count> clos_link_count_ratio;

/// Switches of three tiers over two, non-blocking, equal endpoints, no rounding.
/// @param three_tier_radix [count], at least 1
/// @param two_tier_radix [count], at least 1
/// @return [ratio]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<double, Count, Count> three_to_two_tier_switch_ratio;

/// Latency that extra hops add.
/// @param extra_hops [count], zero or more
/// @param latency_per_hop [s], zero or more
/// @return [s]
/// @source sum over hops
extern const Formula<Time, Count, Time> added_hop_latency;

// Link replay

/// Goodput of a link that replays packets.
/// @param replays_per_packet [ratio], zero or more
/// @param packets_resent_per_replay [count], zero or more
/// @return [ratio]
/// @source go-back-n retransmission
extern const Formula<double, double, Count> link_replay_goodput;

// Scalable units

/// Nodes when only whole scalable units are built.
/// @param gpus [count], zero or more
/// @param gpus_per_node [count], at least 1
/// @param nodes_per_unit [count], at least 1
/// @return [count]
/// @source whole units
extern const Formula<Count, Count, Count, Count> nodes_in_whole_units;

// Further parts of the models

/// Leafs of a fabric, rounded up.
/// @param endpoints [count], zero or more
/// @param down_ports [count], at least 1
/// @return [count]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<Count, Count, Count> leaf_count;

/// Leaf-spine links of all leafs.
/// @param leafs [count], zero or more
/// @param uplinks_per_leaf [count], zero or more
/// @return [count]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<Count, Count, Count> uplink_count;

/// Uplinks that keep a leaf at or below an oversubscription; links of equal rate.
/// @param down_ports [count], zero or more
/// @param oversubscription_target [ratio], above 0
/// @return [count]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<Count, Count, double> uplinks_per_leaf;

/// Spines when a leaf may spread its uplinks over them in uneven bundles.
/// @param leafs [count], zero or more
/// @param uplinks_per_leaf [count], zero or more
/// @param radix [count], at least 1
/// @return [count]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<Count, Count, Count, Count> spine_count_uneven;

/// Spines when the uplinks of a leaf spread in equal bundles: the smallest divisor of the uplinks per leaf that
/// offers enough ports.
/// @param leafs [count], zero or more
/// @param uplinks_per_leaf [count], 0 to 1000000
/// @param radix [count], at least 1
/// @return [count]
/// @source divisor rule of published reference fabrics (768 / 64 = 12 spines are built as 16 for 32 uplinks)
extern const Formula<Count, Count, Count, Count> spine_count_equal_bundles;

/// Links between each leaf and each spine, in equal bundles.
/// @param uplinks_per_leaf [count], zero or more
/// @param spines [count], at least 1
/// @return [count]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<Count, Count, Count> links_per_leaf_spine_pair;

/// Bandwidth towards the endpoints over bandwidth towards the spines; 1 does not block.
/// @param down [B/s, shown as bit/s], zero or more
/// @param up [B/s, shown as bit/s], above 0
/// @return [ratio]
/// @source Clos 1953, folded Clos arithmetic
extern const Formula<double, DataRate, DataRate> oversubscription;

/// Endpoints of the largest balanced dragonfly.
/// @param endpoints_per_router [count], zero or more
/// @param routers_per_group [count], zero or more
/// @param global_ports_per_router [count], zero or more
/// @return [count]
/// @source Kim et al. 2008
extern const Formula<Count, Count, Count, Count> dragonfly_endpoint_limit;

/// Length of a cable along its tray: path, both drops, dress at both ends and slack.
/// @param tray_path [m], zero or more
/// @param first_drop [m], zero or more
/// @param second_drop [m], zero or more
/// @param dress_each_end [m], zero or more
/// @param slack_share [ratio], zero or more
/// @return [m]
/// @source cable take-off practice
extern const Formula<Length, Length, Length, Length, Length, double> routed_cable_length;

/// Shortest stock length that is at least the routed length.
/// @param routed_length [m], zero or more
/// @param stock_lengths [m] a list, not empty, above 0
/// @return [m]
/// @source cable take-off practice
extern const Formula<Length, Length, const std::vector<Length>&> ordered_cable_length;

/// Insertion loss of an optical channel [dB]: joints and fiber.
/// @param joints [count], zero or more
/// @param loss_per_joint [ratio], zero or more
/// @param fiber_length [m], zero or more
/// @param loss_per_kilometer [ratio], zero or more
/// @return [ratio]
/// @source TIA-568 channel loss budget
extern const Formula<double, Count, double, Length, double> optical_channel_loss;

/// Share of a tray section that round cables fill.
/// @param cables [count], zero or more
/// @param cable_diameter [m], zero or more
/// @param tray_width [m], above 0
/// @param tray_height [m], above 0
/// @return [ratio]
/// @source geometry; 40 % is the usual limit for communications
extern const Formula<double, Count, Length, Length, Length> tray_fill_share;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> fabric_formulas();

} // namespace hallwright
