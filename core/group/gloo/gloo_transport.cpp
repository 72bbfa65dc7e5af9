// LibTorch's Gloo. The only file that needs its declarations.
#define USE_C10D_GLOO

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "core/error.h"
#include "core/group/gloo/engine_transport.h"
#include "core/group/gloo/failure.h"
#include "core/group/gloo/stores.h"
#include "core/group/gloo/version_wall.h"
#include "core/system/no_signals.h"

namespace td::group {

namespace {

using Gloo = c10d::ProcessGroupGloo;

Error joining_failure(const Options& options, const Place& place) {
  const Error e = current_error();
  switch (failure_of(e.message())) {
    case Failure::other_version:
      return Error(Code::version, "a rank has another version of Gloo")
          .where(place.text)
          .hint("all ranks of a group need LibTorch 2, or all need 1.13");
    case Failure::timeout:
      return Error(Code::timeout, "not all ranks connected in " + std::to_string(options.timeout_ms) + " ms")
          .where(place.text);
    case Failure::peer_closed:
    case Failure::pair_closed:
      return Error(Code::closed, "a rank has gone while the group was made").where(place.text);
    default:
      return Error(Code::io, "the ranks could not connect: " + e.message()).where(place.text);
  }
}

}  // namespace

std::unique_ptr<Transport> connect(const Options& options, const Place& place) {
  shm::NoSignals quiet;
  StorePtr store = open_store(place, options);
  auto prefixed = c10::make_intrusive<c10d::PrefixStore>(options.prefix, store);
  EngineFacts facts{place.text, {}, options.timeout_ms, options.rank, options.size};
  try {
    facts.ours = meet(*prefixed, place.text, options);
  } catch (const Error& e) {
    if (e.code() == Code::exists) leave_to_others(std::move(store));
    throw;
  }
  const std::chrono::milliseconds timeout(options.timeout_ms);
  prefixed->setTimeout(timeout);
  auto gloo = Gloo::Options::create(timeout);
  try {
    gloo->devices.push_back(Gloo::createDeviceForHostname(options.address));
  } catch (...) {
    throw Error(Code::argument, "this rank cannot listen on " + options.address + ": " + current_error().message())
        .where(options.address);
  }
  EnginePtr engine;
  try {
    engine = c10::make_intrusive<Gloo>(prefixed, options.rank, options.size, gloo);
  } catch (...) {
    throw joining_failure(options, place);
  }
  return std::make_unique<EngineTransport>(std::move(engine), std::move(store), std::move(facts));
}

std::unique_ptr<Values> open_values(const Options& options, const Place& place) {
  shm::NoSignals quiet;
  return std::make_unique<StoreValues>(open_store(place, options), place.text, options.timeout_ms);
}

bool has_transport() {
  return true;
}

}  // namespace td::group
