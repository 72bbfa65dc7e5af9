#include "check.hpp"

using namespace tensordict;

namespace {

Dict sample() {
  return Dict({{"obs", Tensor::of({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {3, 2})}, {{"next", "reward"}, Tensor::zeros({3})}},
              {3});
}

std::vector<float> floats(const Tensor& x) {
  return x.to_vector<float>();
}

}  // namespace

TEST(dict, is_made_of_entries) {
  const Dict td({{"a", 1}, {"b", 2.5}, {"c", true}, {"d", {1, 2}}, {"task", "digits"}, {{"n", "x"}, Tensor::zeros({})}},
                {});
  CHECK(td.get("a").dtype() == DType::int64);
  CHECK(td.get("c").item<bool>());
  CHECK_EQ(td.get("d").numel(), 2);
  CHECK_EQ(td.data("task")[0].text(), "digits");
  CHECK_EQ(td.count(), 6u);
  CHECK_EQ(td.depth(), 1);
  CHECK_EQ(Dict::fromkeys({"a", {"b", "c"}}, Tensor::zeros({})).keys(KeysFlag::nested | KeysFlag::leaves).size(), 2u);
  CHECK_EQ(Dict({2, 3}).batch_size(), Shape{2, 3});
  CHECK_EQ(Dict({}).batch_dims(), 0u);
  CHECK_EQ(*Dict({2}, {"cpu"}).device(), "cpu");
}

TEST(dict, sets_and_gets_by_brackets) {
  Dict td({3});
  td["next"]["obs"] = Tensor::zeros({3});
  td[{"next", "reward"}] = Tensor::ones({3});
  const Tensor reward = td["next"]["reward"];
  const Dict next = td["next"];
  CHECK_EQ(next.count(), 2u);
  CHECK(next.get("reward").is(reward) || reward.data() == next.get("reward").data());
  td["copy"] = td["next"]["obs"];
  td["task"] = "digits";
  td["step"] = Data(3);
  td["nothing"] = nullptr;
  CHECK(td["nothing"].value().is_none());
  CHECK_EQ(td["task"].value().text(), "digits");
  CHECK_EQ(td["step"].value().integer(), 3);
  td["next"]["obs"].copy_from(Tensor::ones({3}));
  CHECK_EQ(floats(td["copy"]), std::vector<float>{1, 1, 1});
  CHECK(td["next"]["obs"].exists());
  td["next"]["obs"].erase();
  CHECK(!td["next"]["obs"].exists());
  auto slot = td["next"]["later"];
  CHECK(slot.kind() == EntryKind::none);
  CHECK_THROWS(KeyError, slot.tensor());
  CHECK_THROWS(ShapeError, td["bad"] = Tensor::zeros({2}));
}

TEST(dict, finds_entries_of_any_kind_in_one_call) {
  const Dict td({{"a", Tensor::of({1.f, 2.f}, {2})}, {"task", "digits"}, {{"n", "x"}, Tensor::zeros({2})}}, {2});
  CHECK(td.find("a").is_tensor());
  CHECK(td.find("n").is_dict());
  CHECK_EQ(td.find("task").data()[0].text(), "digits");
  CHECK(!td.find("missing"));
  CHECK(!td.find_tensor("task").has_value());
  const Path path({"n", "x"});
  CHECK(td.find(path).is_tensor());
  CHECK(td.contains(path));
  CHECK_EQ(td.select({path}).keys(KeysFlag::nested | KeysFlag::leaves).to_vector()[0], path.key());
  std::vector<std::string> names;
  for (const auto& [key, entry] : td.items()) names.push_back(key.back() + (entry.is_dict() ? "/" : ""));
  CHECK_EQ(names, (std::vector<std::string>{"a", "task", "n/"}));
}

TEST(dict, says_what_differs) {
  const Dict a = sample(), b = a.clone();
  CHECK(equal(a, b));
  b.get("obs").set_at({0, 1}, Tensor::of({2.5f}, {1})[0]);
  CHECK_EQ(*difference_of(a, b), "\"obs\": 1 of 6 elements differ, the first at [0, 1]: 2 and 2.5");
  CHECK(equal(a, b, {0, 0.5}));
  const std::vector<std::int64_t> rows{2, 0};
  CHECK_EQ(floats(a.get("obs").index({rows, 0})), (std::vector<float>{5, 1}));
  CHECK_EQ(name_of(dtype_named("torch.float64")), "float64");
}

TEST(dict, gets_by_path_and_many_at_once) {
  Dict td = sample();
  std::vector<Path> paths;
  paths.emplace_back("obs");
  paths.push_back(Path({"next", "reward"}));
  const std::vector<Tensor> both = td.get_many(paths);
  CHECK_EQ(both[1].numel(), 3);
  td.set(paths[0], Tensor::ones({3}));
  CHECK_EQ(td.get(paths[0]).numel(), 3);
  td.set_many(paths, {both[1], both[1]});
  CHECK_THROWS(ArgumentError, td.set_many(paths, {both[0]}));
  CHECK(td.find_tensor("obs"));
  CHECK(!td.find_tensor("next"));
  CHECK(!td.find("missing"));
  CHECK(td.find("next").is_dict());
  CHECK_EQ(td.setdefault("obs", both[0]).numel(), 3);
}

TEST(dict, removes_entries) {
  Dict td = sample();
  CHECK_EQ(td.pop("obs").numel(), 6);
  CHECK_EQ(td.pop_dict("next").count(), 1u);
  td.set("last", Tensor::zeros({3})).create_nested({"x", "y"});
  const auto [key, entry] = td.popitem();
  CHECK_EQ(key, "x");
  CHECK(entry.is_dict());
  td.erase("last");
  CHECK_THROWS(KeyError, td.erase("last"));
  CHECK_THROWS(KeyError, td.popitem());
  CHECK(td.set("a", "text").clear().is_empty());
}

TEST(dict, lists_its_entries) {
  const Dict td = sample();
  std::string seen;
  for (const auto& [key, entry] : td.items(KeysFlag::nested)) seen += key.joined("/") + (entry.is_dict() ? "{} " : " ");
  CHECK_EQ(seen, "obs next{} next/reward ");
  const auto leaves = td.leaves();
  const Keys& keys = leaves.first;
  const std::vector<Tensor>& tensors = leaves.second;
  CHECK_EQ(keys.size(), tensors.size());
  CHECK(keys[1] == Key({"next", "reward"}));
  CHECK_EQ(td.keys().to_vector().size(), 2u);
  CHECK_THROWS(IndexError, keys[2]);
}

TEST(dict, keeps_data) {
  Dict td = sample();
  td.set("bytes", Bytes{std::string("\0x", 2)}).set("json", Json{"[1, 2]"}).set("none", Data()).set("f", Data(1.5));
  td.set_data_stack("each", {Data("a"), Data(2), Data(true)});
  CHECK_EQ(td.data("bytes")[0].bytes().bytes.size(), 2u);
  CHECK_EQ(td.data("json")[0].json().text, "[1,2]");
  CHECK(td.data("none")[0].is_none());
  CHECK_EQ(td.data("f")[0].real(), 1.5);
  const DataList each = td.data("each");
  CHECK(each.is_stack());
  CHECK_EQ(each.shape(), Shape{3});
  CHECK_EQ(each.to_vector()[1].integer(), 2);
  CHECK_THROWS(ArgumentError, each[0].integer());
  CHECK_THROWS(IndexError, each[3]);
  CHECK_EQ(td.filter_non_tensor_data().count(), 2u);
  CHECK_EQ(td[1].data("each")[0].integer(), 2);
}

TEST(dict, is_indexed_and_written_by_rows) {
  Dict td = sample();
  CHECK_EQ(td[0].batch_dims(), 0u);
  CHECK_EQ(td[slice(1)].len(), 2);
  const Tensor mask = Tensor::of({true, false, true});
  CHECK_EQ(floats(td[mask].get("obs")), std::vector<float>{1, 2, 5, 6});
  CHECK_EQ(td.index({newdim, slice(0, to_end, 2)}).batch_size(), Shape{1, 2});
  td.set_at({0}, 9.0);
  td.set_at({1}, td[2]);
  CHECK_EQ(floats(td.get("obs")), std::vector<float>{9, 9, 5, 6, 5, 6});
  td.copy_into_at("obs", {2, 1}, Tensor::scalar(0.f));
  CHECK_EQ(td.get_at("obs", {2, 1}).item<float>(), 0.f);
  CHECK_EQ(td.masked_select(mask).len(), 2);
  CHECK_EQ(floats(td.masked_fill(mask, 1).get("obs"))[4], 1.f);
  td.masked_fill_(mask, 2);
  CHECK_EQ(td.gather(0, Tensor::of(std::vector<std::int64_t>{2, 2})).len(), 2);
  CHECK_EQ(floats(td.where(mask, td * 0).get("obs")), std::vector<float>{2, 2, 0, 0, 2, 2});
  Dict whole = sample(), part = whole.window({slice(1, 3)});
  part.fill_("obs", 7);
  CHECK(part.dict_kind() == DictKind::window);
  CHECK_EQ(floats(whole.get("obs")), std::vector<float>{1, 2, 7, 7, 7, 7});
  CHECK_EQ(td.isin(td[slice(0, 1)], "obs").to_vector<bool>(), std::vector<bool>{true, false, true});
  CHECK_EQ(td.remove_duplicates("obs").first.len(), 2);
  CHECK_EQ(td.pad({1, 1}, 7).len(), 5);
  CHECK_THROWS(IndexError, td[5]);
}

TEST(dict, chooses_keys) {
  Dict td = sample();
  CHECK_EQ(td.select({{"next", "reward"}}).count(), 1u);
  CHECK_EQ(td.select({"obs", "none"}, false).count(), 1u);
  CHECK_THROWS(KeyError, td.select({"none"}));
  CHECK_EQ(td.exclude({"obs"}).count(), 1u);
  CHECK(td.flatten_keys("/").contains("next/reward"));
  CHECK(td.flatten_keys().unflatten_keys().contains({"next", "reward"}));
  CHECK_EQ(td.split_keys({{"obs"}}).size(), 2u);
  SplitOptions options;
  options.names = {{"renamed"}};
  CHECK(td.split_keys({{"obs"}}, options)[0].contains("renamed"));
  td.rename("obs", {"next", "obs"});
  CHECK(td.contains({"next", "obs"}));
  CHECK_EQ(td.separates({{"next", "obs"}}).count(), 1u);
  td.select_({"next"}).exclude_({{"next", "reward"}}).filter_empty_();
  CHECK_EQ(td.count(), 0u);
  CHECK_EQ(sample().empty(true).count(), 1u);
}

TEST(dict, is_updated) {
  Dict td = sample(), other = sample() + 1;
  const Tensor before = td.get("obs");
  td.update_values(other);
  CHECK_EQ(floats(before)[0], 2.f);
  UpdateOptions options;
  options.keys = {Key({"next", "reward"})};
  td.update(other * 10, options);
  CHECK_EQ(floats(td.get({"next", "reward"}))[0], 10.f);
  CHECK_EQ(floats(td.get("obs"))[0], 2.f);
  CHECK_EQ(td.replace(other).count(), 2u);
  td.fill_("obs", 5).zero_();
  td.cat_tensors({"obs", "obs"}, "twice", 1, true);
  td.stack_tensors({"obs", "obs"}, "stacked", 1, true);
  CHECK_EQ(td.get("twice").shape(), Shape{3, 4});
  CHECK_THROWS(LockedError, td.lock().set("x", before));
  td.unlock().become(other);
  CHECK_EQ(td.count(), 2u);
  const Dict same({{"a", Tensor::ones({2})}, {"b", Tensor::zeros({2})}}, {2});
  CHECK_EQ(same.cat_leaves(0).numel(), 4);
  CHECK_EQ(same.stack_leaves(0, true).shape(), Shape{2, 2});
}

TEST(dict, is_a_copy_only_where_it_says_so) {
  Dict td = sample();
  const Dict same = td.share();
  CHECK(same.is(td));
  td["obs"].copy_from(Tensor::zeros({3, 2}));
  CHECK_EQ(floats(same.get("obs"))[0], 0.f);
  Dict shallow = td.copy(), deep = td.clone();
  td.fill_("obs", 4);
  CHECK_EQ(floats(shallow.get("obs"))[0], 4.f);
  CHECK_EQ(floats(deep.get("obs"))[0], 0.f);
  CHECK(td.to_tensordict().dict_kind() == DictKind::tensordict);
}

TEST(dict, views_records) {
  struct Record {
    float x[2];
    std::int32_t n;
  };
  std::vector<Record> records{{{1, 2}, 3}, {{4, 5}, 6}};
  const std::vector<Field> fields{{"x", DType::float32, offsetof(Record, x), {2}},
                                  {"n", DType::int32, offsetof(Record, n)}};
  int released = 0;
  {
    Dict td = Dict::from_struct_array(records.data(), {2}, fields, [&] { ++released; });
    CHECK_EQ(td.get("n").to_vector<std::int32_t>(), std::vector<std::int32_t>{3, 6});
    td.fill_("n", 8);
    std::vector<Record> copies(2);
    td.to_struct_array(fields, Span<Record>(copies));
    CHECK_EQ(copies[1].x[1], 5.f);
  }
  CHECK_EQ(released, 1);
  CHECK_EQ(records[0].n, 8);
}

TEST(dict, prints_and_parses) {
  const Dict td = sample();
  std::ostringstream out;
  out << td;
  CHECK_EQ(out.str(), td.repr());
  CHECK(td.repr(ReprFlag::shape | ReprFlag::dtype).find("float32") != std::string::npos);
  CHECK_EQ(Dict::parse(td.repr()).batch_size(), td.batch_size());
  CHECK_THROWS(ArgumentError, Dict::parse("TensorDict("));
}
