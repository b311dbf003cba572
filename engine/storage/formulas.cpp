// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/formulas.h"

#include <algorithm>
#include <cmath>

#include "ledger/formula_range.h"

namespace hallwright {

// Storage sizing

constinit const Formula<double, Count, Bytes, Time, Frequency, Bytes> checkpoint_burst_to_dataset_read_ratio{
    .name = "checkpoint_burst_to_dataset_read_ratio",
    .text = "(parameters * bytes_per_parameter / write_time) / (token_rate * bytes_per_token)",
    .source = "storage arithmetic",
    .parameters = {"parameters", "bytes_per_parameter", "write_time", "token_rate", "bytes_per_token"},
    .function = [](Count parameters, Bytes bytes_per_parameter, Time write_time, Frequency token_rate,
                   Bytes bytes_per_token) -> Result<double> {
      if (auto wrong =
              violated({not_negative("parameters", parameters),
                        not_negative("bytes_per_parameter", bytes_per_parameter), above_zero("write_time", write_time),
                        above_zero("token_rate", token_rate), above_zero("bytes_per_token", bytes_per_token)}))
        return *wrong;
      return (parameters * bytes_per_parameter / write_time) / (token_rate * bytes_per_token);
    },
    .monotone = Monotone::mixed,
};

// Sharded checkpoint

constinit const Formula<Bytes, Count, Bytes, Count> checkpoint_bytes_per_rank{
    .name = "checkpoint_bytes_per_rank",
    .text = "parameters * bytes_per_parameter / ranks",
    .source = "even split",
    .parameters = {"parameters", "bytes_per_parameter", "ranks"},
    .function = [](Count parameters, Bytes bytes_per_parameter, Count ranks) -> Result<Bytes> {
      if (auto wrong =
              violated({not_negative("parameters", parameters),
                        not_negative("bytes_per_parameter", bytes_per_parameter), at_least("ranks", ranks, 1)}))
        return *wrong;
      return 1.0 * parameters * bytes_per_parameter / ranks;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Bytes, Bytes, Count> checkpoint_bytes_per_node{
    .name = "checkpoint_bytes_per_node",
    .text = "checkpoint / nodes",
    .source = "even split",
    .parameters = {"checkpoint", "nodes"},
    .function = [](Bytes checkpoint, Count nodes) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("checkpoint", checkpoint), at_least("nodes", nodes, 1)})) return *wrong;
      return checkpoint / nodes;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Bytes, Count, DataRate> node_local_write_time{
    .name = "node_local_write_time",
    .text = "bytes_per_node / (drives * write_bandwidth_per_drive)",
    .source = "data over rate",
    .parameters = {"bytes_per_node", "drives", "write_bandwidth_per_drive"},
    .function = [](Bytes bytes_per_node, Count drives, DataRate write_bandwidth_per_drive) -> Result<Time> {
      if (auto wrong = violated({not_negative("bytes_per_node", bytes_per_node), at_least("drives", drives, 1),
                                 above_zero("write_bandwidth_per_drive", write_bandwidth_per_drive)}))
        return *wrong;
      return bytes_per_node / (1.0 * drives * write_bandwidth_per_drive);
    },
    .monotone = Monotone::mixed,
};

// Checkpoint size

constinit const Formula<Bytes, Count, Bytes> checkpoint_bytes{
    .name = "checkpoint_bytes",
    .text = "parameters * bytes_per_parameter",
    .source = "bytes per parameter",
    .parameters = {"parameters", "bytes_per_parameter"},
    .function = [](Count parameters, Bytes bytes_per_parameter) -> Result<Bytes> {
      if (auto wrong = violated(
              {not_negative("parameters", parameters), not_negative("bytes_per_parameter", bytes_per_parameter)}))
        return *wrong;
      return 1.0 * parameters * bytes_per_parameter;
    },
};

// Checkpoint write

constinit const Formula<Time, Bytes, DataRate> transfer_time{
    .name = "transfer_time",
    .text = "data / bandwidth",
    .source = "data over rate",
    .parameters = {"data", "bandwidth"},
    .function = [](Bytes data, DataRate bandwidth) -> Result<Time> {
      if (auto wrong = violated({not_negative("data", data), above_zero("bandwidth", bandwidth)})) return *wrong;
      return data / bandwidth;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Time, Time> checkpoint_duty{
    .name = "checkpoint_duty",
    .text = "write_time / checkpoint_interval",
    .source = "ratio of times",
    .parameters = {"write_time", "checkpoint_interval"},
    .function = [](Time write_time, Time checkpoint_interval) -> Result<double> {
      if (auto wrong = violated(
              {not_negative("write_time", write_time), above_zero("checkpoint_interval", checkpoint_interval)}))
        return *wrong;
      return write_time / checkpoint_interval;
    },
    .monotone = Monotone::mixed,
};

// Storage throughput

constinit const Formula<DataRate, Bytes, Time> required_bandwidth{
    .name = "required_bandwidth",
    .text = "data / duration",
    .source = "data over time",
    .parameters = {"data", "duration"},
    .function = [](Bytes data, Time duration) -> Result<DataRate> {
      if (auto wrong = violated({not_negative("data", data), above_zero("duration", duration)})) return *wrong;
      return data / duration;
    },
    .monotone = Monotone::mixed,
};

// Dataset read

constinit const Formula<DataRate, Frequency, Bytes> token_stream_bandwidth{
    .name = "token_stream_bandwidth",
    .text = "token_rate * bytes_per_token",
    .source = "rate times size",
    .parameters = {"token_rate", "bytes_per_token"},
    .function = [](Frequency token_rate, Bytes bytes_per_token) -> Result<DataRate> {
      if (auto wrong =
              violated({not_negative("token_rate", token_rate), not_negative("bytes_per_token", bytes_per_token)}))
        return *wrong;
      return token_rate * bytes_per_token;
    },
};

constinit const Formula<DataRate, Frequency, Bytes, Count> token_stream_bandwidth_per_gpu{
    .name = "token_stream_bandwidth_per_gpu",
    .text = "token_rate * bytes_per_token / gpus",
    .source = "rate times size",
    .parameters = {"token_rate", "bytes_per_token", "gpus"},
    .function = [](Frequency token_rate, Bytes bytes_per_token, Count gpus) -> Result<DataRate> {
      if (auto wrong = violated({not_negative("token_rate", token_rate),
                                 not_negative("bytes_per_token", bytes_per_token), at_least("gpus", gpus, 1)}))
        return *wrong;
      return token_rate * bytes_per_token / gpus;
    },
    .monotone = Monotone::mixed,
};

// Checkpoint restore

constinit const Formula<DataRate, Bytes, Count, Time> restore_bandwidth{
    .name = "restore_bandwidth",
    .text = "checkpoint * reading_replicas / restore_time",
    .source = "data over time",
    .parameters = {"checkpoint", "reading_replicas", "restore_time"},
    .function = [](Bytes checkpoint, Count reading_replicas, Time restore_time) -> Result<DataRate> {
      if (auto wrong =
              violated({not_negative("checkpoint", checkpoint), not_negative("reading_replicas", reading_replicas),
                        above_zero("restore_time", restore_time)}))
        return *wrong;
      return checkpoint * reading_replicas / restore_time;
    },
    .monotone = Monotone::mixed,
};

// Tokenization

constinit const Formula<Time, Bytes, DataRate> tokenization_core_time{
    .name = "tokenization_core_time",
    .text = "text / throughput_per_core",
    .source = "data over rate",
    .parameters = {"text", "throughput_per_core"},
    .function = [](Bytes text, DataRate throughput_per_core) -> Result<Time> {
      if (auto wrong = violated({not_negative("text", text), above_zero("throughput_per_core", throughput_per_core)}))
        return *wrong;
      return text / throughput_per_core;
    },
    .monotone = Monotone::mixed,
};

// Near-duplicate removal

constinit const Formula<Bytes, Count, Count, Bytes> minhash_signature_bytes{
    .name = "minhash_signature_bytes",
    .text = "documents * hashes_per_document * bytes_per_hash",
    .source = "Broder 1997",
    .parameters = {"documents", "hashes_per_document", "bytes_per_hash"},
    .function = [](Count documents, Count hashes_per_document, Bytes bytes_per_hash) -> Result<Bytes> {
      if (auto wrong =
              violated({not_negative("documents", documents), not_negative("hashes_per_document", hashes_per_document),
                        not_negative("bytes_per_hash", bytes_per_hash)}))
        return *wrong;
      return 1.0 * documents * hashes_per_document * bytes_per_hash;
    },
};

constinit const Formula<double, Count, Count> locality_sensitive_hashing_threshold{
    .name = "locality_sensitive_hashing_threshold",
    .text = "(1 / bands) ^ (1 / rows_per_band)",
    .source = "Leskovec, Rajaraman and Ullman, Mining of Massive Datasets",
    .parameters = {"bands", "rows_per_band"},
    .function = [](Count bands, Count rows_per_band) -> Result<double> {
      if (auto wrong = violated({at_least("bands", bands, 1), at_least("rows_per_band", rows_per_band, 1)}))
        return *wrong;
      return std::pow(1.0 / bands, 1.0 / rows_per_band);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

// Tokenized dataset

constinit const Formula<Bytes, Count, Bytes> tokenized_dataset_bytes{
    .name = "tokenized_dataset_bytes",
    .text = "tokens * bytes_per_token",
    .source = "tokens times size",
    .parameters = {"tokens", "bytes_per_token"},
    .function = [](Count tokens, Bytes bytes_per_token) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("tokens", tokens), not_negative("bytes_per_token", bytes_per_token)}))
        return *wrong;
      return 1.0 * tokens * bytes_per_token;
    },
};

constinit const Formula<Bytes, Count> token_id_bytes{
    .name = "token_id_bytes",
    .text = "2 B if vocabulary_size <= 65536 else 4 B",
    .source = "unsigned integer widths",
    .parameters = {"vocabulary_size"},
    .function = [](Count vocabulary_size) -> Result<Bytes> {
      if (auto wrong = violated({at_least("vocabulary_size", vocabulary_size, 1)})) return *wrong;
      return vocabulary_size <= 65536 ? bytes(2) : bytes(4);
    },
};

constinit const Formula<Time, Count, Frequency> dataset_consumption_time{
    .name = "dataset_consumption_time",
    .text = "tokens / token_rate",
    .source = "tokens over rate",
    .parameters = {"tokens", "token_rate"},
    .function = [](Count tokens, Frequency token_rate) -> Result<Time> {
      if (auto wrong = violated({not_negative("tokens", tokens), above_zero("token_rate", token_rate)})) return *wrong;
      return 1.0 * tokens / token_rate;
    },
    .monotone = Monotone::mixed,
};

// Checkpoint retention

constinit const Formula<Bytes, Bytes, Count, Count, Count, Count> checkpoint_retention_bytes{
    .name = "checkpoint_retention_bytes",
    .text = "checkpoint * (last_kept + hourly_kept + daily_kept + weekly_kept)",
    .source = "retention arithmetic",
    .parameters = {"checkpoint", "last_kept", "hourly_kept", "daily_kept", "weekly_kept"},
    .function = [](Bytes checkpoint, Count last_kept, Count hourly_kept, Count daily_kept,
                   Count weekly_kept) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("checkpoint", checkpoint), not_negative("last_kept", last_kept),
                                 not_negative("hourly_kept", hourly_kept), not_negative("daily_kept", daily_kept),
                                 not_negative("weekly_kept", weekly_kept)}))
        return *wrong;
      return checkpoint * (1.0 * last_kept + hourly_kept + daily_kept + weekly_kept);
    },
};

// Disaster recovery

constinit const Formula<DataRate, Bytes, Time> replication_line_rate{
    .name = "replication_line_rate",
    .text = "8 bit/B * data / replication_interval",
    .source = "data over time",
    .parameters = {"data", "replication_interval"},
    .function = [](Bytes data, Time replication_interval) -> Result<DataRate> {
      if (auto wrong = violated({not_negative("data", data), above_zero("replication_interval", replication_interval)}))
        return *wrong;
      return data / replication_interval;
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::network_rate,
};

constinit const Formula<Time, Time, Bytes, DataRate> recovery_point_objective{
    .name = "recovery_point_objective",
    .text = "checkpoint_interval + checkpoint * 8 bit/B / line_rate",
    .source = "interval plus copy time",
    .parameters = {"checkpoint_interval", "checkpoint", "line_rate"},
    .function = [](Time checkpoint_interval, Bytes checkpoint, DataRate line_rate) -> Result<Time> {
      if (auto wrong = violated({not_negative("checkpoint_interval", checkpoint_interval),
                                 not_negative("checkpoint", checkpoint), above_zero("line_rate", line_rate)}))
        return *wrong;
      return checkpoint_interval + checkpoint / line_rate;
    },
    .monotone = Monotone::mixed,
};

// Further parts of the models

constinit const Formula<double, DataRate, DataRate> burst_bandwidth_ratio{
    .name = "burst_bandwidth_ratio",
    .text = "needed_bandwidth / available_bandwidth",
    .source = "ratio",
    .parameters = {"needed_bandwidth", "available_bandwidth"},
    .function = [](DataRate needed_bandwidth, DataRate available_bandwidth) -> Result<double> {
      if (auto wrong = violated({not_negative("needed_bandwidth", needed_bandwidth),
                                 above_zero("available_bandwidth", available_bandwidth)}))
        return *wrong;
      return needed_bandwidth / available_bandwidth;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Time, Time> checkpoint_stall_share{
    .name = "checkpoint_stall_share",
    .text = "stall / (checkpoint_interval + stall)",
    .source = "ratio of times",
    .parameters = {"stall", "checkpoint_interval"},
    .function = [](Time stall, Time checkpoint_interval) -> Result<double> {
      if (auto wrong = violated({not_negative("stall", stall), above_zero("checkpoint_interval", checkpoint_interval)}))
        return *wrong;
      return stall / (checkpoint_interval + stall);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Bytes, Bytes, double> capacity_with_fill_limit{
    .name = "capacity_with_fill_limit",
    .text = "data / fill_limit",
    .source = "capacity practice",
    .parameters = {"data", "fill_limit"},
    .function = [](Bytes data, double fill_limit) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("data", data), positive_share("fill_limit", fill_limit)})) return *wrong;
      return data / fill_limit;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<DataRate, const std::vector<DataRate>&> narrowest_bandwidth{
    .name = "narrowest_bandwidth",
    .text = "min(stage_bandwidths)",
    .source = "stages in a pipeline",
    .parameters = {"stage_bandwidths"},
    .function = [](const std::vector<DataRate>& stage_bandwidths) -> Result<DataRate> {
      if (stage_bandwidths.empty()) return not_applicable("stage_bandwidths must hold at least one value; it is empty");
      for (DataRate each : stage_bandwidths)
        if (auto wrong = violated({not_negative("stage_bandwidths", each)})) return *wrong;
      return *std::min_element(stage_bandwidths.begin(), stage_bandwidths.end());
    },
};

std::vector<AnyFormula> storage_formulas() {
  return {
      any(checkpoint_burst_to_dataset_read_ratio),
      any(checkpoint_bytes_per_rank),
      any(checkpoint_bytes_per_node),
      any(node_local_write_time),
      any(checkpoint_bytes),
      any(transfer_time),
      any(checkpoint_duty),
      any(required_bandwidth),
      any(token_stream_bandwidth),
      any(token_stream_bandwidth_per_gpu),
      any(restore_bandwidth),
      any(tokenization_core_time),
      any(minhash_signature_bytes),
      any(locality_sensitive_hashing_threshold),
      any(tokenized_dataset_bytes),
      any(token_id_bytes),
      any(dataset_consumption_time),
      any(checkpoint_retention_bytes),
      any(replication_line_rate),
      any(recovery_point_objective, {nullptr, nullptr, &kind::network_rate}),
      any(burst_bandwidth_ratio),
      any(checkpoint_stall_share),
      any(capacity_with_fill_limit),
      any(narrowest_bandwidth),
  };
}

} // namespace hallwright
