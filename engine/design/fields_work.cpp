// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/design.h"

/// Fields of the project, its goal, the training job, storage, operations and budget. Ranges are in base units.
namespace hallwright {
namespace {

constexpr double day = 86400.0, year = 31557600.0;

constexpr FieldOptions percent_of(std::string_view help, double minimum = 0.0, double maximum = 1.0) {
  return {.minimum = minimum, .maximum = maximum, .help = help, .unit = "%", .kind = &kind::percent};
}
constexpr FieldOptions count_of(std::string_view help, double minimum, double maximum) {
  return {.minimum = minimum, .maximum = maximum, .help = help};
}
constexpr FieldOptions axis(std::string_view help) { return count_of(help, 1, 1e6); }
constexpr FieldOptions span_of(std::string_view help, double minimum, double maximum, std::string_view unit) {
  return {.minimum = minimum, .maximum = maximum, .help = help, .unit = unit};
}

} // namespace

template <>
std::span<const Field<Project>> fields<Project>() {
  static constexpr Field<Project> list[] = {
      field<&Project::name>("name", "Name", {.help = "Name of the project, on the title page of the report."}),
      field<&Project::question>("question", "Question", {.help = "The question that this design answers."}),
      field<&Project::author>("author", "Author", {.help = "Who is responsible for the design."}),
      field<&Project::notes>("notes", "Notes", {.help = "Free text that goes into the report."}),
      field<&Project::power_basis>("power_basis", "Power basis",
                                   {.help = "Which of a part's three powers the whole design counts with: nameplate, typical or measured in "
                                            "training. A part without it falls back to the nameplate and says so."}),
  };
  return list;
}

template <>
std::span<const Field<Goal>> fields<Goal>() {
  static constexpr Field<Goal> list[] = {
      field<&Goal::gpus>("gpus", "GPUs wanted",
                         count_of("How many GPUs the cluster should have, 0 to 10 million. 0: as many as the site carries.", 0, 1e7)),
      field<&Goal::node_part>("node_part", "Node", {.help = "Node to count with where no rack type is drawn.", .part = "node"}),
      field<&Goal::nodes_per_rack>("nodes_per_rack", "Nodes per rack", count_of("Nodes in one rack until rack types are drawn, 1 to 1000.", 1, 1000)),
      field<&Goal::assumed_power_usage_effectiveness>(
          "assumed_power_usage_effectiveness", "Assumed PUE",
          {.minimum = 1.0, .maximum = 5.0,
           .help = "Facility power over IT power until the chain is drawn, 1 to 5. The default of 1.25 is a project choice: 1.2 is usual for "
                   "new liquid-cooled halls, the best fleet reports 1.09, surveys 1.36 to 1.52."}),
      field<&Goal::network_power_share>("network_power_share", "Network power",
                                        percent_of("Power of switches and optics as a share of node power until a fabric is described, 0 to 100 %. "
                                              "The default of 6 % is a project choice between 3 and 9 %.")),
      field<&Goal::storage_power_share>("storage_power_share", "Storage power",
                                        percent_of("Power of storage as a share of node power until storage is described, 0 to 100 %. The default of "
                                              "4 % is a project choice.")),
      field<&Goal::liquid_heat_share>("liquid_heat_share", "Heat to liquid",
                                      percent_of("Share of rack heat that coolant takes where the node part does not say, 0 to 100 %.")),
  };
  return list;
}

template <>
std::span<const Field<Job>> fields<Job>() {
  static constexpr Field<Job> list[] = {
      field<&Job::model_part>("model_part", "Model", {.help = "Model to train, from the catalog; gives layers, widths and parameters.", .part = "model"}),
      field<&Job::tokens>("tokens", "Tokens",
                          {.minimum = 1.0, .maximum = 1e18,
                           .help = "Tokens of the whole training run, 1 to 1e18. Default 15.6e12: Llama 3 405B, arXiv:2407.21783."}),
      field<&Job::sequence_length>("sequence_length", "Sequence length", count_of("Tokens of one sequence, 1 to 100 million.", 1, 1e8)),
      field<&Job::global_batch_sequences>("global_batch_sequences", "Global batch",
                                          count_of("Sequences of one optimizer step over all replicas, 1 to 100 million.", 1, 1e8)),
      field<&Job::micro_batch>("micro_batch", "Micro batch", axis("Sequences that one pipeline pass takes, 1 to 1000000.")),
      field<&Job::tensor_parallel>("tensor_parallel", "Tensor parallel", axis("GPUs that share each layer's matrices, 1 to 1000000; usually within a scale-up domain.")),
      field<&Job::pipeline_parallel>("pipeline_parallel", "Pipeline parallel", axis("Stages that the layers are spread over, 1 to 1000000.")),
      field<&Job::virtual_stages>("virtual_stages", "Virtual stages", axis("Chunks of layers that each stage holds (interleaving), 1 to 1000000; more make the bubble smaller.")),
      field<&Job::context_parallel>("context_parallel", "Context parallel", axis("GPUs that share each sequence, 1 to 1000000.")),
      field<&Job::expert_parallel>("expert_parallel", "Expert parallel", axis("GPUs that the experts of a layer are spread over, 1 to 1000000; 1 for dense models.")),
      field<&Job::data_parallel>("data_parallel", "Data parallel", axis("Replicas of the model, 1 to 1000000. Tensor x pipeline x context x data is the number of GPUs.")),
      field<&Job::precision>("precision", "Precision", {.help = "Number format of the matrix multiplications; decides which peak counts."}),
      field<&Job::sharding>("sharding", "Sharding", {.help = "What is spread over the data-parallel replicas instead of being kept in each."}),
      field<&Job::recompute>("recompute", "Recomputation", {.help = "Which activations are computed again in the backward pass instead of being kept."}),
      field<&Job::sequence_parallel>("sequence_parallel", "Sequence parallel",
                                     {.help = "Norms and residuals are split over the tensor-parallel ranks too: less memory, the same traffic."}),
      field<&Job::shard_ranks>("shard_ranks", "Sharded over",
                               count_of("Ranks that sharded parameters are spread over, 0 to 1000000, the rest hold copies (hybrid sharding). 0: all "
                                        "data-parallel ranks. Counts where parameters are sharded.",
                                        0, 1e6)),
      field<&Job::pipeline_order>("pipeline_order", "Pipeline schedule",
                                  {.help = "Order in which a stage works: 1f1b (interleaved where there are virtual stages), gpipe, zero-bubble "
                                           "schedules that split the backward pass (Qi et al. 2024), or bidirectional (DualPipe, DeepSeek-V3 2024)."}),
      field<&Job::software_stack>("software_stack", "Software stack",
                                  {.help = "Program that trains, by generation: decides which kernels are fused, what overlaps and what a launch costs. "
                                           "The constants of each were fitted to published runs of it."}),
      field<&Job::hot_expert>("hot_expert", "Fullest expert rank",
                              {.minimum = 1.0, .maximum = 64.0,
                               .help = "Tokens of the fullest expert-parallel rank over the mean, 1 to 64. 1: balanced, as benchmark runs force it."}),
      field<&Job::tensor_overlap>("tensor_overlap", "Overlap tensor traffic",
                                  {.help = "Exchanges of tensor parallelism run beside the products where the software stack can do so; "
                                           "off: all of it is waited for."}),
      field<&Job::pipeline_overlap>("pipeline_overlap", "Overlap pipeline traffic",
                                    {.help = "Activations travel between stages beside the work on other micro-batches where the software stack "
                                             "can do so; off: all of it is waited for."}),
      field<&Job::data_overlap>("data_overlap", "Overlap data traffic",
                                {.help = "Gradients are reduced beside the backward pass and weights gathered beside the forward pass where the "
                                         "software stack can do so; off: all of it is waited for."}),
      field<&Job::trained_weights>("trained_weights", "Trained weights",
                                   {.help = "all: every weight. lora: low-rank adapters beside weights that stay as they are (Hu et al. 2021). qlora: "
                                            "the same with the fixed weights in 4 bits (Dettmers et al. 2023)."}),
      field<&Job::adapter_rank>("adapter_rank", "Adapter rank",
                                count_of("Inner width of the low-rank adapters, 1 to 65536. Counts where adapters are trained.", 1, 65536)),
      field<&Job::adapter_targets>("adapter_targets", "Adapters at",
                                   {.help = "Products that carry an adapter: those of attention, or all of a layer."}),
      field<&Job::model_flops_utilization>(
          "model_flops_utilization", "MFU, typed",
          percent_of("Share of the dense peak that is achieved while steps run, 1 to 100 %. Not set: the step-time model says. Work is counted as "
                "6 x active parameters x tokens "
                "(6ND). Attention over the sequence is left out (at 8,192 tokens some 4 % more for Llama 3 405B, causal; it grows with the "
                "sequence), and so is what is computed again: enter an MFU that was counted the same way. Llama 3 405B "
                "reports 38 to 43 % on 8,000 to 16,000 H100 (arXiv:2407.21783).",
                0.01)),
      field<&Job::step_time_factor>("step_time_factor", "Calibration",
                                    {.minimum = 0.1, .maximum = 10.0,
                                     .help = "Measured over modelled step time of a run of your own, 0.1 to 10: multiplies the step time of every "
                                             "layout of the job. 1: not calibrated."}),
      field<&Job::rank_order>("rank_order", "Rank order",
                              {.help = "How ranks lie on the nodes: unit order (scalable unit after scalable unit), rack order (as racks stand, row by row) or random."}),
      field<&Job::placement_seed>("placement_seed", "Placement seed", count_of("Seed of the random rank order, 0 to 1 billion.", 0, 1e9)),
      field<&Job::axis_order>("axis_order", "Axis order",
                              {.help = "Order of the axes along the nodes after tensor and context: data before pipeline puts the copies of a stage "
                                       "together, pipeline before data the stages of a copy."}),
      folded(field<&Job::gradient_format>("gradient_format", "Gradients in",
                                   {.help = "Number format in which gradients are kept until the optimizer has used them. auto: that of the software stack."}), "Formats and offload"),
      folded(field<&Job::master_format>("master_format", "Master weights in",
                                 {.help = "Number format of the weights that the optimizer updates. auto: fp32."}), "Formats and offload"),
      folded(field<&Job::moment_format>("moment_format", "Moments in",
                                 {.help = "Number format of the two moments of Adam. auto: fp32."}), "Formats and offload"),
      folded(field<&Job::offload>("offload", "Offload",
                           {.help = "What is kept in the host's memory instead of the GPU's; it crosses the link between them in every step."}), "Formats and offload"),
      folded(field<&Job::offload_rate>("offload_rate", "Rate to the host",
                                {.minimum = 1e8, .maximum = 1e12,
                                 .help = "Rate between one GPU and its host, each way, 0.1 GB/s to 1 TB/s. The default of 25 GB/s is a project choice for "
                                         "PCIe 4.0 x16 shared as measured; PCIe 5.0 x16 gives about 50, NVLink-C2C up to 450 GB/s.",
                                 .unit = "GB/s"}), "Formats and offload"),
      folded(field<&Job::gpu_power_cap>("gpu_power_cap", "GPU power cap",
                                 {.minimum = 50.0, .maximum = 10e3,
                                  .help = "Power that one GPU is held to, 50 W to 10 kW; below the maker's limit its clock falls. Not set: the maker's limit.",
                                  .unit = "W"}), "Power"),
      folded(field<&Job::communication_power_share>(
          "communication_power_share", "Power while waiting",
          percent_of("Power of a rack while it waits for exposed traffic over that while it computes, 0 to 100 %. The default of 60 % is a project "
                "choice.")), "Power"),
  };
  return list;
}

template <>
std::span<const Field<StoragePlan>> fields<StoragePlan>() {
  static constexpr Field<StoragePlan> list[] = {
      field<&StoragePlan::system_part>("system_part", "Storage system", {.help = "Storage system from the catalog; gives capacity and rates.", .part = "storage"}),
      field<&StoragePlan::systems>("systems", "Systems", count_of("How many of that catalog system, 1 to 1000000.", 1, 1e6)),
      field<&StoragePlan::bytes_per_parameter>("bytes_per_parameter", "Bytes per parameter",
                                               {.minimum = 0.5, .maximum = 64.0,
                                                .help = "Bytes of a full checkpoint per parameter, 0.5 to 64. Default 14: 2 of weights, 4 of master "
                                                        "weights and 8 of moments; MLPerf Storage v2.0 sizes give 13.0 to 15.0."}),
      field<&StoragePlan::checkpoint_target>("checkpoint_target", "Checkpoint write target",
                                             span_of("Longest acceptable write of a full checkpoint, 0.1 s to 1 day. The default of 60 s is a project choice.", 0.1, day, "s")),
      field<&StoragePlan::checkpoint_interval>("checkpoint_interval", "Checkpoint interval",
                                               span_of("Time from one checkpoint to the next, 1 s to 30 days. Not set: the optimum for the failure rate.", 1.0, 30 * day, "min")),
      field<&StoragePlan::asynchronous>("asynchronous", "Asynchronous", {.help = "Only the copy to host memory stops the job; the write goes on beside the training."}),
      field<&StoragePlan::host_copy_rate_per_gpu>("host_copy_rate_per_gpu", "Host copy rate per GPU",
                                                  {.minimum = 1e7, .maximum = 1e13,
                                                   .help = "Rate at which one GPU's share goes to host memory, 10 MB/s to 10 TB/s. The default of 20 GB/s is a "
                                                           "project choice below what PCIe Gen 5 x16 carries.",
                                                   .unit = "GB/s"}),
      field<&StoragePlan::checkpoints_kept>("checkpoints_kept", "Checkpoints kept", count_of("Full checkpoints for which there must be room, 1 to 100000.", 1, 1e5)),
      field<&StoragePlan::dataset>("dataset", "Dataset",
                                   {.minimum = 0.0, .maximum = 1e21, .help = "Size of the training data as stored, 0 to 1000 EB.", .unit = "TB"}),
  };
  return list;
}

template <>
std::span<const Field<Operations>> fields<Operations>() {
  static constexpr Field<Operations> list[] = {
      field<&Operations::node_failures_per_1000_node_days>(
          "node_failures_per_1000_node_days", "Failures per 1000 node-days",
          {.minimum = 0.0, .maximum = 1000.0,
           .help = "Job-stopping failures per 1000 nodes and day, 0 to 1000. Default 3.8: 419 unexpected interruptions in 54 days on 2,048 nodes "
                   "of 8 GPUs (Llama 3, arXiv:2407.21783, Table 5); other clusters report 2.3 to 6.5 (arXiv:2602.00277, arXiv:2410.21680)."}),
      field<&Operations::user_failure_rate>("user_failure_rate", "Other failures of the job",
                                            {.minimum = 0.0, .maximum = 1.0 / 60.0,
                                             .help = "Failures of the job from code, data and people, whatever its size, 0 to 60 per hour. The default of "
                                                     "0.02 per hour is a project choice; one research cluster comes to 0.09 (arXiv:2410.21680).",
                                             .unit = "1/h"}),
      field<&Operations::detection_time>("detection_time", "Time to detect",
                                         span_of("From failure to alarm, 0 to 30 days. Default 1 min: log-based detection (arXiv:2509.16293); hangs take "
                                                 "10 min and more.",
                                                 0.0, 30 * day, "min")),
      field<&Operations::rescheduling_time>("rescheduling_time", "Time to reschedule",
                                            span_of("To decide, evict and place the job again, 0 to 30 days. The default of 4 min is a project choice; "
                                                    "locating takes 2 to 15 min (arXiv:2509.16293).",
                                                    0.0, 30 * day, "min")),
      field<&Operations::reload_time>("reload_time", "Time to reload",
                                      span_of("To load the checkpoint, set up communicators and warm up, 0 to 30 days. The default of 2 min is a "
                                              "project choice; a measured load at 405B took 129 s (arXiv:2407.20143).",
                                              0.0, 30 * day, "min")),
      field<&Operations::repair_time>("repair_time", "Time to repair",
                                      span_of("Until a failed node is back in service, 0 to 5 years. The default of 14 days is a project choice: parts "
                                              "on site take days, returned boards weeks.",
                                              0.0, 5 * year, "d")),
      field<&Operations::replenishment_time>("replenishment_time", "Time to refill spares",
                                             span_of("Until a used hot spare is replaced by another ready node, 0 to 5 years. The default of 24 h is a "
                                                     "project choice.",
                                                     0.0, 5 * year, "h")),
      field<&Operations::service_level>("service_level", "Service level",
                                        percent_of("Chance that the spares suffice, 50 to 99.9999 %. The default of 95 % is a project choice.", 0.5, 0.999999)),
      field<&Operations::largest_failure_domain_nodes>("largest_failure_domain_nodes", "Largest failure domain",
                                                       count_of("Nodes that one event can take, 0 to 1000000. 0: the largest one in the drawing.", 0, 1e6)),
      field<&Operations::annual_gpu_replacement_rate>("annual_gpu_replacement_rate", "GPU replacements per year",
                                                      percent_of("GPUs replaced per GPU and year, 0 to 100 %. The default of 4 % is an estimate for H100; "
                                                            "the counts of Llama 3 give at most 6.1 %, 9.1 % with memory (arXiv:2407.21783).")),
      field<&Operations::part_lead_time>("part_lead_time", "Lead time of parts",
                                         span_of("From order to delivery of spare parts, 0 to 5 years. The default of 12 weeks is a project choice.", 0.0, 5 * year, "d")),
  };
  return list;
}

template <>
std::span<const Field<BudgetPlan>> fields<BudgetPlan>() {
  static constexpr Field<BudgetPlan> list[] = {
      field<&BudgetPlan::years_of_service>("years_of_service", "Years of service", count_of("Years over which IT equipment is used and written off, 1 to 50.", 1, 50)),
      field<&BudgetPlan::discount_rate>("discount_rate", "Discount rate", percent_of("Cost of capital per year, 0 to 100 %. The default of 8 % is a project choice.")),
      field<&BudgetPlan::node_price>("node_price", "Node price",
                                     {.minimum = 0.0, .maximum = 1e9, .help = "Price of one node, 0 to 1000 MUSD. Not set: the catalog's.", .unit = "USD"}),
      field<&BudgetPlan::facility_price>("facility_price", "Facility price",
                                         {.minimum = 0.0, .maximum = 1000.0,
                                          .help = "Building and plant per watt of IT load, 0 to 1000 USD/W. Not set: the catalog's assumption.",
                                          .unit = "USD/W"}),
      field<&BudgetPlan::annual_maintenance_share>("annual_maintenance_share", "Maintenance per year",
                                                   percent_of("Maintenance contracts as a share of IT capital and year, 0 to 100 %. The default of 3 % is a project choice.")),
      field<&BudgetPlan::annual_staff_cost_share>("annual_staff_cost_share", "Staff per year",
                                                  percent_of("Staff as a share of IT capital and year, 0 to 100 %. The default of 1 % is a project choice.")),
      field<&BudgetPlan::mean_load_share>("mean_load_share", "Mean load",
                                          percent_of("Mean over peak electrical load through the year, 1 to 100 %. The default of 80 % is a project choice.", 0.01)),
      field<&BudgetPlan::availability>("availability", "Availability",
                                       percent_of("Share of hours in which the cluster is in service, 1 to 100 %. The default of 95 % is a project choice.", 0.01)),
      field<&BudgetPlan::facility_life>("facility_life", "Facility life",
                                        span_of("Years over which building and plant are written off, 1 to 100. The default of 15 years is a project choice.", year, 100 * year, "y")),
  };
  return list;
}

} // namespace hallwright
