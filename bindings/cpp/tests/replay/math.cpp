// Pointwise operators, reductions, and functions over leaves.
#include "program.hpp"

namespace replay {
namespace {

void pointwise(Program& p) {
  PointwiseOptions options;
  if (const json::value* otherwise = p.find("default")) {
    const bool skip = otherwise->is_string() && otherwise->get_string() == "intersection";
    options.missing = skip ? Missing::skip : Missing::fill;
    if (!skip) options.fill = p.value(*otherwise);
  }
  Dict made = Dict::pointwise(Op(p.word("call")), p.arguments("operands", "kwargs"), options);
  if (p.word("call").back() != '_') p.put(std::move(made));  // in place: the original gives its operand back
}

ReduceOptions reduction(Program& p) {
  return {p.find("dims") ? p.ints("dims") : Shape(), p.flag("keepdim"), p.flag("feature")};
}

void reduce(Program& p) {
  std::vector<Dict> made = p.dict().reduce(Op(p.word("call")), reduction(p), 2, p.arguments("", "kwargs"));
  if (made.size() == 2) return p.put(std::move(made));
  p.put(std::move(made.at(0)));
}

void reduce_all(Program& p) {
  p.put(p.dict().reduce_together(Op(p.word("call")), reduction(p), p.arguments("", "kwargs")));
}

std::optional<Tensor> mapped(const std::string& fn, const Key& key, const std::vector<std::optional<Tensor>>& ts) {
  const Tensor& first = *ts[0];
  if (fn == "add_one") return first + 1;
  if (fn == "first_row") return first[0];
  if (fn == "drop_a" && key.back() == "a") return std::nullopt;
  if (fn == "drop_a") return first * 2;
  if (fn != "total") return first.share();
  Tensor sum = first + 0;
  for (std::size_t i = 1; i < ts.size(); ++i)
    if (ts[i]) sum = sum + *ts[i];
  return sum;
}

MappedData mapped_data(const std::string& fn, const DataList& list) {
  if (fn == "itself") return list.share();
  if (fn == "text") return DataList(Data("z"));
  if (fn == "ones") return Tensor::ones(list.shape());
  return std::monostate();
}

void map(Program& p) {
  MapOptions options;
  if (p.find("data"))
    options.data = [fn = p.word("data")](const Key&, const std::vector<std::optional<DataList>>& lists) {
      return mapped_data(fn, *lists[0]);
    };
  if (p.find("batch")) options.batch_size = p.ints("batch");
  const std::string emptied = p.find("emptied") ? p.word("emptied") : "drop";
  options.emptied = emptied == "keep" ? Emptied::keep : emptied == "drop_all" ? Emptied::drop_all : Emptied::drop;
  options.in_place = p.flag("inplace");
  options.missing_as_null = p.flag("missing_as_null");
  const std::vector<Dict> others = p.find("others") ? p.dicts("others") : std::vector<Dict>();
  p.put(p.dict().map(
      [fn = p.word("fn")](const Key& key, const std::vector<std::optional<Tensor>>& ts) { return mapped(fn, key, ts); },
      others, options));
}

void merge_with(Program& p) {
  p.put(Dict::merge(p.dicts(), [fn = p.word("fn")](const Key& key, const std::vector<std::optional<Tensor>>& ts) {
    return mapped(fn, key, ts);
  }));
}

void aten(Program& p) {
  const Op op =
      p.find("overload") && p.at("overload").is_string() ? Op(p.word("call"), p.word("overload")) : Op(p.word("call"));
  p.put(op.call(p.arguments("args"), 1)[0].tensor());
}

}  // namespace

Operations math_operations() {
  return {
      {"pointwise", pointwise},
      {"reduce", reduce},
      {"reduce_all", reduce_all},
      {"all", [](Program& p) { p.put(json::value(p.dict().all())); }},
      {"any", [](Program& p) { p.put(json::value(p.dict().any())); }},
      {"map", map},
      {"merge_with", merge_with},
      {"torch", aten},
  };
}

}  // namespace replay
