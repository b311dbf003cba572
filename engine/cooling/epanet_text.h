// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "cooling/pipe_network.h"

/// Pipe networks in the text form of EPANET (.inp).
namespace hallwright {

struct EpanetNetwork {
  PipeNetwork network; ///< as it stands at the start: first value of every pattern, initial levels and states
  std::string title;   ///< first line of [TITLE]
  std::vector<std::string> notes; ///< what was read and does not enter a steady answer, such as controls
};

/// Reads JUNCTIONS, RESERVOIRS, TANKS, PIPES, PUMPS, VALVES, CURVES, PATTERNS, DEMANDS, STATUS and OPTIONS; passes over
/// sections that do not bear on a steady answer (times, report, quality, coordinates and the like). Units as OPTIONS
/// says, gallons per minute and Hazen-Williams where it says nothing. The density comes from a remark "density N kg/m3"
/// above the junctions, else from the specific gravity.
/// @param name of the file, for errors
/// @return errors as "FILE line N: [SECTION] field: what is wrong, what is allowed", all of them up to 20;
/// Chezy-Manning, emitters, leakage and pressure-driven demands are refused, and so are sections that nothing is known
/// of
/// @source EPANET 2.2 user manual, appendix C
[[nodiscard]] tl::expected<EpanetNetwork, std::vector<std::string>> read_epanet_text(std::string_view text,
                                                                                     std::string_view name);

} // namespace hallwright
