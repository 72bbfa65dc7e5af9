// Channels.
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "peer.hpp"

namespace peer {

using namespace tensordict;

namespace {

constexpr std::int64_t payload = 4096;  // enough that a message is not written at once

Channel create(const std::string& name, const std::string& mode, ChannelRole roles) {
  const Dict schema({{"id", Tensor::scalar<std::int64_t>(0)}, {"x", Tensor::zeros({payload})}}, {});
  ChannelOptions options;
  options.mode = mode == "broadcast" ? ChannelMode::broadcast : ChannelMode::queue;
  options.roles = roles;
  options.slots = 4;
  return Channel::create(name, schema, options);
}

// An acquired message with the first elements written.
Message written(const Channel& channel, std::int64_t id, std::int64_t elements) {
  Message message = channel.acquire();
  const Dict td = message.dict();
  Tensor number = td.get("id"), x_tensor = td.get("x");
  number.mutable_view<std::int64_t>()() = id;
  const View<float> x = x_tensor.mutable_view<float>();
  for (std::int64_t i = 0; i < elements; ++i) x(i) = static_cast<float>(id);
  return message;
}

void publish(const Channel& channel, std::int64_t id) {
  written(channel, id, payload).publish();
}

void publish_all(const Channel& channel, std::int64_t first, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) publish(channel, first + i);
  channel.close();
}

// All elements of a message must have come from the same write.
std::int64_t read(const Message& message) {
  const Dict td = message.dict();
  const auto id = td.get("id").item<std::int64_t>();
  for (float element : td.get("x").view<float>())
    if (element != static_cast<float>(id)) throw std::runtime_error("a torn message");
  return id;
}

void take(const Channel& channel) {
  std::cout << "ready" << std::endl;
  for (const Message& message : channel) std::cout << read(message) << std::endl;
}

void produce(const Arguments& arguments) {
  const Channel channel = create(arguments.at(0), arguments.at(1), ChannelRole::produces);
  std::cout << channel.path() << std::endl;
  while (channel.stats().consumers < std::stoi(arguments.at(3))) std::this_thread::sleep_for(Timeout(1));
  publish_all(channel, 0, std::stoll(arguments.at(2)));
  lines();
}

// The test kills the process before the end of stdin.
[[noreturn]] void until_killed(const std::string& said) {
  std::cout << said << std::endl;
  lines();
  std::exit(EXIT_FAILURE);
}

}  // namespace

bool channel(const std::string& command, const Arguments& arguments) {
  const std::string& name = arguments.at(0);
  const auto join = [&](ChannelRole role) { return Channel::open(name, role); };
  if (command == "produce") {
    produce(arguments);
  } else if (command == "join") {
    publish_all(join(ChannelRole::produces), std::stoll(arguments.at(1)), std::stoll(arguments.at(2)));
  } else if (command == "flood") {
    const Channel channel = join(ChannelRole::produces);
    for (std::int64_t i = 0;; ++i) publish(channel, i);
  } else if (command == "half") {
    const Channel channel = join(ChannelRole::produces);
    const std::int64_t n = std::stoll(arguments.at(1));
    for (std::int64_t i = 0; i < n; ++i) publish(channel, i);
    const Message unfinished = written(channel, n, payload / 2);
    until_killed("half");
  } else if (command == "host") {
    take(create(name, arguments.at(1), ChannelRole::consumes));
  } else if (command == "consume") {
    take(join(ChannelRole::consumes));
  } else if (command == "hold") {
    const Channel channel = join(ChannelRole::consumes);
    const Message held = channel.take();
    until_killed(std::to_string(read(held)));
  } else {
    return false;
  }
  return true;
}

}  // namespace peer
