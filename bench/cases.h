// Timed cases. Times are compared within one run: machines are shared and noisy.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::bench {

using Parts = std::vector<std::pair<std::string, double>>;
using Figure = std::variant<double, std::string, Parts>;  // NaN: not measured

struct Row {
  std::string name;
  int resolution = 0;
  std::vector<std::pair<std::string, Figure>> figures;
};

// The bounds of a figure.
struct Requirement {
  std::string what;
  double value = 0;
  double least = 0, most = 0;  // infinite: none
  bool holds() const { return value >= least && value <= most; }
};

struct Results {
  std::vector<Row> rows;
  std::vector<Requirement> required;
  std::vector<std::string> notes;

  void require_at_least(double least, const std::string& what, double value) {
    required.push_back({what, value, least, std::numeric_limits<double>::infinity()});
  }
  void require_at_most(double most, const std::string& what, double value) {
    required.push_back({what, value, -std::numeric_limits<double>::infinity(), most});
  }
};

struct BenchCase {
  std::string name;
  std::string what;
  Results (*run)();
};

const std::vector<BenchCase>& cases();

Results projection();
Results table2();
Results step();
Results threads();
Results bar();
Results smoke();
Results contact();
Results splitting();
Results particles();
Results skinned();
Results device();
Results device_steps();
Results device_large();

}  // namespace coracle::bench
