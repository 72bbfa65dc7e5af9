// Indexing, joining and selecting rows.
#include "ops.h"

namespace conformance {
namespace {

// td[index] = a dict or a number.
void set_item(Program &p) {
  auto index = p.index();
  const json::value &value = p.at("value");
  if (value.is_string())
    call(td_dict_set_at, p.dict(), index.data(), index.size(), p.dict(value));
  else
    call(td_dict_set_at_value, p.dict(), index.data(), index.size(), p.real("value"));
}

void pad_sequence(Program &p) {
  td_pad_sequence_options options = TD_PAD_SEQUENCE_OPTIONS_INIT;
  options.pad_dim = p.integer("pad_dim", 0);
  options.value = p.find("value") ? p.real("value") : 0.0;
  options.mask_key = p.find("mask_key") ? p.key("mask_key") : nullptr;
  auto dicts = p.dicts();
  p.put(made<td_dict>(td_dict_pad_sequence, dicts.data(), dicts.size(), &options));
}

void unique(Program &p) {
  td_tensor *inverse = nullptr;
  td_dict *rows = nullptr;
  call(td_dict_remove_duplicates, p.dict(), p.key(), p.integer("dim", 0), &rows, &inverse);
  p.put_at(".0", own(rows));
  p.put_at(".1", own(inverse));
}

template <class F>
void join(Program &p, F function) {
  auto dicts = p.dicts();
  p.put(made<td_dict>(function, dicts.data(), dicts.size(), p.integer("dim", 0)));
}

template <class F>
void join_into(Program &p, F function) {
  auto dicts = p.dicts();
  call(function, dicts.data(), dicts.size(), p.integer("dim", 0), p.dict("target"));
}

const NamedOperation kOperations[] = {
    {"index",
     [](Program &p) {
       auto index = p.index();
       p.put(made<td_dict>(td_dict_index, p.dict(), index.data(), index.size()));
     }},
    {"set_item", set_item},
    {"stack", [](Program &p) { join(p, td_dict_stack); }},
    {"cat", [](Program &p) { join(p, td_dict_cat); }},
    {"stack_into", [](Program &p) { join_into(p, td_dict_stack_into); }},
    {"cat_into", [](Program &p) { join_into(p, td_dict_cat_into); }},
    {"pad",
     [](Program &p) {
       auto pairs = p.ints("pairs");
       const double value = p.find("value") ? p.real("value") : 0.0;
       p.put(made<td_dict>(td_dict_pad, p.dict(), pairs.data(), pairs.size(), value));
     }},
    {"pad_sequence", pad_sequence},
    {"gather", [](Program &p) { p.put(made<td_dict>(td_dict_gather, p.dict(), p.integer("dim"), p.tensor("index"))); }},
    {"masked_select", [](Program &p) { p.put(made<td_dict>(td_dict_masked_select, p.dict(), p.tensor("mask"))); }},
    {"masked_fill",
     [](Program &p) { p.put(made<td_dict>(td_dict_masked_fill, p.dict(), p.tensor("mask"), p.real("value"))); }},
    {"masked_fill_", [](Program &p) { call(td_dict_masked_fill_, p.dict(), p.tensor("mask"), p.real("value")); }},
    {"where",
     [](Program &p) {
       const double pad = p.find("pad") ? p.real("pad") : 0.0;
       p.put(made<td_dict>(td_dict_where, p.dict(), p.tensor("condition"), p.dict("other"),
                           p.find("pad") ? &pad : nullptr));
     }},
    {"is_in",
     [](Program &p) {
       p.put(made<td_tensor>(td_dict_isin, p.dict(), p.dict("reference"), p.key(), p.integer("dim", 0)));
     }},
    {"unique", unique},
    {"expand_right",
     [](Program &p) {
       auto shape = p.ints("shape");
       p.put(made<td_tensor>(td_tensor_expand_right, p.tensor(), shape.data(), shape.size()));
     }},
    {"expand_as_right",
     [](Program &p) { p.put(made<td_tensor>(td_tensor_expand_as_right, p.tensor(), p.tensor("other"))); }},
};

}  // namespace

Operations rows_operations() {
  return {std::begin(kOperations), std::end(kOperations)};
}

}  // namespace conformance
