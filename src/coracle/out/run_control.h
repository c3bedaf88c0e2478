// How another process pauses, continues and stops a run that was started for it.
//
//   DIR/control/          mode 0700: files are made and seen by the run's user alone
//     token               mode 0600: 128 random bits in hexadecimal. Who asks over the viewer's server must know it
//     request             "pause", "go_on" or "stop": written by who asks, taken by the run between two steps
//     request.*  taken    a request that is being written, or read
//     paused              exists while the run waits
//
// The folder exists while the run goes on. One that a killed run has left counts for nothing: nobody holds the lock of
// the run's folder then (run_directory.h), and the next run deletes these files. It deletes no others.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace coracle {

enum class ControlRequest { pause, go_on, stop };
inline constexpr const char* control_words[] = {"pause", "go_on", "stop"};
std::optional<ControlRequest> control_request(std::string_view word);

// Deletes what a killed run has left, and nothing else. Only for who holds the lock.
void clear_control(const std::string& dir);

// The run's side.
class RunControl {
 public:
  // Makes the folder with a new token. RunError if that cannot be done, if something else has its name, or if the file
  // system keeps no permissions.
  explicit RunControl(const std::string& dir);
  ~RunControl();  // deletes it, as clear_control()
  RunControl(const RunControl&) = delete;
  RunControl& operator=(const RunControl&) = delete;

  // Takes the request that waits, if any.
  void look();
  bool stop() const { return stop_; }
  bool paused() const { return paused_; }

 private:
  std::string dir_;
  bool stop_ = false, paused_ = false;
};

// The other side. All of it is empty unless the run is going on, was started for this, and belongs to this user.
struct ControlState {
  bool paused = false;
  std::optional<ControlRequest> asked;  // that the run has not taken yet
};
std::optional<ControlState> control_state(const std::string& dir);
std::optional<std::string> control_token(const std::string& dir);
// For any number of threads and processes at once: the run finds one whole request, the newest.
void ask_run(const std::string& dir, ControlRequest request);

// Whether two tokens are the same. The time it takes does not tell where they differ.
bool same_token(std::string_view a, std::string_view b);

}  // namespace coracle
