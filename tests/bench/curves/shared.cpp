// Members of a channel, and rows of a map.
#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/randint.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include "tests/bench/channels.h"
#include "tests/bench/curves/curves.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

void take(td_channel* ch) {
  td_message* m = nullptr;
  must(td_channel_take(ch, 0, NULL, &m, &failure));
  td_message_release(m);
}

ChannelHandle join(const std::string& name, td_channel_role role) {
  td_channel* made = nullptr;
  must(td_channel_open(TD_STR(name.c_str()), role, nullptr, &made, &failure));
  return ChannelHandle(made, td_channel_release);
}

// A producer and n - 1 consumers, all of this process.
void add_channel(Panel& panel, size_t n) {
  const std::string name = channel_name("members");
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.members = 62, o.slots = 64;
  td_channel* made = nullptr;
  must(td_channel_create(TD_STR(name.c_str()), bytes_dict(8).get(), &o, &made, &failure));
  const ChannelHandle producer(made, td_channel_release);
  std::vector<ChannelHandle> consumers;
  while (consumers.size() + 1 < n) consumers.push_back(join(name, TD_CHANNEL_ROLE_CONSUMES));
  if (n < 62) panel.add("join and leave", n, least_ns([&] { join(name, TD_CHANNEL_ROLE_CONSUMES); }));
  panel.add("clean up, where no member died", n, least_ns([&] {
              int32_t dead = 0;
              must(td_channel_sweep(producer.get(), &dead, nullptr));
            }));
  if (consumers.empty()) return;
  panel.add("hand over to one consumer", n, least_ns([&] {
              send(producer.get());
              take(consumers.back().get());
            }));
  panel.add("hand over, the consumers in turn", n, least_ns([&] {
                                                     for (size_t i = 0; i < consumers.size(); ++i) send(producer.get());
                                                     for (const ChannelHandle& c : consumers) take(c.get());
                                                   }) / static_cast<double>(consumers.size()));
}

Dict rows_of(const at::Tensor& values) {
  Dict data = new_dict({values.size(0)});
  must(td_dict_set(data.get(), TD_KEY("row"), copy_of(values).get(), &failure));
  return data;
}

// Different numbers in no order, without a set of those that were there: an odd factor permutes all numbers of 64 bits.
at::Tensor different(int64_t n) {
  at::Tensor values = at::empty({n}, at::kLong);
  auto* to = values.data_ptr<int64_t>();
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<int64_t>(static_cast<uint64_t>(i + 1) * 0x9e3779b97f4a7c15);
  return values;
}

void add_rows(Panel& panel, size_t n) {
  const auto count = static_cast<int64_t>(n);
  const int64_t asked = std::min<int64_t>(count, 100000);
  const double each = static_cast<double>(n), each_asked = static_cast<double>(asked);
  const at::Tensor values = different(count);
  const at::Tensor some = values.index_select(0, at::randint(0, count, {asked}, at::kLong));
  std::shared_ptr<td_query> query;
  {
    const Dict data = rows_of(values);
    panel.add("new rows", n, least_ns([&] {
                               td_query* made = nullptr;
                               query.reset();
                               must(td_query_new(TD_KEY("row"), 1, nullptr, &made, &failure));
                               query.reset(made, td_query_release);
                               must(td_query_forward(made, data.get(), TD_QUERY_DEFAULT, &failure));
                             }) / each);
  }
  const Dict wanted = rows_of(some), one = rows_of(some.slice(0, 0, 1));
  const auto contains = [&](const Dict& rows) {
    td_tensor* there = nullptr;
    must(td_query_contains(query.get(), rows.get(), &there, nullptr));
    td_tensor_release(there);
  };
  panel.add("known rows, 100,000 a call", n, least_ns([&] { contains(wanted); }) / each_asked);
  panel.add("one known row", n, least_ns([&] { contains(one); }));
  query.reset();
  boost::unordered_flat_map<int64_t, int64_t> map;
  const auto* all = values.data_ptr<int64_t>();
  panel.add("flat_map emplace", n, least_ns([&] {
                                     map = {};
                                     for (int64_t i = 0; i < count; ++i) map.emplace(all[i], i);
                                   }) / each,
            "new rows");
  panel.add("flat_map find", n, least_ns([&] {
                                  const auto* p = some.data_ptr<int64_t>();
                                  int64_t sum = 0;
                                  for (int64_t i = 0; i < asked; ++i) sum += map.find(p[i])->second;
                                  benchmark::DoNotOptimize(sum);
                                }) / each_asked,
            "known rows, 100,000 a call");
}

}  // namespace

Panel channel_panel() {
  Panel panel = {"Members of a channel", "members", "a call", {}};
  for (size_t n : {1, 2, 4, 8, 16, 32, 62}) add_channel(panel, n);
  return panel;
}

Panel rows_panel(size_t largest) {
  Panel panel = {"Rows of a map", "rows", "a row", {}};
  for (size_t n = 1000; n <= largest; n *= 10) {
    add_rows(panel, n);
    if (3 * n <= std::min<size_t>(largest, 10000000)) add_rows(panel, 3 * n);
  }
  return panel;
}

}  // namespace bench
