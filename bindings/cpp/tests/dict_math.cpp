#include "check.hpp"

using namespace tensordict;

namespace {

Dict sample() {
  return Dict({{"a", Tensor::of({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {2, 3})}, {{"n", "b"}, Tensor::ones({2, 3})}}, {2, 3});
}

std::vector<float> a(const Dict& td) {
  return td.get("a").to_vector<float>();
}

}  // namespace

TEST(shape, changes) {
  Dict td = sample();
  CHECK_EQ(td.view({6}).len(), 6);
  CHECK_EQ(td.reshape({-1, 2}).batch_size(), Shape{3, 2});
  CHECK_EQ(td.flatten().unflatten(0, {3, 2}).batch_size(), Shape{3, 2});
  CHECK_EQ(td.unsqueeze(0).batch_dims(), 3u);
  CHECK_EQ(td.unsqueeze(0).squeeze().batch_dims(), 2u);
  CHECK_EQ(td.expand({4, 2, 3}).numel(), 24);
  CHECK_EQ(td.permute({1, 0}).batch_size(), Shape{3, 2});
  CHECK_EQ(td.transpose(0, 1).len(), 3);
  CHECK_EQ(td.movedim({0}, {1}).len(), 3);
  CHECK_THROWS(ArgumentError, td.movedim({0}, {}));
  CHECK_EQ(td.narrow(1, 1, 2).numel(), 4);
  CHECK_EQ(td.split(1).size(), 2u);
  CHECK_EQ(td.split_sizes({1, 2}, 1)[1].numel(), 4);
  CHECK_EQ(td.chunk(2, 1).size(), 2u);
  CHECK_EQ(td.tensor_split(3, 1).size(), 3u);
  CHECK_EQ(td.tensor_split_at({1}, 1).size(), 2u);
  CHECK_EQ(td.unbind(1).size(), 3u);
  CHECK_EQ(td.repeat({2, 1}).len(), 4);
  CHECK_EQ(td.tile({2}).numel(), 12);
  CHECK_EQ(td.repeat_interleave({2}, 0).len(), 4);
  CHECK_EQ(a(td.flip({0, 1}))[0], 6.f);
  CHECK_EQ(a(td.roll({1}))[0], 6.f);
  CHECK_EQ(td.rot90().len(), 3);
  CHECK(td.is_contiguous());
  CHECK(td.permute({1, 0}).contiguous().is_contiguous());
  CHECK_EQ(td.set_batch_size({2}).auto_batch_size_().batch_dims(), 2u);
  CHECK_EQ(a(td.new_ones({1}))[0], 1.f);
  CHECK_EQ(td.new_empty({1}, DType::int8).get("a").nbytes(), 1);
  CHECK_EQ(a(td.new_full({1}, 3))[0] + a(td.new_zeros({1}))[0], 3.f);
  CHECK_THROWS(ShapeError, td.view({5}));
}

TEST(shape, follows_another_dict) {
  Dict td({{"a", Tensor::of({1.f, 2.f}, {2, 1})}}, {2}), wide({{"a", Tensor::zeros({3, 2, 2})}}, {3, 2});
  CHECK_EQ(td.expand_as(wide).batch_size(), Shape{3, 2});
  CHECK_EQ(a(td.expand_as(wide))[3], 2.f);
  CHECK_THROWS(ShapeError, wide.expand_as(td));
  CHECK_EQ(a(td.new_tensor(Value({5, 6})))[1], 6.f);
  CHECK_EQ(td.new_tensor(2.5, {DType::float64}).get("a").dtype(), DType::float64);
  CHECK_EQ(td.new_tensor(wide).batch_size(), Shape{3, 2});
  CHECK(td.new_tensor(wide, {DType::none, true}).get("a").requires_grad());
}

TEST(rows, are_packed_into_one_tensor) {
  const Dict td({{"a", Tensor::of({1.f, 2.f}, {2})}, {{"n", "b"}, Tensor::zeros({2, 3})}}, {2});
  const auto [flat, layout] = pack(td);
  CHECK_EQ(flat.shape(), Shape{2, 4});
  CHECK_EQ(a(layout.unpack(flat))[1], 2.f);
  CHECK_EQ(layout.keys().size(), 2u);
  CHECK_EQ(layout.nested().size(), 1u);
  CHECK_EQ(layout.shape(1), Shape{3});
  CHECK(layout.nested_shape(0).empty());
  CHECK_EQ(layout.offset(1) + layout.numel() + layout.dim(), 4);
  CHECK(!layout.device());
  CHECK(layout.repr().find("PackLayout(keys=('a', ('n', 'b'))") == 0);
  const PackLayout other({{Key({"n", "b"}), {3}}, {Key("a")}}, -1, {{Key("n")}});
  CHECK(layout == pack(td, layout).second);
  CHECK(layout != other);
  CHECK_EQ(pack(td, other).first.to_vector<float>()[3], 1.f);
  CHECK_THROWS(IndexError, pack(td, 3));
}

TEST(rows, are_made_of_a_schema) {
  const Dict td = Dict::from_schema({{Key({"n", "a"}), DType::int8, {2}}, {Key("b"), DType::float32}}, {3});
  CHECK_EQ(td.get({"n", "a"}).shape(), Shape{3, 2});
  SchemaOptions options;
  options.storage = Storage::shared;
  CHECK(Dict::from_schema({{Key("b"), DType::float32}}, {3}, options).is_shared());
  options.storage = Storage::memmap;
  CHECK_THROWS(ArgumentError, Dict::from_schema({{Key("b"), DType::float32}}, {3}, options));
}

TEST(math, maps_functions_over_data_and_merges_by_one) {
  Dict td({{"a", Tensor::ones({2})}}, {2});
  td.set("s", "x").set("t", "gone").set("u", "tensor");
  MapOptions options;
  options.data = [](const Key& key, const std::vector<std::optional<DataList>>& lists) -> MappedData {
    if (key == Key("t")) return {};
    if (key == Key("u")) return Tensor::ones({2});
    return DataList({Data((*lists[0])[0].text() + "1"), Data("y")}, {2});
  };
  const Dict out = td.map([](const Tensor& x) { return x * 2; }, options);
  CHECK_EQ(out.data("s")[0].text(), "x1");
  CHECK(!out.contains("t"));
  CHECK(out.find_tensor("u").has_value());
  options.data = [](const Key&, const std::vector<std::optional<DataList>>&) -> MappedData {
    return DataList(Data(3));
  };
  CHECK_EQ(td.map([](const Tensor& x) { return x.share(); }, options).data("s")[0].integer(), 3);
  td.lock().set_data_("s", "z");
  CHECK_EQ(td.data("s")[0].text(), "z");
  const Dict sum = Dict::merge({td, td}, [](const Key&, const Tensor& x, const Tensor& y) { return x + y; });
  CHECK_EQ(a(sum)[0], 2.f);
  Dict parts({{{"n", "a"}, Tensor::ones({2})}}, {2});
  const Tensor fill = Tensor::zeros({2});
  SeparateOptions separate;
  separate.keep_empty = true;
  separate.fill = &fill;
  CHECK(parts.separates({Key({"n", "a"}), Key("b")}, separate).contains("b"));
  CHECK(parts.contains("n"));
}

TEST(rows, are_grouped_and_unpadded) {
  Dict td({{"id", Tensor::of({std::int64_t{2}, std::int64_t{0}, std::int64_t{2}}, {3})}}, {3});
  td.set_data_stack("who", {"b", "a", "b"});
  const Groups<Dict> by_id = td.group_by("id"), by_who = td.group_by("who");
  CHECK_EQ(by_id.values->to_vector<std::int64_t>(), (std::vector<std::int64_t>{0, 2}));
  CHECK(!by_id.data);
  CHECK_EQ(by_id.dicts[1].len(), 2);
  CHECK_EQ((*by_who.data)[0].text(), "a");
  CHECK(!by_who.values);
  Dict x({{"a", Tensor::ones({1})}}, {1}), y({{"a", Tensor::ones({3})}}, {3});
  PadSequenceOptions padding;
  padding.mask_key = Key("masks");
  const Dict padded = pad_sequence({x, y}, padding), masks = padded.get_dict("masks");
  CHECK_EQ(padded.unpad_sequence().members()[0].len(), 1);
  UnpadOptions<Dict> options;
  options.masks = &masks;
  CHECK_EQ(padded.select({"a"}).unpad_sequence(options).members()[1].len(), 3);
  CHECK_THROWS(KeyError, y.unpad_sequence());
}

TEST(shape, has_names) {
  Dict td = sample();
  CHECK(!td.names()[0]);
  td.set_names({"time", "env"}).rename_names({"env"}, {"agent"});
  CHECK_EQ(*td.names()[1], "agent");
  td.set_names(std::vector<std::optional<std::string>>{std::nullopt, "x"}).refine_names({"y", "x"});
  CHECK_EQ(*td.transpose(0, 1).names()[1], "y");
  td.set_names({});
  CHECK(!td.names()[0]);
}

TEST(math, has_operators) {
  const Dict td = sample();
  CHECK_EQ(a(td * 2 + td - 1)[1], 5.f);
  CHECK_EQ(a(1 / td)[1], .5f);
  CHECK_EQ(a(10 - td)[1], 8.f);
  CHECK_EQ(a(-td)[0], -1.f);
  CHECK((td == td).all());
  CHECK(!(td != td).any());
  CHECK((td < 7).all() && (td >= 1).all() && !(td > 6).any() && (td <= 6).all());
  CHECK_EQ(a(td * Tensor::of({1.f, 10.f}, {2, 1}))[3], 40.f);
  Dict written = td.clone();
  written += 1;
  written *= td;
  written -= td;
  written /= td;
  CHECK_EQ(a(written), a(td));
  CHECK_EQ(a(td.pointwise("lerp", td * 3, 0.5))[0], 2.f);
  CHECK_EQ(a(td.apply_op(Op("exp"), 1)[0]).size(), 6u);
  PointwiseOptions fill;
  fill.missing = Missing::fill;
  fill.fill = 5;
  const Dict less = td.exclude({"n"});
  CHECK_EQ(Dict::pointwise(Op("add"), Arguments::of(td, less), fill).get({"n", "b"})[0][0].item<float>(), 6.f);
  CHECK_THROWS(KeyError, td + less);
}

TEST(math, reduces) {
  const Dict td = sample();
  CHECK_EQ(td.sum().get("a").item<float>(), 21.f);
  CHECK_EQ(td.mean({{0}}).batch_size(), Shape{3});
  CHECK_EQ(td.reduce("std", {{-1}, true}, Named("correction", 0)).batch_size(), Shape{2, 1});
  CHECK_EQ(td.reduce(Op("max"), {{1}}, 2)[1].get("a").to_vector<std::int64_t>(), std::vector<std::int64_t>{2, 2});
  CHECK_EQ(td.reduce_together("sum").item<float>(), 27.f);
}

TEST(math, maps_functions_over_leaves) {
  const Dict td = sample();
  CHECK_EQ(a(td.map([](const Tensor& x) { return x * 2; }))[1], 4.f);
  std::string seen;
  const Dict one = td.map([&](const Key& key, const Tensor& x) -> std::optional<Tensor> {
    seen += key.joined() + " ";
    if (key.size() > 1) return std::nullopt;
    return x.share();
  });
  CHECK_EQ(seen, "a n.b ");
  CHECK_EQ(one.count(), 1u);
  const Dict sums = td.map([](const Key&, const Tensor& x, const Tensor& y) { return x + y; }, {td});
  CHECK_EQ(a(sums)[2], 6.f);
  MapOptions options;
  options.missing_as_null = true;
  int missing = 0;
  td.map(
      [&](const Key&, const std::vector<std::optional<Tensor>>& both) {
        missing += !both[1];
        return both[0]->share();
      },
      {one}, options);
  CHECK_EQ(missing, 1);
  CHECK_THROWS(ArgumentError, td.map([](const Tensor& x) { return x * 2; }, {td}));
}

TEST(state, has_parameters_and_gradients) {
  Dict td = sample();
  Dict params = td.params();
  CHECK(params.dict_kind() == DictKind::params);
  CHECK_EQ(params.parameters().second.size(), 2u);
  CHECK(params.buffers().first.empty());
  CHECK_EQ(params.param_count(), 12);
  CHECK_EQ(params.param_bytes(), 48);
  (params * params).reduce_together("sum").backward();
  CHECK_EQ(a(*params.grad())[5], 12.f);
  CHECK(params.clip_grad_norm_(1.0) > 10);
  params.clip_grad_value_(0.01);
  params.zero_grad();
  CHECK(!params.grad());
  const Dict loss = params.sum();
  CHECK_EQ(a(loss.autograd_grad(params, nullptr, {true}))[0], 1.f);
  loss.backward(nullptr, &params, BackwardOptions());
  CHECK(params.requires_grad());
  CHECK(!params.detach().requires_grad());
  Dict plain = sample();
  plain.requires_grad_().detach_();
  CHECK(!plain.requires_grad());
  CHECK_THROWS(ArgumentError, plain.backward());
}

TEST(state, converts_saves_and_locks) {
  Dict td = sample();
  CHECK(td.to(DType::float64).dtype() == DType::float64);
  CHECK_EQ(*td.to("cpu").device(), "cpu");
  CHECK(td.is_floating_point());
  CHECK(!Dict({2}, {"cpu"}).clear_device_().device());
  CHECK_EQ(*td.auto_device_().device(), "cpu");
  Dict other = td * 0;
  other.load_state_dict(td.state_dict());
  CHECK_EQ(a(other), a(td));
  CHECK_THROWS(KeyError, other.load_state_dict(td.exclude({"a"})));
  td.lock();
  CHECK(td.is_locked());
  CHECK(!td.is_shared());
  CHECK_THROWS(LockedError, td.get_dict("n").unlock());
  td.unlock();
  CHECK(!td.is_locked());
}

TEST(lazy, stacks_what_differs) {
  Dict one({{"a", Tensor::ones({2})}, {"only", Tensor::ones({})}}, {}), two({{"a", Tensor::ones({3})}}, {});
  Dict both = lazy_stack({one, two});
  CHECK(both.dict_kind() == DictKind::lazy_stack);
  CHECK_EQ(both.stack_dim(), 0);
  CHECK_EQ(both.members().size(), 2u);
  CHECK_EQ(both.entry_shape("a"), Shape{2, -1});
  CHECK(both.ragged_keys()[0] == Key("a"));
  CHECK(both.exclusive_keys(0)[0] == Key("only"));
  CHECK_THROWS(ShapeError, both.get("a"));
  CHECK_EQ(both.get_list("a")[1].numel(), 3);
  const auto [padded, mask] = both.get_padded("a", {-1});
  CHECK_EQ(padded.to_vector<float>(), std::vector<float>{1, 1, -1, 1, 1, 1});
  CHECK_EQ(mask.op("sum").item<int>(), 5);
  CHECK_EQ(both.get_jagged("a").second.to_vector<std::int64_t>(), std::vector<std::int64_t>{0, 2, 5});
  PaddingOptions padding;
  padding.mask_key = Key("mask");
  CHECK(both.densify(padding).contains({"mask", "a"}));
  both.set_list("b", {Tensor::zeros({1}), Tensor::zeros({2})});
  both.append(one.copy()).insert(0, {two});
  CHECK_EQ(both.len(), 4);
  CHECK(maybe_dense_stack({one, one}).dict_kind() == DictKind::tensordict);
  CHECK_EQ(empty_lazy_stack({2}).batch_size(), Shape{0, 2});
  CHECK_EQ(sample().to_lazy_stack(0).members().size(), 2u);
}

TEST(stack, joins_dicts) {
  const Dict td = sample();
  Dict joined = cat({td, td});
  CHECK_EQ(joined.len(), 4);
  CHECK_EQ(stack({td, td}, -1).batch_size(), Shape{2, 3, 2});
  cat_into({td * 0, td}, 0, joined);
  CHECK_EQ(a(joined)[0], 0.f);
  Dict target = stack({td, td});
  stack_into({td, td * 2}, 0, target);
  CHECK_EQ(a(target)[6], 2.f);
  CHECK_EQ(merge({td, Dict({{"z", Tensor::zeros({2, 3})}}, {2, 3})}).count(), 3u);
  PadSequenceOptions options;
  options.mask_key = Key("mask");
  options.values = {{Key("x"), 9}};
  const Dict longer({{"x", Tensor::zeros({2})}}, {2}), shorter({{"x", Tensor::zeros({1})}}, {1});
  const Dict padded = pad_sequence({longer, shorter}, options);
  CHECK_EQ(padded.get("x").to_vector<float>()[3], 9.f);
  std::vector<Dict> many;
  many.push_back(td.share());
  CHECK_EQ(stack(many).len(), 1);
  CHECK_THROWS(ArgumentError, stack({}));
}
