#include "coracle/report.h"

#include "coracle/base/amounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// (value − expected) / expected
std::string percent_off(double value, double expected) {
  const double error = expected > 0 ? 100 * (value - expected) / expected : 0;
  return fmt::format("{:+.2f} %", std::abs(error) < 0.005 ? 0 : error);  // no "-0.00 %"
}

}  // namespace

std::string LiquidReport::headline() const {
  std::string text = "liquid " + percent_off(volume, expected_volume);
  if (skinned) text += fmt::format(", {:.3g} l on skins", 1e3 * skinned->held);
  return text;
}

std::string GasReport::headline() const {
  return expected_smoke > 0 ? "smoke " + percent_off(smoke, expected_smoke)
                            : fmt::format("gas at most {:.3g} m/s", max_speed);
}

std::optional<double> StepReport::smallest_gap() const {
  std::optional<double> gap;
  const auto add = [&](const auto& found) {
    if (found.min_distance < found.reach) gap = std::min(gap.value_or(found.min_distance), found.min_distance);
  };
  if (contact) add(*contact);
  if (const SphReport* sph = std::get_if<SphReport>(&fluid)) add(*sph);
  return gap;
}

std::string StepReport::headline() const {
  std::string text = std::visit([](const auto& kind) { return kind.headline(); }, fluid);
  if (const std::optional<double> gap = smallest_gap()) text += (text.empty() ? "gap " : ", gap ") + length_text(*gap);
  return text;
}

}  // namespace coracle
