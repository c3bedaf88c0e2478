// The words of USD's text layers (.usda): identifiers, strings, numbers, arrays. Floats are written as the shortest
// text that reads back as the same bits.
#pragma once

#include "coracle/types.h"

#include <span>
#include <string>
#include <vector>

namespace coracle {

// Names as USD identifiers, [A-Za-z_][A-Za-z0-9_]*, each once: another character becomes _, a digit at the front gets
// one, and the later of two that would be alike a number. `taken` are spoken for.
std::vector<std::string> usd_identifiers(const std::vector<std::string>& names, std::vector<std::string> taken = {});

// In quotes, with what they must not hold escaped.
std::string usd_string(const std::string& text);

std::string usd_number(double x);
std::string usd_array(std::span<const float> values);
std::string usd_array(std::span<const int> values);
std::string usd_array(std::span<const Vec3f> values);

}  // namespace coracle
