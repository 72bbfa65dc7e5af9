#include <algorithm>
#include <memory>
#include <numeric>

#include "check.hpp"

using namespace tensordict;

namespace {

Dict rows() {
  return Dict({{"x", Tensor::of(std::vector<std::int64_t>{1, 2, 1, 3}, {4, 1})}}, {4});
}

std::vector<std::int64_t> ints(const Tensor& x) {
  return x.to_vector<std::int64_t>();
}

using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST(hash, hashes_rows) {
  const Hash sip = Hash::create("td.siphash", R"({"seed": 42})");
  const Tensor x = rows().get("x");
  const Tensor h = sip(x);
  CHECK_EQ(ints(h)[0], ints(h)[2]);
  CHECK_EQ(static_cast<std::int64_t>(sip.rows(x.data(), 4, 8)[1]), ints(h)[1]);
  CHECK_EQ(ints(sip.clone()(x)), ints(h));
  CHECK(sip.describe().find("siphash") != std::string::npos);
  Hash other = Hash::create("td.siphash", R"({"seed": 42})");
  other.load(sip.save());
  CHECK_EQ(ints(other(x)), ints(h));
  CHECK_THROWS(CorruptError, other.load("nonsense"));
  CHECK_EQ(ints(Hash::function([](const Tensor& t) { return t.op("flatten"); })(x)), Numbers{1, 2, 1, 3});
  CHECK_THROWS(std::range_error, Hash::function([](const Tensor&) -> Tensor { throw std::range_error("x"); })(x));
}

TEST(query, gives_rows_their_indices) {
  Query query({"x"});
  Dict td = rows();
  CHECK(!query.contains(td).op("any").item<bool>());
  query.forward(td);
  CHECK_EQ(ints(td.get("_index")), Numbers{0, 1, 0, 2});
  CHECK_EQ(query.size(), 3);
  CHECK_EQ(query.stats().next, 3);
  CHECK_EQ(ints(query.look_up(td[slice(3)])), Numbers{2});
  CHECK_EQ(ints(query.hash(td)), ints(td.get("_hash")));
  QueryCallOptions call;
  call.clone = true;
  call.found_key = Key("found");
  CHECK(query(td, call).contains("found"));
  CHECK(!td.contains("found"));
  CHECK(query.in_keys()[0] == Key("x"));
  query.select_out_keys({"_index"});
  CHECK_EQ(query.out_keys().size(), 1u);
  query.reset_out_keys();
  CHECK_EQ(query.as_module().out_keys().size(), 2u);
  Query same({"x"});
  same.load_state(query.state());
  CHECK_EQ(same.size(), 3);
  CHECK_EQ(query.erase(td[slice(1, 2)]), 1);
  query.clear();
  CHECK_EQ(query.size(), 0);
}

TEST(query, takes_options) {
  const Hash hash = Hash::function([](const Tensor& t) { return t.op("flatten").op("remainder", 2); });
  QueryOptions options;
  options.hash = &hash;
  options.index_key = Key({"n", "index"});
  options.miss = Miss::error;
  Query query({"x"}, options);
  Dict td = rows();
  CHECK_THROWS(KeyError, query.forward(td, false));
  query.forward(td);
  CHECK_EQ(ints(td.get({"n", "index"})), Numbers{0, 1, 0, 0});
}

namespace {

// Indices from 10 on, in the order of insertion.
struct Table final : IndexMap {
  std::vector<std::int64_t> hashes;
  bool full = false;

  void look_up(const std::int64_t* asked, std::size_t n, std::int64_t* indices) override {
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = std::find(hashes.begin(), hashes.end(), asked[i]);
      indices[i] = at == hashes.end() ? -1 : 10 + (at - hashes.begin());
    }
  }
  void insert(const std::int64_t* added, std::size_t n, std::int64_t* indices) override {
    for (std::size_t i = 0; i < n; ++i) {
      if (full && i > 0) throw std::length_error("full");
      hashes.push_back(added[i]);
      indices[i] = next() - 1;
    }
  }
  void erase(const std::int64_t* gone, std::size_t n) override {
    for (std::size_t i = 0; i < n; ++i) hashes.erase(std::remove(hashes.begin(), hashes.end(), gone[i]), hashes.end());
  }
  std::int64_t size() const override { return static_cast<std::int64_t>(hashes.size()); }
  std::int64_t next() const override { return 10 + size(); }
  void state(Dict& state) const override { state.set("all", Tensor::of(hashes)); }
  void load(const Dict& state) override { hashes = ints(state.get("all")); }
};

}  // namespace

TEST(query, takes_a_map_of_the_callers) {
  auto table = std::make_shared<Table>(), other = std::make_shared<Table>();
  Query query = Query::with_map({"x"}, table), second = Query::with_map({"x"}, other);
  Dict td = rows();
  query.forward(td);
  CHECK_EQ(ints(td.get("_index")), Numbers{10, 11, 10, 12});
  CHECK_EQ(query.size(), 3);
  second.load_state(query.state());
  CHECK_EQ(ints(second.look_up(td)), Numbers{10, 11, 10, 12});
  CHECK_EQ(second.erase(td[slice(3)]), 1);
  CHECK_THROWS(UnsupportedError, query.clear());
  other->hashes.clear();
  other->full = true;
  CHECK_THROWS(std::length_error, second.forward(td));
  CHECK_EQ(other->size(), 0);
  CHECK_THROWS(ArgumentError, Query::with_map({"x"}, nullptr));
}

TEST(query, shares_its_map) {
  const check::TemporaryDirectory directory;
  Dict td = rows();
  Query query({"x"});
  query.forward(td);
  query.save_map(directory / "map");
  CHECK_THROWS(ExistsError, query.save_map(directory / "map"));
  Query reader({"x"});
  reader.open_map(directory / "map");
  CHECK_EQ(ints(reader.look_up(td)), Numbers{0, 1, 0, 2});
  if (!has_feature("segment")) return;
  const std::string name = check::unique_name("map");
  query.share_map(name);
  Query second({"x"});
  second.open_map(name, QueryMode::read);
  CHECK_EQ(second.size(), 3);
  Query::unlink_map(name);
  CHECK_THROWS(NotFoundError, Query::unlink_map(name));
}

TEST(query, keeps_rows_under_keys) {
  Query query({"x"});
  Store store(StoreOptions{});
  RowMap map(query, store);
  Dict keys = rows(), values({{"v", Tensor::of(std::vector<std::int64_t>{10, 20, 30, 40})}}, {4});
  map.set(keys, values);
  CHECK_EQ(ints(map.get(keys).get("v")), Numbers{30, 20, 30, 40});
  CHECK(map.contains(keys).op("all").item<bool>());
  CHECK_EQ(map.size(), 3);
  CHECK_EQ(store.size(), 3);
  CHECK_EQ(ints(store.get(Tensor::of(Numbers{1})).get("v")), Numbers{20});
  CHECK(!store.contains(Tensor::of(Numbers{9})).op("any").item<bool>());
  CHECK_EQ(store.options().capacity, 0);
  CHECK_EQ(query.options().hash_type, "td.siphash");
  const auto [drawn, index] = store.sample(3, {true});
  CHECK_EQ(ints(drawn.get("v")), ints(store.get(index).get("v")));
  CHECK_THROWS(ArgumentError, store.sample(4, {true}));
  store.set(Tensor::of(Numbers{1}), values[slice(0, 1)]);
  map.clear();
  store.clear();
  CHECK_THROWS(IndexError, map.get(keys));
}

TEST(plugins, are_listed_and_loaded) {
  CHECK(plugins::list().find("td.siphash") != std::string::npos);
  CHECK(plugins::report().size() > 10);
  CHECK_THROWS(NotFoundError, plugins::load("/no/such/plugin.so"));
  CHECK_THROWS(NotFoundError, plugins::add_path("/no/such/directory"));
}

TEST(plugins, may_be_functions) {
  plugins::register_hash({"org.example.cpp_sum"}, [](std::string_view, const std::uint8_t* row, std::size_t size) {
    return std::accumulate(row, row + size, std::uint64_t{0});
  });
  CHECK_EQ(ints(Hash::create("org.example.cpp_sum")(rows().get("x"))), Numbers{1, 2, 1, 3});
  CHECK_THROWS(ExistsError, plugins::register_hash({"org.example.cpp_sum"}, [](std::string_view, const std::uint8_t*,
                                                                               std::size_t) { return 0u; }));
  plugins::unregister(plugins::Kind::hash, "org.example.cpp_sum");
  CHECK_THROWS(NotFoundError, Hash::create("org.example.cpp_sum"));

  plugins::ModuleType scale;
  scale.init = [](std::string_view, WithGenerator, Dict& parameters, Dict&) {
    parameters.set("factor", Tensor::scalar(3.f));
  };
  scale.forward = [](std::string_view, const std::vector<Tensor>& state, const std::vector<Tensor>& inputs, bool) {
    return tensors(inputs[0] * state[0]);
  };
  plugins::register_module({"org.example.cpp_scale"}, scale);
  CHECK_EQ(Module::create("org.example.cpp_scale")(Tensor::ones({1})).item<float>(), 3.f);
  plugins::unregister(plugins::Kind::module, "org.example.cpp_scale");

  plugins::DistType point;
  point.params = {"at"};
  point.sample = [](std::string_view, const std::vector<Tensor>& params, Ints, WithGenerator) { return params[0] + 0; };
  point.log_prob = [](std::string_view, const std::vector<Tensor>& params, const Tensor& value) {
    return (params[0] == value).op("log");
  };
  point.stat = [](std::string_view, const std::vector<Tensor>& params, DistStat which) {
    if (which != DistStat::mean) throw UnsupportedError("there is a mean only");
    return params[0] + 0;
  };
  plugins::register_dist({"org.example.cpp_point"}, point);
  const Dist dist = Dist::create("org.example.cpp_point", Dict({{"at", Tensor::scalar(4.f)}}, {}));
  CHECK_EQ(dist.sample().item<float>(), 4.f);
  CHECK_EQ(dist.mean().item<float>(), 4.f);
  CHECK_EQ(dist.log_prob(Tensor::scalar(4.f)).item<float>(), 0.f);
  CHECK_THROWS(UnsupportedError, dist.variance());
  plugins::unregister(plugins::Kind::distribution, "org.example.cpp_point");
}
