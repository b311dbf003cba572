// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/calibration.h"

#include <cmath>

#include <fmt/format.h>

#include "design/access.h"

namespace hallwright {

Edit calibration_edit(double measured, double modelled) {
  return {fmt::format("Calibrate to a step of {:.4g} s", measured), [measured, modelled](const Design& d) -> Edited {
            if (!(measured > 0) || !std::isfinite(measured))
              return tl::make_unexpected(fmt::format("the measured step time must be above 0 s; it is {:.4g} s", measured));
            if (!(modelled > 0) || !std::isfinite(modelled))
              return tl::make_unexpected(std::string("the model gives no step time to calibrate: the job cannot run as it is"));
            const double factor = measured / modelled;
            if (factor < 0.1 || factor > 10)
              return tl::make_unexpected(
                  fmt::format("a measured step of {:.4g} s is {:.3g} times the modelled {:.4g} s; 0.1 to 10 times are allowed, so look "
                              "whether layout, batch and accelerators are those of the run",
                              measured, factor, modelled));
            const EntityRef job{"job", 0};
            Edited out = set_field(d, job, "step_time_factor", FieldValue(factor));
            if (out) out = set_field(*out, job, "model_flops_utilization", FieldValue(std::monostate{}));
            return out;
          }};
}

} // namespace hallwright
