// Elements of USD's text layers (.usda): identifiers, strings, numbers, arrays. Floats are written as the shortest
// text that reads back as the same bits.
#pragma once

#include "coracle/types.h"

#include <span>
#include <string>
#include <vector>

namespace coracle {

// Names as unique USD identifiers, [A-Za-z_][A-Za-z0-9_]*: any other character becomes _, a leading digit gets a _ in
// front, and a duplicate gets a number. `taken` are in use already.
std::vector<std::string> usd_identifiers(const std::vector<std::string>& names, std::vector<std::string> taken = {});

// In quotes, with special characters escaped.
std::string usd_string(const std::string& text);

std::string usd_number(double x);
std::string usd_array(std::span<const float> values);
std::string usd_array(std::span<const int> values);
std::string usd_array(std::span<const Vec3f> values);

}  // namespace coracle
