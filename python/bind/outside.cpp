// Calls that leave Python, and how Python ends.
#include "bind/bind.h"

#include <dlfcn.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace coracle {
namespace {

std::atomic<int> calls = 0;
std::atomic<bool> ends = false;

// OpenVDB brings a library for logs that starts threads when it is loaded. A process that forks has none of them, and
// its end would wait for them for ever. Nothing is logged there.
void end_threads_of_logs() {
  if (void* const end = dlsym(RTLD_DEFAULT, "_ZN9log4cplus18shutdownThreadPoolEv")) reinterpret_cast<void (*)()>(end)();
}

}  // namespace

Outside::Count::Count() {
  if (ends) throw std::runtime_error("Python ends: coracle takes no more calls");
  ++calls;
}
Outside::Count::~Count() { --calls; }
Outside::Outside() = default;
Outside::~Outside() = default;
bool Outside::python_ends() { return ends; }

void bind_outside(py::module_& m) {
  end_threads_of_logs();
  m.def("wait_for_calls", [] {
    ends = true;
    const py::gil_scoped_release released;
    while (calls > 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  });
  py::module_::import("atexit").attr("register")(m.attr("wait_for_calls"));
}

}  // namespace coracle
