#include "coracle/report.h"

#include <fmt/format.h>

namespace coracle {

std::string LiquidReport::headline() const {
  const double drift = expected_volume > 0 ? 100 * (volume - expected_volume) / expected_volume : 0;
  std::string text = fmt::format("liquid {:.4g} m³ ({:+.2f} %)", volume, drift);
  if (skinned) text += fmt::format(", {:.3g} l on skins", 1e3 * skinned->held);
  return text;
}

std::string GasReport::headline() const { return fmt::format("gas at most {:.3g} m/s", max_speed); }

}  // namespace coracle
