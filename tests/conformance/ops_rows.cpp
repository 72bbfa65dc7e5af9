// Indexing, joining and selecting rows.
#include "dtypes.h"
#include "observe.h"
#include "ops.h"

namespace conformance {
namespace {

std::vector<int64_t> ints_of(const json::value &list) {
  std::vector<int64_t> out;
  for (const json::value &i : list.as_array()) out.push_back(i.to_number<int64_t>());
  return out;
}

// td[index] = a dict or a number.
void set_item(Program &p) {
  auto index = p.index();
  const json::value &value = p.at("value");
  if (value.is_string())
    call(td_dict_set_at, p.dict(), index.data(), index.size(), p.dict(value));
  else
    call(td_dict_set_at_value, p.dict(), index.data(), index.size(), TD_VALUE(p.number("value")));
}

void pad_sequence(Program &p) {
  td_pad_sequence_options options = TD_PAD_SEQUENCE_OPTIONS_INIT;
  options.pad_dim = p.integer("pad_dim", 0);
  const td_value value = td_value_double(p.find("value") ? p.real("value") : 0.0);
  options.value = &value;
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

void group_by(Program &p) {
  td_tensor *values = nullptr;
  td_data_list *data = nullptr;
  td_dict_list *groups = nullptr;
  call(td_dict_group_by, p.dict(), p.key(), &values, &data, &groups);
  if (values) p.put_at(".values", own(values));
  const DataList list = own(data);
  if (list) p.put_at(".values", Plain{json::object{{"value", observe_data(list.get()).at("stack")}}});
  p.put(groups);
}

void unpad_sequence(Program &p) {
  td_unpad_sequence_options options = TD_UNPAD_SEQUENCE_OPTIONS_INIT;
  options.pad_dim = p.integer("pad_dim", 0);
  if (p.find("mask")) options.mask = p.tensor("mask");
  if (p.find("masks")) options.masks = p.dict("masks");
  p.put(made<td_dict>(td_dict_unpad_sequence, p.dict(), &options));
}

void pack(Program &p) {
  const int64_t dim = p.integer("dim", -1);
  PackLayout like, layout;
  td_tensor *flat = nullptr;
  td_pack_layout *made_layout = nullptr;
  if (p.find("like")) {
    call(td_dict_pack, p.dict("like"), dim, nullptr, &flat, &made_layout);
    td_tensor_release(flat);
    like = own(made_layout);
  }
  call(td_dict_pack, p.dict(), dim, like.get(), &flat, &made_layout);
  const Tensor packed = own(flat);
  layout = own(made_layout);
  p.put_at(".flat", packed);
  p.put_at(".layout", Plain{json::object{{"value", text(own(made<td_string>(td_pack_layout_repr, layout.get())))}}});
  p.put_at(".made", own(made<td_dict>(td_pack_layout_unpack, layout.get(), packed.get())));
}

void unpack(Program &p) {
  td_tensor *flat = nullptr;
  td_pack_layout *made_layout = nullptr;
  call(td_dict_pack, p.dict(), p.integer("dim", -1), nullptr, &flat, &made_layout);
  td_tensor_release(flat);
  const PackLayout layout = own(made_layout);
  p.put(made<td_dict>(td_pack_layout_unpack, layout.get(), p.tensor()));
}

void from_schema(Program &p) {
  std::vector<std::vector<int64_t>> shapes;
  std::vector<td_schema_entry> entries;
  for (const json::value &e : p.at("schema").as_array()) shapes.push_back(ints_of(e.at(2)));
  size_t i = 0;
  for (const json::value &e : p.at("schema").as_array()) {
    entries.push_back(
        {p.key(e.at(0)), dtype_of(json::value_to<std::string>(e.at(1))), 0, shapes[i].data(), shapes[i].size()});
    ++i;
  }
  td_schema_options options = TD_SCHEMA_OPTIONS_INIT;
  if (p.find("storage")) options.storage = TD_STORAGE_SHARED;
  auto batch = p.ints("batch");
  p.put(made<td_dict>(td_dict_from_schema, entries.data(), entries.size(), batch.data(), batch.size(), &options));
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
       const td_value value = p.find("value") ? p.number("value") : td_value_int(0);
       p.put(made<td_dict>(td_dict_pad, p.dict(), pairs.data(), pairs.size(), &value));
     }},
    {"pad_sequence", pad_sequence},
    {"unpad_sequence", unpad_sequence},
    {"pack", pack},
    {"unpack", unpack},
    {"from_schema", from_schema},
    {"group_by", group_by},
    {"gather", [](Program &p) { p.put(made<td_dict>(td_dict_gather, p.dict(), p.integer("dim"), p.tensor("index"))); }},
    {"masked_select", [](Program &p) { p.put(made<td_dict>(td_dict_masked_select, p.dict(), p.tensor("mask"))); }},
    {"masked_fill",
     [](Program &p) {
       p.put(made<td_dict>(td_dict_masked_fill, p.dict(), p.tensor("mask"), TD_VALUE(p.number("value"))));
     }},
    {"masked_fill_",
     [](Program &p) { call(td_dict_masked_fill_, p.dict(), p.tensor("mask"), TD_VALUE(p.number("value"))); }},
    {"where",
     [](Program &p) {
       const td_value pad = p.find("pad") ? p.number("pad") : td_value_int(0);
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
