// The memory of the machine.
#pragma once

#include <string>

namespace coracle {

// Bytes that this process can still get: what the machine has free, or less if a limit (ulimit -v, a container's) is
// nearer. Infinite if the system does not say.
double available_memory();

// Bytes that the memory limits of control groups, which containers and job systems set, leave. A group's limit holds
// for all groups below it; files that the system only caches count as free. `groups`: the text of /proc/self/cgroup;
// `mount`: the folder of the groups, in the layout of version 1 or 2. Infinite without a limit.
double left_in_groups(const std::string& groups, const std::string& mount);

}  // namespace coracle
