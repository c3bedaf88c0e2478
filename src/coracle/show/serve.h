// The viewer's page and one run's files over HTTP, for this machine only; and, for a run that was started with
// --control, requests to pause and stop it (out/run_control.h). docs/viewer.md says what it serves, and to whom.
#pragma once

#include <memory>
#include <string>

namespace coracle {

inline constexpr int usual_view_port = 8642;

class ViewServer {
 public:
  // Serves at once, on its own threads. Port 0: the default port or the next free one. RunError if the port is taken.
  ViewServer(const std::string& dir, int port);
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  int port() const;
  std::string url() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace coracle
