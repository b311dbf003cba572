// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "fabric/collective_time.h"

namespace hallwright {

tl::expected<CollectiveConstants, std::string> collective_constants(const Catalog& catalog) {
  CollectiveConstants c;
  std::string problem;
  const auto read = [&](double& into, std::string_view unit, const std::string& id) {
    const Assumption* a = catalog.find<Assumption>(id);
    if (!a || !a->value) {
      if (problem.empty()) problem = fmt::format("assumption {} is missing from the catalog", id);
    } else if (a->unit != unit) {
      if (problem.empty()) problem = fmt::format("assumption {} must be in {}; it is in {}", id, unit, a->unit);
    } else {
      into = *a->value;
    }
  };
  const std::string_view algorithms[] = {"ring", "tree"}, protocols[] = {"ll", "ll128", "simple"};
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t p = 0; p < 3; ++p) {
      read(c.base_us[a][p], "us", fmt::format("collective.base_{}_{}", algorithms[a], protocols[p]));
      read(c.nvlink_hop_us[a][p], "us", fmt::format("collective.hop_nvlink_{}_{}", algorithms[a], protocols[p]));
      read(c.network_hop_us[a][p], "us", fmt::format("collective.hop_network_{}_{}", algorithms[a], protocols[p]));
    }
  read(c.nvls_us, "us", "collective.hop_nvlink_nvls");
  read(c.nvls_network_hop_us, "us", "collective.hop_network_nvls");
  read(c.nvls_tree_network_hop_us, "us", "collective.hop_network_nvls_tree");
  read(c.collnet_hop_us, "us", "collective.hop_nvlink_collnet_direct");
  read(c.collnet_network_hop_us, "us", "collective.hop_network_collnet_direct");
  const std::string_view generations[] = {"volta", "ampere", "hopper", "blackwell"}, spans[] = {"one", "two", "more"};
  for (std::size_t g = 0; g < 4; ++g) {
    read(c.nvlink_share[g], "1", fmt::format("collective.nvlink_share_{}", generations[g]));
    read(c.channels[g], "1", fmt::format("collective.channels_{}", generations[g]));
    for (std::size_t s = 0; s < 3; ++s) {
      read(c.ll_limit_gb_s[g][s], "GB/s", fmt::format("collective.ll_limit_{}_{}", generations[g], spans[s]));
      read(c.tree_channel_gb_s[g][s], "GB/s", fmt::format("collective.tree_channel_{}_{}", generations[g], spans[s]));
    }
  }
  read(c.nvls_efficiency[2], "1", "collective.nvls_efficiency_hopper");
  read(c.nvls_efficiency[3], "1", "collective.nvls_efficiency_blackwell");
  read(c.nvls_shape, "1", "collective.nvls_shape");
  read(c.ll_ring_share, "1", "collective.ll_ring_share");
  read(c.ll_tree_share, "1", "collective.ll_tree_share");
  read(c.ll128_share, "1", "collective.ll128_share");
  read(c.ll128_tree_one_share, "1", "collective.ll128_tree_one_share");
  read(c.tree_share, "1", "collective.tree_share");
  read(c.post_us, "us", "collective.post_overhead");
  read(c.nic_share, "1", "collective.nic_share");
  read(c.call_us, "us", "collective.call_overhead");
  read(c.framework_us, "us", "collective.framework_overhead");
  read(c.framework_network_us, "us", "collective.framework_network_overhead");
  read(c.nvls_gain, "1", "collective.nvls_gain");
  read(c.nvls_sync_us_per_gpu, "us", "collective.nvls_sync_per_gpu");
  read(c.nvls_fill_steps, "1", "collective.nvls_fill_steps");
  read(c.network_fill_steps, "1", "collective.network_fill_steps");
  read(c.srd_hop_us, "us", "collective.hop_srd");
  read(c.switch_us, "us", "collective.switch_latency");
  double delay_ns_per_m = 0;
  read(delay_ns_per_m, "ns/m", "cabling.delay_per_metre");
  c.delay_us_per_m = delay_ns_per_m * 1e-3;
  if (!problem.empty()) return tl::make_unexpected(problem);
  return c;
}

} // namespace hallwright
