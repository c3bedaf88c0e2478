// The viewer's server, spoken to over raw sockets: what a hostile client may send, no client library would.
#include "coracle/show/serve.h"

#include "coracle/base/files.h"
#include "coracle/error.h"
#include "coracle/out/run_control.h"
#include "coracle/out/run_directory.h"
#include "coracle/scene.h"
#include "coracle/show/run_files.h"
#include "coracle/show/run_summary.h"
#include "tests/out/temporary_directory.h"
#include "tests/show/made_gas_run.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <thread>
#include <tuple>

namespace coracle {
namespace {

namespace fs = std::filesystem;

// A run of liquid and a body whose frames 0 and 1 are whole; of frame 2 the body is not written yet.
struct SomeRun {
  TemporaryDirectory outside;
  std::string dir = outside / "run";

  SomeRun() {
    make_directories(dir + "/frames");
    const std::string scene = R"(title = "A test"
[domain]
max = [1.0, 0.5, 0.5]
resolution = 8
[time]
frames = 3
fps = 10
[[liquid.region]]
shape = "box"
center = [0.2, 0.2, 0.2]
size = [0.2, 0.2, 0.2]
[[body]]
name = "block"
shape = "box"
center = [0.7, 0.2, 0.2]
size = [0.2, 0.2, 0.2]
mesh = "grid5"
cells = [2, 2, 2]
[[solid]]
name = "bowl"
shape = "sphere"
center = [0.5, 0.25, 0.25]
radius = 0.24
container = true
[[solid]]
name = "post"
shape = "box"
center = [0.5, 0.1, 0.25]
size = [0.05, 0.1, 0.05]
color = [1, 0.5, 0]
[[probe]]
name = "push"
type = "force"
solid = "block"
)";
    { const RunLock lock(dir); }
    write_atomically(dir + "/scene.toml", scene);
    write_atomically(dir + "/stats.jsonl", "{\"step\":1}\n{\"step\":2}\n");
    write_atomically(dir + "/run.log", "2026-11-16 02:31:36  done\n");
    write_atomically(dir + "/frames/solid_bowl.0000.ply", "solid");
    for (const char* name : {"surface.0000", "body_block.0000", "surface.0001", "body_block.0001", "surface.0002"})
      write_atomically(dir + "/frames/" + name + ".ply", std::string("bytes of ") + name);
    write_atomically(dir + "/notes.txt", "private");
    write_atomically(outside / "secret.ply", "secret");
  }
};

struct Answer {
  int status = 0;
  std::string head, body;
  std::string header(const std::string& name) const {
    const std::size_t at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return "";
    const std::size_t from = at + name.size() + 4;
    return head.substr(from, head.find("\r\n", from) - from);
  }
};

// A connected socket; −1 if the server does not listen.
int connected(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(std::uint16_t(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return socket;
  ::close(socket);
  return -1;
}

// All that the server says until it closes the connection.
std::string all_said(int socket) {
  const timeval patience = {.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::string all;
  char part[4096];
  ssize_t got = 0;
  while ((got = ::recv(socket, part, sizeof part, 0)) > 0) all.append(part, std::size_t(got));
  EXPECT_FALSE(got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) << "the server leaves the connection open";
  return all;
}

Answer send_raw(int port, const std::string& request) {
  const int socket = connected(port);
  Answer answer;
  if (socket >= 0) {
    EXPECT_EQ(::send(socket, request.data(), request.size(), MSG_NOSIGNAL), ssize_t(request.size()));
    const std::string all = all_said(socket);
    const std::size_t end = all.find("\r\n\r\n");
    answer.head = all.substr(0, end) + "\r\n";
    if (end != std::string::npos) answer.body = all.substr(end + 4);
    if (all.size() > 12) answer.status = std::atoi(all.c_str() + 9);
  }
  ::close(socket);
  return answer;
}

class Serve : public ::testing::Test {
 protected:
  SomeRun run;
  ViewServer server{run.dir, 0};

  Answer ask(const std::string& target, const std::string& headers = "", const std::string& method = "GET",
             const std::string& host = "127.0.0.1") const {
    return send_raw(server.port(), method + " " + target + " HTTP/1.1\r\n" +
                                       (host.empty() ? "" : "Host: " + host + "\r\n") + headers +
                                       "Connection: close\r\n\r\n");
  }
};

TEST_F(Serve, the_page_and_its_files_are_in_the_program) {
  const Answer page = ask("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.header("Content-Type"), "text/html; charset=utf-8");
  EXPECT_NE(page.body.find("viewer.js"), std::string::npos);
  EXPECT_NE(page.header("Content-Security-Policy").find("default-src 'self'"), std::string::npos);
  EXPECT_EQ(ask("/viewer.js").header("Content-Type"), "text/javascript; charset=utf-8");
  EXPECT_EQ(ask("/viewer.css").status, 200);
  EXPECT_EQ(ask("/other.js").status, 404);
}

TEST_F(Serve, connections_that_say_nothing_or_half_a_request_hold_up_no_other) {
  std::vector<int> sockets;
  const std::string half = "GET /api/run HTTP/1.1\r\nHost: 127.0.";
  for (int i = 0; i < 100; ++i) {
    sockets.push_back(connected(server.port()));
    ASSERT_GE(sockets.back(), 0);
    if (i % 2 == 0) {
      EXPECT_EQ(::send(sockets.back(), half.data(), half.size(), MSG_NOSIGNAL), ssize_t(half.size()));
    }
  }
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask("/api/run").status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5))
      << "a server that waits for a second for each of them would take much longer, however busy the machine is";
  for (const int socket : sockets) ::close(socket);
}

TEST_F(Serve, the_run_is_told_with_the_frames_that_are_whole) {
  const auto told = nlohmann::json::parse(ask("/api/run").body);
  EXPECT_EQ(told["title"], "A test");
  EXPECT_EQ(told["fps"], 10);
  EXPECT_EQ(told["frames"], (std::vector<int>{0, 1}));
  EXPECT_EQ(told["frames_asked"], 3);
  EXPECT_EQ(told["domain"]["max"], (std::vector<double>{1, 0.5, 0.5}));
  EXPECT_TRUE(told["liquid"]);
  EXPECT_FALSE(told["particles"]);
  EXPECT_EQ(told["bodies"][0]["name"], "block");
  EXPECT_TRUE(told["solids"][0]["container"]);
  EXPECT_FALSE(told["solids"][0]["moving"]);
  EXPECT_FALSE(told["solids"][0]["film"]);
  EXPECT_FALSE(told["solids"][0].contains("color"));
  EXPECT_EQ(told["solids"][1]["color"], (std::vector<double>{1, 0.5, 0}));
  EXPECT_EQ(told["state"], "stopped");
  EXPECT_TRUE(told["control"].is_null());
  EXPECT_EQ(told["log_bytes"], 26);
  EXPECT_FALSE(told["finished"]);
  EXPECT_EQ(told["stats_bytes"], 22);
  EXPECT_EQ(told["probes"][0], nlohmann::json({{"name", "push"}, {"type", "force"}, {"unit", "N"}}));
}

TEST_F(Serve, a_run_that_grows_is_told_anew) {
  write_atomically(run.dir + "/frames/body_block.0002.ply", "now");
  EXPECT_EQ(nlohmann::json::parse(ask("/api/run").body)["frames"], (std::vector<int>{0, 1, 2}));
  for (const char* kind : {"surface", "body_block"})
    write_atomically(run.dir + "/frames/" + kind + ".0003.ply", "last");
  const auto told = nlohmann::json::parse(ask("/api/run").body);
  EXPECT_EQ(told["state"], "complete");
  EXPECT_TRUE(told["finished"]);
}

TEST_F(Serve, a_frame_without_all_its_files_is_told_as_missing) {
  EXPECT_TRUE(nlohmann::json::parse(ask("/api/run").body)["missing"].empty()) << "the last one is being written";
  fs::remove(run.dir + "/frames/body_block.0000.ply");
  EXPECT_EQ(nlohmann::json::parse(ask("/api/run").body)["missing"], (std::vector<int>{0}));
}

TEST_F(Serve, only_get_and_head_are_answered) {
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"})
    EXPECT_EQ(ask("/api/run", "", method).status, 405) << method;
  EXPECT_GE(ask("/api/run", "", "BREW").status, 400);
  EXPECT_EQ(ask("/run/scene.toml", "Content-Length: 3\r\n", "POST").status, 405);
  const Answer head = ask("/run/stats.jsonl", "", "HEAD");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("Content-Length"), "22");
  EXPECT_EQ(head.body, "");
}

// A page elsewhere may post any body to this port. Were it read as a request, that request's Host and Origin would be
// as the page likes.
TEST_F(Serve, a_body_is_not_read_as_a_request) {
  const std::string inner = "GET /api/run HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  const std::string length = "Content-Length: " + std::to_string(inner.size()) + "\r\n";
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  for (const std::string& line :
       {"POST /api/control/stop HTTP/1.1\r\nHost: evil.example\r\n" + length,
        "POST /api/control/stop HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\n" + length,
        "POST /api/control/stop HTTP/1.1\r\nHost: 127.0.0.1\r\n" + chunked,
        "POST /api/run HTTP/1.1\r\nHost: 127.0.0.1\r\n" + length, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + length,
        "GET /api/run HTTP/1.1\r\nHost: evil.example\r\n" + length}) {
    const std::string head = line + "\r\n";
    for (const bool apart : {false, true}) {
      const int socket = connected(server.port());
      ASSERT_GE(socket, 0);
      const std::string first = apart ? head : head + inner;
      ASSERT_EQ(::send(socket, first.data(), first.size(), MSG_NOSIGNAL), ssize_t(first.size()));
      if (apart) {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        ::send(socket, inner.data(), inner.size(), MSG_NOSIGNAL);  // fails if the server has closed already
      }
      const std::string all = all_said(socket);
      ::close(socket);
      std::size_t answers = 0;
      for (std::size_t at = 0; (at = all.find("HTTP/1.1 ", at)) != std::string::npos; ++at) ++answers;
      EXPECT_EQ(answers, 1u) << line << all;
      EXPECT_NE(all.find("\r\nConnection: close\r\n"), std::string::npos) << line << all;
      EXPECT_EQ(all.find("A test"), std::string::npos) << "the run's title";
    }
  }
}

TEST_F(Serve, another_name_for_this_machine_is_refused) {
  for (const char* host : {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8642", "10.0.0.1", "",
                           "127.0.0.1:80:80", "127.0.0.1:x", "user@127.0.0.1"})
    EXPECT_GE(ask("/api/run", "", "GET", host).status, 400) << host;
  EXPECT_EQ(ask("/api/run", "Host: evil.example\r\n").status, 403);  // beside the right one
  for (const char* host : {"127.0.0.1", "localhost", "LocalHost:9000", "127.0.0.1:8642"})
    EXPECT_EQ(ask("/api/run", "", "GET", host).status, 200) << host;
}

TEST_F(Serve, nothing_outside_the_run_is_served) {
  fs::create_symlink(run.outside / "secret.ply", run.dir + "/frames/surface.0007.ply");
  fs::create_symlink("../../secret.ply", run.dir + "/frames/surface.0008.ply");
  fs::create_symlink("surface.0001.ply", run.dir + "/frames/surface.0009.ply");
  fs::create_directory(run.dir + "/frames/surface.0010.ply");
  ASSERT_EQ(::mkfifo((run.dir + "/frames/surface.0011.ply").c_str(), 0600), 0);
  for (const char* path : {"/run/../secret.ply",
                           "/run/frames/../../secret.ply",
                           "/run/%2e%2e/secret.ply",
                           "/run/frames/%2e%2e%2fnotes.txt",
                           "/run/..%2fsecret.ply",
                           "/run//etc/passwd",
                           "/run/%2fetc%2fpasswd",
                           "/run/frames//surface.0000.ply",
                           "/run/notes.txt",
                           "/run/.coracle-run",
                           "/run/frames",
                           "/run/frames/",
                           "/run/",
                           "/run",
                           "/run/frames/surface.0000.ply%00",
                           "/run/frames/surface.0000.ply%00.ply",
                           "/run/frames\\surface.0000.ply",
                           "/run/frames/..\\..\\secret.ply",
                           "/run/frames/%5c..%5csecret.0000.ply",
                           "/run/./scene.toml",
                           "/run/frames/./surface.0000.ply",
                           "/run/frames/surface.ply",
                           "/run/frames/surface.12.ply",
                           "/run/SCENE.TOML",
                           "/run/frames/surface.0007.ply",
                           "/run/frames/surface.0008.ply",
                           "/run/frames/surface.0010.ply",
                           "/run/frames/surface.0011.ply",
                           "/run/expect.toml",
                           "/run/control",
                           "/run/control/token",
                           "/run/frames/../control/token",
                           "/control/token",
                           "/api/control/token",
                           "/run/checkpoints/failed.h5",
                           "/../../etc/passwd",
                           "/run/frames/body_/../../../secret.0000.ply",
                           "/run/frames/body_%2f..%2f..%2f..%2fsecret.0000.ply"}) {
    const Answer answer = ask(path);
    EXPECT_GE(answer.status, 400) << path;
    EXPECT_EQ(answer.body.find("secret"), std::string::npos) << path;
  }
  EXPECT_EQ(ask("/run/frames/surface.0009.ply").body, "bytes of surface.0001");  // a link that stays inside
  EXPECT_EQ(ask("/run/frames/surface.0001.ply").body, "bytes of surface.0001");
  EXPECT_EQ(ask("/run/scene.toml").body, read_file(run.dir + "/scene.toml"));
}

TEST_F(Serve, a_folder_of_frames_that_leads_out_is_not_followed) {
  fs::rename(run.dir + "/frames", run.outside / "frames");
  fs::create_symlink(run.outside / "frames", run.dir + "/frames");
  EXPECT_EQ(ask("/run/frames/surface.0000.ply").status, 404);
}

TEST_F(Serve, the_tail_of_a_growing_file_is_a_range) {
  const Answer tail = ask("/run/stats.jsonl", "Range: bytes=11-\r\n");
  EXPECT_EQ(tail.status, 206);
  EXPECT_EQ(tail.body, "{\"step\":2}\n");
  EXPECT_EQ(tail.header("Content-Range"), "bytes 11-21/22");
  EXPECT_EQ(tail.header("Cache-Control"), "no-store");
  EXPECT_EQ(ask("/run/stats.jsonl", "Range: bytes=22-\r\n").status, 416);  // nothing new
  std::ofstream(run.dir + "/stats.jsonl", std::ios::app) << "{\"step\":3}\n";
  EXPECT_EQ(ask("/run/stats.jsonl", "Range: bytes=22-\r\n").body, "{\"step\":3}\n");
  for (const char* range : {"bytes=0-1,3-4", "bytes=0-,0-,0-,0-", "bytes=99999999999-", "bytes=5-2", "bytes=-0"}) {
    const Answer answer = ask("/run/stats.jsonl", std::string("Range: ") + range + "\r\n");
    EXPECT_GE(answer.status, 400) << range;
  }
  EXPECT_LE(ask("/run/stats.jsonl", "Range: bytes=30-500\r\n").body.size(), 3u);
}

TEST_F(Serve, the_log_is_read_from_where_it_grew) {
  EXPECT_EQ(ask("/run/run.log").body, "2026-11-16 02:31:36  done\n");
  std::ofstream(run.dir + "/run.log", std::ios::app) << "2026-11-16 02:31:37  <b>more</b>\n";
  const Answer tail = ask("/run/run.log", "Range: bytes=26-\r\n");
  EXPECT_EQ(tail.status, 206);
  EXPECT_EQ(tail.body, "2026-11-16 02:31:37  <b>more</b>\n");
  EXPECT_EQ(tail.header("Content-Type"), "application/octet-stream") << "no browser shows it as a page";
}

TEST_F(Serve, a_run_that_goes_on_is_told_as_running_until_its_lock_is_free) {
  for (const char* kind : {"surface", "body_block"})
    write_atomically(run.dir + "/frames/" + kind + ".0003.ply", "last");
  {
    const RunLock lock(run.dir);
    const auto told = nlohmann::json::parse(ask("/api/run").body);
    EXPECT_EQ(told["state"], "running") << "its last checkpoint is being written";
    EXPECT_FALSE(told["finished"]);
    EXPECT_TRUE(told["control"].is_null());
  }
  EXPECT_EQ(nlohmann::json::parse(ask("/api/run").body)["state"], "complete");
  make_directories(run.dir + "/checkpoints");
  write_atomically(run.dir + "/checkpoints/failed.h5", "a state");
  EXPECT_EQ(nlohmann::json::parse(ask("/api/run").body)["state"], "failed");
  const RunLock lock(run.dir);
  EXPECT_EQ(nlohmann::json::parse(ask("/api/run").body)["state"], "running") << "the failing step is repeated";
}

// A run with --control that looks at its requests when told to.
class ServeControl : public Serve {
 protected:
  RunLock lock{run.dir};
  RunControl control{run.dir};
  std::string token = control_token(run.dir).value_or("");

  std::string here() const { return "127.0.0.1:" + std::to_string(server.port()); }
  std::string with(const std::string& origin, const std::string& given) const {
    return (origin.empty() ? "" : "Origin: " + origin + "\r\n") +
           (given.empty() ? "" : "Coracle-Token: " + given + "\r\n") + "Content-Length: 0\r\n";
  }
  Answer order(const std::string& word, const std::string& headers) const {
    return ask("/api/control/" + word, headers, "POST", here());
  }
  bool untouched() {
    control.look();
    return !control.paused() && !control.stop();
  }
};

TEST_F(ServeControl, its_page_pauses_continues_and_stops_the_run_with_the_token) {
  const std::string right = with("http://" + here(), token);
  EXPECT_EQ(order("pause", right).status, 202);
  EXPECT_EQ(nlohmann::json::parse(ask("/api/run").body)["control"],
            nlohmann::json({{"paused", false}, {"asked", "pause"}}));
  control.look();
  EXPECT_TRUE(control.paused());
  const auto told = nlohmann::json::parse(ask("/api/run").body);
  EXPECT_EQ(told["state"], "paused");
  EXPECT_EQ(told["control"]["paused"], true);
  EXPECT_TRUE(told["control"]["asked"].is_null());
  EXPECT_EQ(order("go_on", right).status, 202);
  control.look();
  EXPECT_FALSE(control.paused());
  EXPECT_EQ(order("stop", right).status, 202);
  control.look();
  EXPECT_TRUE(control.stop());
}

TEST_F(ServeControl, requests_that_come_at_once_are_all_taken_and_none_is_lost) {
  const std::string right = with("http://" + here(), token);
  const ViewServer second(run.dir, 0);
  const std::string there = "127.0.0.1:" + std::to_string(second.port());
  const std::string right_there = "Origin: http://" + there + "\r\nCoracle-Token: " + token + "\r\n";
  constexpr int rounds = 40;
  for (int round = 0; round <= rounds; ++round) {
    const std::string word = round == rounds ? "stop" : round % 2 ? "go_on" : "pause";
    std::array<int, 4> status = {};
    std::vector<std::thread> posts;
    posts.reserve(status.size());
    for (int i = 0; i < 4; ++i)
      posts.emplace_back([&, i] {
        const auto& [port, name, headers] =
            i % 2 ? std::tuple(server.port(), here(), right) : std::tuple(second.port(), there, right_there);
        status[i] =
            send_raw(port, fmt::format("POST /api/control/{} HTTP/1.1\r\nHost: {}\r\n{}\r\n", word, name, headers))
                .status;
      });
    if (round % 3) control.look();  // the run may look at any time
    for (std::thread& post : posts) post.join();
    control.look();
    ASSERT_EQ(status, (std::array<int, 4>{202, 202, 202, 202})) << "round " << round;
    ASSERT_EQ(control.paused(), word == "pause") << "round " << round;
    ASSERT_EQ(control.stop(), word == "stop") << "round " << round;
  }
  EXPECT_EQ(files_in(run.dir + "/control").size(), 1u) << "the token: nothing is left over";
}

TEST_F(ServeControl, without_the_right_token_it_is_refused) {
  const std::string origin = "http://" + here();
  std::string near = token;
  near.back() = near.back() == '0' ? '1' : '0';
  const Answer none = order("stop", with(origin, ""));
  EXPECT_EQ(none.status, 403);
  EXPECT_NE(none.body.find("the token is missing"), std::string::npos) << none.body;
  for (const std::string& wrong : {near, token.substr(1), token + "0", std::string(32, '0'), token + ", " + token}) {
    const Answer answer = order("stop", with(origin, wrong));
    EXPECT_EQ(answer.status, 403) << wrong;
    EXPECT_NE(answer.body.find("not the run's token"), std::string::npos) << answer.body;
    EXPECT_EQ(answer.body.find(token), std::string::npos);
  }
  EXPECT_EQ(order("stop", with(origin, token) + "Coracle-Token: " + near + "\r\n").status, 403) << "two tokens";
  EXPECT_EQ(order("stop?token=" + token, with(origin, "")).status, 403) << "not in the address, which is logged";
  EXPECT_TRUE(untouched());
}

TEST_F(ServeControl, from_another_page_or_under_another_name_it_is_refused_even_with_the_token) {
  for (const std::string& origin : {std::string(), std::string("null"), std::string("http://evil.example"),
                                    "https://" + here(), "http://" + here() + "0", std::string("http://127.0.0.1:1"),
                                    "http://localhost:" + std::to_string(server.port())})
    EXPECT_EQ(order("stop", with(origin, token)).status, 403) << origin;
  EXPECT_EQ(order("stop", with("http://" + here(), token) + "Origin: http://evil.example\r\n").status, 403);
  // Rebinding: a name of the attacker leads here, and its page is of the same origin.
  EXPECT_EQ(ask("/api/control/stop", with("http://evil.example", token), "POST", "evil.example").status, 403);
  EXPECT_TRUE(untouched());
}

TEST_F(ServeControl, only_a_post_of_a_known_word_is_obeyed) {
  const std::string right = with("http://" + here(), token);
  for (const char* method : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS"})
    EXPECT_GE(ask("/api/control/stop", right, method, here()).status, 400) << method;
  for (const char* word : {"", "STOP", "stop/", "../stop", "kill", "stop%00"})
    EXPECT_GE(order(word, right).status, 400) << word;
  EXPECT_EQ(ask("/api/run", right, "POST", here()).status, 405);
  EXPECT_TRUE(untouched());
  EXPECT_EQ(ask("/run/control/token").status, 404);
}

TEST_F(Serve, a_run_without_control_or_that_has_ended_is_not_controlled) {
  const std::string here = "127.0.0.1:" + std::to_string(server.port());
  const auto order = [&](const std::string& token) {
    return ask("/api/control/stop", "Origin: http://" + here + "\r\nCoracle-Token: " + token + "\r\n", "POST", here);
  };
  {
    const RunLock lock(run.dir);
    const Answer answer = order(std::string(32, '0'));
    EXPECT_EQ(answer.status, 403);
    EXPECT_NE(answer.body.find("was not started with --control"), std::string::npos) << answer.body;
  }
  make_directories(run.dir + "/control");  // left by a run that was killed
  fs::permissions(run.dir + "/control", fs::perms::owner_all);
  write_atomically(run.dir + "/control/token", std::string(32, '0') + "\n");
  EXPECT_EQ(order(std::string(32, '0')).status, 403);
  EXPECT_FALSE(fs::exists(run.dir + "/control/request"));
}

TEST_F(Serve, a_frame_is_sent_again_only_when_it_changed) {
  const std::string path = "/run/frames/surface.0001.ply";
  const std::string tag = ask(path).header("ETag");
  ASSERT_FALSE(tag.empty());
  const Answer same = ask(path, "If-None-Match: " + tag + "\r\n");
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.body, "");
  write_atomically(run.dir + "/frames/surface.0001.ply", "bytes of another");
  EXPECT_EQ(ask(path, "If-None-Match: " + tag + "\r\n").body, "bytes of another");
}

TEST_F(Serve, a_second_server_takes_another_port) {
  const ViewServer second(run.dir, 0);
  EXPECT_NE(second.port(), server.port());
  EXPECT_EQ(second.url(), "http://127.0.0.1:" + std::to_string(second.port()) + "/");
  const std::string message = message_of<RunError>([&] { ViewServer(run.dir, server.port()); });
  EXPECT_NE(message.find("is taken"), std::string::npos) << message;
}

TEST_F(Serve, a_run_that_goes_away_is_said_to_be_gone) {
  fs::remove(run.dir + "/scene.toml");
  const Answer answer = ask("/api/run");
  EXPECT_EQ(answer.status, 503);
  EXPECT_NE(answer.body.find("holds no run"), std::string::npos);
}

TEST(RunSummary, gas_is_told_with_the_look_of_its_smoke) {
  const MadeGasRun run("[output]\nevery = 1\n");
  const auto told = run_summary(run.at);
  EXPECT_EQ(told["frames"], (std::vector<int>{0, 2, 3}));
  EXPECT_FALSE(told["liquid"]);
  EXPECT_EQ(told["smoke"]["depth"], 0.1) << "a twentieth of the longest side";
  EXPECT_EQ(told["smoke"]["color"].size(), 3u);
  EXPECT_TRUE(run_summary(MadeGasRun("[output]\nsmoke = false\n").at)["smoke"].is_null());
}

TEST(RunFiles, of_volumes_only_smoke_is_served) {
  EXPECT_TRUE(is_run_file("frames/smoke.0012.nrrd"));
  for (const char* name : {"smoke.0012.nrrd", "frames/smoke.nrrd", "frames/smoke.0012.ply", "frames/smoke.0012.vdb",
                           "frames/surface.0012.nrrd", "frames/smoke.12.nrrd", "frames/../smoke.0012.nrrd", "nrrd",
                           "frames/nrrd", "frames/.nrrd"})
    EXPECT_FALSE(is_run_file(name)) << name;
}

TEST(ServeStart, a_folder_without_a_run_is_refused) {
  const TemporaryDirectory dir;
  const std::string message = message_of<RunError>([&] { ViewServer(dir.path, 0); });
  EXPECT_NE(message.find("holds no run"), std::string::npos) << message;
}

}  // namespace
}  // namespace coracle
