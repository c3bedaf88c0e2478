#include "coracle/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <sstream>

namespace coracle {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

// A file that holds one number. Unknown if there is no such file, or if it holds a word such as "max".
double number_in(const std::string& path) {
  double value = 0;
  return std::ifstream(path) >> value ? value : unknown;
}

// The sum of some lines "name number" of a file.
double sum_in(const std::string& path, std::initializer_list<const char*> names) {
  std::ifstream file(path);
  double sum = 0, value = 0;
  for (std::string name; file >> name >> value;)
    if (std::find(names.begin(), names.end(), name) != names.end()) sum += value;
  return sum;
}

double left_in_group(const std::string& folder, bool version_2) {
  const double most = number_in(folder + (version_2 ? "/memory.max" : "/memory.limit_in_bytes"));
  const double used = number_in(folder + (version_2 ? "/memory.current" : "/memory.usage_in_bytes"));
  if (most == unknown || used == unknown) return unknown;
  const std::string counts = folder + "/memory.stat";
  const double cached = version_2 ? sum_in(counts, {"active_file", "inactive_file"})
                                  : sum_in(counts, {"total_active_file", "total_inactive_file"});
  return std::max(0.0, most - std::max(0.0, used - cached));
}

double machine_free() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  for (double kilobytes = 0; file >> name >> kilobytes; file.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
    if (name == "MemAvailable:") return 1024 * kilobytes;
  return unknown;
}

// Of ulimit -v.
double left_of_addresses() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return std::max(0.0, double(limit.rlim_cur) - pages * double(sysconf(_SC_PAGESIZE)));
}

std::string text_of(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

double left_in_groups(const std::string& groups, const std::string& mount) {
  double least = unknown;
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {  // "4:memory:/path", or "0::/path" of version 2
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool version_2 = controllers == ",,";
    if (!version_2 && controllers.find(",memory,") == std::string::npos) continue;
    // A container sees its own group as the top one: a path that is not there does no harm.
    const std::string top = version_2 ? mount : mount + "/memory";
    std::string path = line.substr(second + 1);
    for (;; path.resize(path.rfind('/'))) {
      if (path == "/") path.clear();
      least = std::min(least, left_in_group(top + path, version_2));
      if (path.find('/') == std::string::npos) break;
    }
  }
  return least;
}

double available_memory() {
  const double groups = left_in_groups(text_of("/proc/self/cgroup"), "/sys/fs/cgroup");
  return std::min({machine_free(), groups, left_of_addresses()});
}

}  // namespace coracle
