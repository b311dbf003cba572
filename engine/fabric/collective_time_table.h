// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "fabric/collective_time.h"

/// Predicted times beside a table of measured ones, for `hallwright-cli collectives`.
namespace hallwright {

/// One line of such a table as the model takes it.
struct CollectiveCase {
  CollectiveCall call;
  CollectiveGroup group;
};

struct CollectiveTable {
  std::string csv;                 ///< every column and row of the input, then `predicted_time_us`
  std::vector<std::string> notes;  ///< lines that were measured and have no prediction, and why; one sentence each
  Count predicted = 0, passed = 0; ///< lines with a prediction, lines that are not `measured`
};

/// Reads CSV with the columns gpus, nodes, collective, bytes, intra_GBps_per_gpu, inter_GBps_per_gpu and, where there
/// are, record_type (lines other than `measured` pass through), system, gpus_per_node, algo_proto, software, note.
/// Only hardware parameters count: the accelerator named first in `system` gives generation and scale-up domain (also
/// "NVL72"), EFA or OFI the transport, torch or jax the caller, SHARP or CollNet reduction in network switches, and an
/// `algo_proto` that is one algorithm, with or without a protocol, binds it.
/// A value that is missing leaves the prediction empty, with a note; one that is wrong is refused, all at once.
tl::expected<CollectiveTable, std::vector<std::string>> predict_collectives(std::string_view csv,
                                                                            const Catalog& catalog);

} // namespace hallwright
