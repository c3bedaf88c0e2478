// Timed cases. Times are compared within one run: machines are shared and noisy.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace coracle::bench {

struct Timing {
  std::string name;
  int resolution = 0;
  double seconds = 0;
  std::vector<std::pair<std::string, double>> figures;
};

struct BenchCase {
  std::string name;
  std::string what;
  std::vector<Timing> (*run)();
};

const std::vector<BenchCase>& cases();

}  // namespace coracle::bench
