#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "check.hpp"

using namespace tensordict;

namespace {

// A server of the test's own, on a socket in its directory.
class Server {
 public:
  Server() {
    if (!has_feature("redis")) {
      skip("the library was built without libhiredis");
      return;
    }
    std::fflush(stdout);
    const pid_t test = getpid();
    process_ = fork();
    if (process_ == 0) run(test);
    for (int i = 0; i < 1000; ++i) {
      if (answers()) return;
      if (waitpid(process_, nullptr, WNOHANG) == process_) {
        process_ = -1;
        skip("neither redis-server nor valkey-server starts");
        return;
      }
      usleep(10000);
    }
    throw std::runtime_error("the server does not answer");
  }
  ~Server() { stop(); }
  Server(const Server&) = delete;

  bool runs() const noexcept { return process_ > 0; }
  std::string url(const std::string& rest) const { return "unix://" + socket_ + rest; }
  void stop() {
    if (!runs()) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  static void skip(const char* why) { std::printf("SKIPPED, NOTHING WAS TESTED: %s\n", why); }
  [[noreturn]] void run(pid_t test) const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != test || !std::freopen("/dev/null", "w", stdout)) _exit(126);
    for (const char* name : {"redis-server", "valkey-server"})
      execlp(name, name, "--port", "0", "--unixsocket", socket_.c_str(), "--save", "", static_cast<char*>(nullptr));
    _exit(127);
  }
  // Whether it takes commands: it does not while it starts.
  bool answers() const {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket_.c_str(), sizeof address.sun_path - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char answer = '-';
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || write(fd, "PING\r\n", 6) != 6 ||
        read(fd, &answer, 1) != 1)
      answer = '-';
    close(fd);
    return answer == '+';
  }

  const check::TemporaryDirectory directory_;
  const std::string socket_ = directory_ / "s";
  pid_t process_ = -1;
};

RemoteOptions writable() {
  RemoteOptions options;
  options.mode = Mode::read_write;
  options.timeout = Timeout(20000);
  return options;
}

}  // namespace

TEST(remote, dicts_on_a_server_are_shared) {
  const Server server;
  if (!server.runs()) return;
  const std::string url = server.url("?id=replay");
  CHECK_THROWS(NotFoundError, Dict::open_remote(url));
  Dict replay = Dict::create_remote(url, {4});
  CHECK_THROWS(ExistsError, Dict::create_remote(url, {4}));
  replay.set({"next", "obs"}, Tensor::zeros({4, 2}));

  Dict other = Dict::open_remote(url, writable());
  CHECK(other.dict_kind() == DictKind::persistent);
  CHECK_EQ(other.batch_size(), Shape{4});
  other.set_at({slice(1, 3)}, Dict({{{"next", "obs"}, Tensor::of({1.f, 2.f, 3.f, 4.f}, {2, 2})}}, {2}));
  CHECK(replay.get({"next", "obs"}).to_vector<float>() == std::vector<float>({0, 0, 1, 2, 3, 4, 0, 0}));
  CHECK(replay[slice(2, 4)].get({"next", "obs"}).to_vector<float>() == std::vector<float>({3, 4, 0, 0}));

  Dict reader = Dict::open_remote(url);
  CHECK(!reader.persistent_is_writable());
  CHECK_THROWS(LockedError, reader.set({"next", "obs"}, Tensor::ones({4, 2})));
  CHECK_EQ(Dict::create_remote(server.url("?id=empty"), {}).batch_dims(), 0u);
}

TEST(remote, updates_need_the_version_that_was_read) {
  const Server server;
  if (!server.runs()) return;
  const std::string url = server.url("?id=counter");
  Dict mine = Dict::create_remote(url, {2});
  mine.set("n", Tensor::zeros({2}));
  Dict theirs = Dict::open_remote(url, writable());
  const std::int64_t version = mine.remote_version();
  CHECK_EQ(theirs.remote_version(), version);
  const Dict one({{"n", Tensor::ones({2})}}, {2}), two({{"n", Tensor::full({2}, 2)}}, {2});
  CHECK(theirs.remote_update_if(one, version).is(theirs));
  CHECK(theirs.remote_version() > version);
  CHECK_THROWS(BusyError, mine.remote_update_if(two, version));
  CHECK_EQ(mine.get("n")[1].item<float>(), 1.f);
  mine.remote_update_if(two, mine.remote_version());
  CHECK_EQ(theirs.get("n")[0].item<float>(), 2.f);

  Dict plain({2});
  CHECK_THROWS(UnsupportedError, plain.remote_version());
  CHECK_THROWS(UnsupportedError, plain.remote_update_if(one, 0));
}

TEST(remote, dicts_are_listed_and_removed) {
  const Server server;
  if (!server.runs()) return;
  CHECK(Dict::list_remote(server.url("")).empty());
  Dict::create_remote(server.url("?id=b.2"), {1});
  Dict::create_remote(server.url("?id=a"), {1});
  CHECK(Dict::list_remote(server.url(""), writable()) == std::vector<std::string>({"a", "b.2"}));
  Dict::remove_remote(server.url("?id=a"));
  CHECK(Dict::list_remote(server.url("")) == std::vector<std::string>{"b.2"});
  CHECK_THROWS(NotFoundError, Dict::remove_remote(server.url("?id=a")));
}

TEST(remote, failures_are_exceptions) {
  Server server;
  if (!server.runs()) return;
  RemoteOptions wrong;
  wrong.timeout = Timeout(-1);
  CHECK_THROWS(ArgumentError, Dict::open_remote(server.url("?id=x"), wrong));
  CHECK_THROWS(ArgumentError, Dict::create_remote(server.url("?id=x"), {1}, wrong));
  CHECK_THROWS(ArgumentError, Dict::list_remote(server.url(""), wrong));
  CHECK_THROWS(ArgumentError, Dict::remove_remote(server.url("?id=x"), wrong));
  wrong = {};
  wrong.mode = Mode::copy_on_write;
  CHECK_THROWS(ArgumentError, Dict::open_remote(server.url("?id=x"), wrong));
  CHECK_THROWS(ArgumentError, Dict::open_remote("http://host?id=x"));
  CHECK_THROWS(ShapeError, Dict::create_remote(server.url("?id=x"), {-1}));
  const Dict dict = Dict::create_remote(server.url("?id=x"), {1});
  server.stop();
  CHECK_THROWS(ClosedError, dict.remote_version());
}
