// The only source that includes cpp-httplib. Debian builds the library with these two macros; they change its structs.
#define CPPHTTPLIB_OPENSSL_SUPPORT
#define CPPHTTPLIB_ZLIB_SUPPORT
#include "coracle/show/serve.h"

#include "coracle/error.h"
#include "coracle/out/run_control.h"
#include "coracle/show/run_files.h"
#include "coracle/show/run_summary.h"
#include "coracle/show/viewer_files.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

namespace coracle {
namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr int ports_tried = 20;
constexpr std::size_t most_threads = 512;
constexpr int patience = 2;  // s without a byte until a connection is given up
constexpr std::uint64_t part_bytes = 1 << 20;

using httplib::Request;
using httplib::Response;

// A thread per connection: one that sends nothing, or half a request, occupies its thread and holds up no other.
// Threads are started when all others are busy, and are kept.
class Connections : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> task) override {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    if (idle_ < tasks_.size() && threads_.size() < most_threads) threads_.emplace_back([this] { work(); });
    changed_.notify_one();
  }
  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      changed_.wait(lock, [&] { return !tasks_.empty() || stopping_; });
      --idle_;
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool stopping_ = false;
};

void answer(Response& response, int status, const std::string& text) {
  response.status = status;
  response.set_content(text + "\n", "text/plain; charset=utf-8");
}

// Against DNS rebinding: a foreign host name can resolve to 127.0.0.1, but the request still contains that name.
bool asks_for_this_machine(const Request& request) {
  if (request.get_header_value_count("Host") != 1) return false;
  std::string host = request.get_header_value("Host");
  const std::size_t colon = host.find(':');
  if (colon != std::string::npos) {
    const std::string port = host.substr(colon + 1);
    if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos) return false;
    host.resize(colon);
  }
  std::transform(host.begin(), host.end(), host.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return host == loopback || host == "localhost";
}

constexpr std::string_view control_path = "/api/control/";
constexpr const char* token_header = "Coracle-Token";

bool asks_for_control(const Request& request) {
  return request.method == "POST" && request.path.starts_with(control_path);
}

// Requests that are refused before any file is looked up.
bool refused(const Request& request, Response& response) {
  if (request.method != "GET" && request.method != "HEAD" && !asks_for_control(request)) {
    response.set_header("Allow", "GET, HEAD");
    answer(response, 405, "only GET and HEAD");
  } else if (!asks_for_this_machine(request)) {
    answer(response, 403, "ask for 127.0.0.1 or localhost");
  } else if (request.ranges.size() > 1) {
    answer(response, 416, "one range at a time");
  } else {
    return false;
  }
  return true;
}

const char* type_of(const std::string& name) {
  const auto ends = [&](const char* end) { return name.ends_with(end); };
  return ends(".html")  ? "text/html; charset=utf-8"
         : ends(".js")  ? "text/javascript; charset=utf-8"
         : ends(".css") ? "text/css; charset=utf-8"
                        : "application/octet-stream";  // never compressed: a range counts the file's own bytes
}

// Whether the requested range contains any byte of the file.
bool range_in(const Request& request, std::uint64_t size) {
  if (request.ranges.empty()) return true;
  const auto [first, last] = request.ranges.front();
  if (first < 0) return last > 0 && size > 0;  // a suffix: the last `last` bytes
  return std::uint64_t(first) < size && (last < 0 || last >= first);
}

void send_file(const RunFile& file, const Request& request, Response& response) {
  if (file.frame) {
    const std::string tag = '"' + file.version + '"';
    response.set_header("ETag", tag);
    response.set_header("Cache-Control", "no-cache");  // cached, but revalidated each time
    if (request.get_header_value("If-None-Match") == tag) {
      response.status = 304;
      return;
    }
  } else {
    response.set_header("Cache-Control", "no-store");
  }
  if (!range_in(request, file.size)) {
    response.set_header("Content-Range", fmt::format("bytes */{}", file.size));
    response.status = 416;  // without a text: httplib would apply the range to the text
    return;
  }
  if (file.size == 0) return response.set_content("", type_of(file.path));
  response.set_content_provider(
      file.size, type_of(file.path), [path = file.path](std::size_t first, std::size_t count, httplib::DataSink& sink) {
        const std::string bytes = read_part(path, first, std::min<std::uint64_t>(count, part_bytes));
        return !bytes.empty() && sink.write(bytes.data(), bytes.size());
      });
}

void send_summary(const std::string& dir, Response& response) {
  response.set_header("Cache-Control", "no-store");
  try {
    const nlohmann::ordered_json run = run_summary(dir);
    response.set_content(run.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
                         "application/json");
  } catch (const std::exception& error) {
    answer(response, 503, error.what());
  }
}

// Against requests from other pages: browsers name the page's origin, and it must be this server. Others that can reach
// the port are kept out by the token.
void control(const std::string& dir, const Request& request, Response& response) {
  response.set_header("Cache-Control", "no-store");
  if (request.get_header_value_count("Origin") != 1 ||
      request.get_header_value("Origin") != "http://" + request.get_header_value("Host"))
    return answer(response, 403, "only the page of this server may control the run");
  const std::optional<std::string> token = control_token(dir);
  if (!token) return answer(response, 403, "the run is not going on, or was not started with --control");
  if (request.get_header_value_count(token_header) != 1)
    return answer(response, 403, "the token is missing; coracle view --control prints it");
  if (!same_token(request.get_header_value(token_header), *token))
    return answer(response, 403, "this is not the run's token; coracle view --control prints it");
  const std::optional<ControlRequest> wish =
      control_request(std::string_view(request.path).substr(control_path.size()));
  if (!wish) return answer(response, 404, "there are pause, go_on and stop");
  static std::mutex one_at_a_time;  // the newest of several that come at once is then the last to be answered
  const std::lock_guard lock(one_at_a_time);
  try {
    ask_run(dir, *wish);
    answer(response, 202, "the run obeys between two steps");
  } catch (const RunError& error) {
    answer(response, 503, error.what());
  }
}

void send(const std::string& dir, const Request& request, Response& response) {
  const std::string& path = request.path;  // decoded; the query is not part of it
  if (asks_for_control(request)) return control(dir, request, response);
  if (path == "/api/run") return send_summary(dir, response);
  if (path.starts_with("/run/")) {
    const std::optional<RunFile> file = find_run_file(dir, std::string_view(path).substr(5));
    return file ? send_file(*file, request, response) : answer(response, 404, "not there");
  }
  const std::string name = path == "/" ? "index.html" : path.substr(std::min<std::size_t>(1, path.size()));
  const std::string_view page = viewer_file(name);
  if (page.empty()) return answer(response, 404, "not there");
  response.set_header("Cache-Control", "no-store");  // another version of the program may answer next time
  response.set_content(page.data(), page.size(), type_of(name));
}

}  // namespace

struct ViewServer::Parts {
  httplib::Server server;
  std::thread thread;
  int port = 0;
};

ViewServer::ViewServer(const std::string& dir, int port) : parts_(std::make_unique<Parts>()) {
  run_summary(dir);  // throws if there is no run
  httplib::Server& server = parts_->server;
  server.new_task_queue = [] { return new Connections; };
  server.set_read_timeout(patience);
  // No body is read. On a connection that goes on, it would be taken for the next request: a page elsewhere could put
  // one there with whatever Host and Origin it likes.
  server.set_keep_alive_max_count(1);
  server.set_keep_alive_timeout(1);  // s without a first byte; stopping the server takes that long
  server.set_tcp_nodelay(true);
  server.set_payload_max_length(0);
  // Without SO_REUSEPORT, httplib's default: two servers would share a port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Content-Security-Policy",
                               "default-src 'self'; img-src 'self' data: blob:; "
                               "frame-ancestors 'none'"}});
  server.set_pre_routing_handler([dir](const Request& request, Response& response) {
    if (!refused(request, response)) send(dir, request, response);
    return httplib::Server::HandlerResponse::Handled;
  });

  const int first = port > 0 ? port : usual_view_port, tried = port > 0 ? 1 : ports_tried;
  for (int p = first; p < first + tried && parts_->port == 0; ++p)
    if (server.bind_to_port(loopback, p)) parts_->port = p;
  if (parts_->port == 0)
    throw RunError(port > 0
                       ? fmt::format("port {} is taken; leave out --port to use a free one", port)
                       : fmt::format("ports {} to {} are taken; give another with --port", first, first + tried - 1));
  parts_->thread = std::thread([&server] { server.listen_after_bind(); });
}

ViewServer::~ViewServer() {
  // stop() does nothing before the server runs.
  while (!parts_->server.is_running()) std::this_thread::yield();
  parts_->server.stop();
  parts_->thread.join();
}

int ViewServer::port() const { return parts_->port; }
std::string ViewServer::url() const { return fmt::format("http://{}:{}/", loopback, parts_->port); }

}  // namespace coracle
