// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of checkpoints, data sets and storage tiers.
///
/// Outside the ranges stated with its parameters a formula is not applicable and names the parameter. Estimates are
/// first-order models; every figure made by one says so.
namespace hallwright {

// Storage sizing

/// How many times the checkpoint burst exceeds the reading of the data set.
/// @param parameters [count], zero or more
/// @param bytes_per_parameter [B], zero or more
/// @param write_time [s], above 0
/// @param token_rate [1/s], above 0
/// @param bytes_per_token [B], above 0
/// @return [ratio]
/// @source storage arithmetic
extern const Formula<double, Count, Bytes, Time, Frequency, Bytes> checkpoint_burst_to_dataset_read_ratio;

// Sharded checkpoint

/// Checkpoint bytes that one rank writes when every byte is written once.
/// @param parameters [count], zero or more
/// @param bytes_per_parameter [B], zero or more
/// @param ranks [count], at least 1
/// @return [B]
/// @source even split
extern const Formula<Bytes, Count, Bytes, Count> checkpoint_bytes_per_rank;

/// Checkpoint bytes that one node writes.
/// @param checkpoint [B], zero or more
/// @param nodes [count], at least 1
/// @return [B]
/// @source even split
extern const Formula<Bytes, Bytes, Count> checkpoint_bytes_per_node;

/// Time of a node-local write striped over all drives.
/// @param bytes_per_node [B], zero or more
/// @param drives [count], at least 1
/// @param write_bandwidth_per_drive [B/s], above 0
/// @return [s]
/// @source data over rate
extern const Formula<Time, Bytes, Count, DataRate> node_local_write_time;

// Checkpoint size

/// Bytes of one checkpoint.
/// @param parameters [count], zero or more
/// @param bytes_per_parameter [B], zero or more
/// @return [B]
/// @source bytes per parameter
extern const Formula<Bytes, Count, Bytes> checkpoint_bytes;

// Checkpoint write

/// Time to move data at a bandwidth.
/// @param data [B], zero or more
/// @param bandwidth [B/s], above 0
/// @return [s]
/// @source data over rate
extern const Formula<Time, Bytes, DataRate> transfer_time;

/// Share of time lost to a blocking write, or duty of the write tier.
/// @param write_time [s], zero or more
/// @param checkpoint_interval [s], above 0
/// @return [ratio]
/// @source ratio of times
extern const Formula<double, Time, Time> checkpoint_duty;

// Storage throughput

/// Bandwidth that moves data within a duration: a write burst, a drain before the next burst, a data stage in time.
/// @param data [B], zero or more
/// @param duration [s], above 0
/// @return [B/s]
/// @source data over time
extern const Formula<DataRate, Bytes, Time> required_bandwidth;

// Dataset read

/// Bandwidth of the token stream.
/// @param token_rate [1/s], zero or more
/// @param bytes_per_token [B], zero or more
/// @return [B/s]
/// @source rate times size
extern const Formula<DataRate, Frequency, Bytes> token_stream_bandwidth;

/// Bandwidth of the token stream per GPU.
/// @param token_rate [1/s], zero or more
/// @param bytes_per_token [B], zero or more
/// @param gpus [count], at least 1
/// @return [B/s]
/// @source rate times size
extern const Formula<DataRate, Frequency, Bytes, Count> token_stream_bandwidth_per_gpu;

// Checkpoint restore

/// Bandwidth of a restore in which every reading replica reads the whole of its state.
/// @param checkpoint [B], zero or more
/// @param reading_replicas [count], zero or more
/// @param restore_time [s], above 0
/// @return [B/s]
/// @source data over time
extern const Formula<DataRate, Bytes, Count, Time> restore_bandwidth;

// Tokenization

/// Core time of a tokenization.
/// @param text [B], zero or more
/// @param throughput_per_core [B/s], above 0
/// @return [s]
/// @source data over rate
extern const Formula<Time, Bytes, DataRate> tokenization_core_time;

// Near-duplicate removal

/// Bytes of the signatures of a near-duplicate search.
/// @param documents [count], zero or more
/// @param hashes_per_document [count], zero or more
/// @param bytes_per_hash [B], zero or more
/// @return [B]
/// @source Broder 1997
extern const Formula<Bytes, Count, Count, Bytes> minhash_signature_bytes;

/// Similarity at which a pair becomes likely to share a band.
/// @param bands [count], at least 1
/// @param rows_per_band [count], at least 1
/// @return [ratio], an estimate
/// @source Leskovec, Rajaraman and Ullman, Mining of Massive Datasets
extern const Formula<double, Count, Count> locality_sensitive_hashing_threshold;

// Tokenized dataset

/// Bytes of a tokenized data set.
/// @param tokens [count], zero or more
/// @param bytes_per_token [B], zero or more
/// @return [B]
/// @source tokens times size
extern const Formula<Bytes, Count, Bytes> tokenized_dataset_bytes;

/// Bytes of one token id: two up to a vocabulary of 65536, else four.
/// @param vocabulary_size [count], at least 1
/// @return [B]
/// @source unsigned integer widths
extern const Formula<Bytes, Count> token_id_bytes;

/// Time in which a training reads a data set once.
/// @param tokens [count], zero or more
/// @param token_rate [1/s], above 0
/// @return [s]
/// @source tokens over rate
extern const Formula<Time, Count, Frequency> dataset_consumption_time;

// Checkpoint retention

/// Bytes of the kept checkpoints; no checkpoint counts in two classes.
/// @param checkpoint [B], zero or more
/// @param last_kept [count], zero or more
/// @param hourly_kept [count], zero or more
/// @param daily_kept [count], zero or more
/// @param weekly_kept [count], zero or more
/// @return [B]
/// @source retention arithmetic
extern const Formula<Bytes, Bytes, Count, Count, Count, Count> checkpoint_retention_bytes;

// Disaster recovery

/// Line rate that copies each checkpoint within one interval; protocol overhead left out.
/// @param data [B], zero or more
/// @param replication_interval [s], above 0
/// @return [B/s, shown as bit/s]
/// @source data over time
extern const Formula<DataRate, Bytes, Time> replication_line_rate;

/// Worst age of the copy elsewhere: one interval and the copy time.
/// @param checkpoint_interval [s], zero or more
/// @param checkpoint [B], zero or more
/// @param line_rate [B/s, shown as bit/s], above 0
/// @return [s]
/// @source interval plus copy time
extern const Formula<Time, Time, Bytes, DataRate> recovery_point_objective;

// Further parts of the models

/// Burst bandwidth needed over bandwidth available; above 1 the burst takes longer than its target.
/// @param needed_bandwidth [B/s], zero or more
/// @param available_bandwidth [B/s], above 0
/// @return [ratio]
/// @source ratio
extern const Formula<double, DataRate, DataRate> burst_bandwidth_ratio;

/// Share of wall time that a blocking stall takes after each interval of work.
/// @param stall [s], zero or more
/// @param checkpoint_interval [s], above 0
/// @return [ratio]
/// @source ratio of times
extern const Formula<double, Time, Time> checkpoint_stall_share;

/// Usable capacity that keeps data below a fill limit (0.8 is common practice).
/// @param data [B], zero or more
/// @param fill_limit [ratio], above 0, at most 1
/// @return [B]
/// @source capacity practice
extern const Formula<Bytes, Bytes, double> capacity_with_fill_limit;

/// Bandwidth of a chain of stages: that of the narrowest.
/// @param stage_bandwidths [B/s] a list, not empty, zero or more
/// @return [B/s]
/// @source stages in a pipeline
extern const Formula<DataRate, const std::vector<DataRate>&> narrowest_bandwidth;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> storage_formulas();

} // namespace hallwright
