/* Dicts made from the text of a repr: the same text again, and what goes wrong named with its place. */
#include "support/td.h"

static td_dict *parsed(const char *text) {
  td_dict *td = NULL;
  const td_status status = td_dict_parse(TD_STR(text), NULL, &td, &err);
  if (status != TD_OK) fprintf(stderr, "%s\n", text);
  must(status);
  return td;
}

static void expect_again(const char *text, uint64_t flags) {
  td_dict *td = parsed(text);
  td_string *again;
  must(td_dict_repr(td, flags, &again, &err));
  expect_text(again, text);
  td_dict_release(td);
}

/* As stock Python prints them with compact=False. */
static const char *const detailed[] = {
    "TensorDict(\n"
    "    fields={\n"
    "    },\n"
    "    batch_size=torch.Size([]),\n"
    "    device=None,\n"
    "    is_shared=False)",
    "TensorDict(\n"
    "    fields={\n"
    "        a0: Tensor(shape=torch.Size([3]), device=cpu, dtype=torch.bool, is_shared=False),\n"
    "        a: Tensor(shape=torch.Size([3, 4]), device=cpu, dtype=torch.float32, is_shared=False),\n"
    "        n: TensorDict(\n"
    "            fields={\n"
    "                b: Tensor(shape=torch.Size([3, 2, 0]), device=cpu, dtype=torch.int64, is_shared=False),\n"
    "                e: TensorDict(\n"
    "                    fields={\n"
    "                    },\n"
    "                    batch_size=torch.Size([3, 2]),\n"
    "                    device=cpu,\n"
    "                    is_shared=False)},\n"
    "            batch_size=torch.Size([3, 2]),\n"
    "            device=cpu,\n"
    "            is_shared=False),\n"
    "        s: NonTensorData(data=hello, batch_size=torch.Size([3]), device=cpu),\n"
    "        st: NonTensorStack(\n"
    "            ['a', 'b', 'c'],\n"
    "            batch_size=torch.Size([3]),\n"
    "            device=cpu)},\n"
    "    batch_size=torch.Size([3]),\n"
    "    device=cpu,\n"
    "    is_shared=False)",
    "TensorDict(\n" /* keys and text that look like something else, also of several lines */
    "    fields={\n"
    "\n"
    "        : Tensor(shape=torch.Size([2]), device=cpu, dtype=torch.float32, is_shared=False),\n"
    "         lead: Tensor(shape=torch.Size([2]), device=cpu, dtype=torch.complex64, is_shared=False),\n"
    "        ,: Tensor(shape=torch.Size([2]), device=cpu, dtype=torch.bfloat16, is_shared=False),\n"
    "        : Tensor(shape=torch.Size([2]), device=cpu, dtype=torch.uint8, is_shared=False),\n"
    "        a: b: Tensor(shape=torch.Size([2, 1]), device=cpu, dtype=torch.float32, is_shared=False),\n"
    "        k: Tensor(: Tensor(shape=torch.Size([2]), device=cpu, dtype=torch.float32, is_shared=False),\n"
    "        s: NonTensorData(data=l1\n"
    "\n"
    "        l2, batch_size=torch.Size([2]), device=None) }\n"
    "        , batch_size=torch.Size([2]), device=None),\n"
    "        x\n"
    "          y: Tensor(shape=torch.Size([2]), device=cpu, dtype=torch.float32, is_shared=False),\n"
    "        }: NonTensorData(data=, batch_size=torch.Size([2]), device=None)},\n"
    "    batch_size=torch.Size([2]),\n"
    "    device=None,\n"
    "    is_shared=False)",
    "TensorDict(\n"
    "    fields={\n"
    "        a: MemoryMappedTensor(shape=torch.Size([3]), device=cpu, dtype=torch.float32, is_shared=False),\n"
    "        z: Tensor(shape=torch.Size([3, 0]), device=cpu, dtype=torch.float32, is_shared=False)},\n"
    "    batch_size=torch.Size([3]),\n"
    "    device=cpu,\n"
    "    is_shared=False)",
    "TensorDict(\n"
    "    fields={\n"
    "        a: Tensor(shape=torch.Size([]), device=cpu, dtype=torch.float64, is_shared=True)},\n"
    "    batch_size=torch.Size([]),\n"
    "    device=None,\n"
    "    is_shared=True)",
};

/* As Python prints them by default. */
static const char *const compact[] = {
    "TensorDict(batch_size=[], fields={})",
    "TensorDict(batch_size=[3], device=cpu, fields={a: f32[4], n: {x: i64[]}})",
    "TensorDict(batch_size=[3], fields={\n"
    "    a, b: c: bf16[4],\n"
    "    a0: bool[],\n"
    "    m: [5]{x: c128[7,0]},\n"
    "    n: {b: i64[2], e: {}},\n"
    "    s: str,\n"
    "    st: NonTensorStack})",
    "TensorDict(batch_size=[], fields={\n"
    "    b: bytes,\n"
    "    d: dict,\n"
    "    f: float,\n"
    "    i: int,\n"
    "    l: list,\n"
    "    n: NoneType,\n"
    "    t: bool,\n"
    "    u: u8[]})",
};

/* Lazy stacks and parameters, in both forms. */
static const char *const lazy_detailed[] = {
    "LazyStackedTensorDict(\n"
    "    fields={\n"
    "        a: Tensor(shape=torch.Size([2, -1]), device=cpu, dtype=torch.float32, is_shared=False)},\n"
    "    exclusive_fields={\n"
    "        0 ->\n"
    "            x: Tensor(shape=torch.Size([1]), device=cpu, dtype=torch.float32, is_shared=False),\n"
    "        1 ->\n"
    "            k: Tensor(shape=torch.Size([]), device=cpu, dtype=torch.bool, is_shared=False),\n"
    "            n: TensorDict(\n"
    "                fields={\n"
    "                    c: Tensor(shape=torch.Size([1]), device=cpu, dtype=torch.float32, is_shared=False)},\n"
    "                batch_size=torch.Size([]),\n"
    "                device=None,\n"
    "                is_shared=False)},\n"
    "    batch_size=torch.Size([2]),\n"
    "    device=None,\n"
    "    is_shared=False,\n"
    "    stack_dim=0)",
    "TensorDict(\n"
    "    fields={\n"
    "        l: LazyStackedTensorDict(\n"
    "            fields={\n"
    "                a: Tensor(shape=torch.Size([4, 2, 2]), device=cpu, dtype=torch.float32, is_shared=False),\n"
    "                n: LazyStackedTensorDict(\n"
    "                    fields={\n"
    "                        b: Tensor(shape=torch.Size([4, 2, -1]), device=cpu, dtype=torch.float32, "
    "is_shared=False)},\n"
    "                    exclusive_fields={\n"
    "                        1 ->\n"
    "                            q: Tensor(shape=torch.Size([4]), device=cpu, dtype=torch.float32, "
    "is_shared=False)},\n"
    "                    batch_size=torch.Size([4, 2]),\n"
    "                    device=None,\n"
    "                    is_shared=False,\n"
    "                    stack_dim=1),\n"
    "                s: NonTensorStack(\n"
    "                    [['u', 'v'], ['u', 'v'], ['u', 'v'], ['u', 'v']],\n"
    "                    batch_size=torch.Size([4, 2]),\n"
    "                    device=None)},\n"
    "            exclusive_fields={\n"
    "            },\n"
    "            batch_size=torch.Size([4, 2]),\n"
    "            device=None,\n"
    "            is_shared=False,\n"
    "            stack_dim=1),\n"
    "        m: Tensor(shape=torch.Size([4]), device=cpu, dtype=torch.float32, is_shared=False)},\n"
    "    batch_size=torch.Size([4]),\n"
    "    device=None,\n"
    "    is_shared=False)",
    "LazyStackedTensorDict(\n"
    "    fields={\n"
    "        a: Tensor(shape=torch.Size([2, -1, 2]), device=cpu, dtype=torch.float32, is_shared=False)},\n"
    "    exclusive_fields={\n"
    "    },\n"
    "    batch_size=torch.Size([2, -1]),\n"
    "    device=cpu,\n"
    "    is_shared=False,\n"
    "    stack_dim=0)",
    "TensorDictParams(params=TensorDict(\n"
    "    fields={\n"
    "        n: TensorDict(\n"
    "            fields={\n"
    "                b: Parameter(shape=torch.Size([1]), device=cpu, dtype=torch.float32, is_shared=False),\n"
    "                i: Tensor(shape=torch.Size([1]), device=cpu, dtype=torch.int64, is_shared=False)},\n"
    "            batch_size=torch.Size([]),\n"
    "            device=None,\n"
    "            is_shared=False),\n"
    "        w: Parameter(shape=torch.Size([2]), device=cpu, dtype=torch.float32, is_shared=False)},\n"
    "    batch_size=torch.Size([]),\n"
    "    device=None,\n"
    "    is_shared=False))",
};
static const char *const lazy_compact[] = {
    "LazyStackedTensorDict(batch_size=[2], stack_dim=0, fields={\n"
    "    a: f32[-1]}, exclusive_fields={0: {x: f32[1]}, 1: {n: {c: f32[1]}}})",
    "LazyStackedTensorDict(batch_size=[4,2], stack_dim=1, fields={\n"
    "    a: f32[2],\n"
    "    n: {b: f32[-1]},\n"
    "    s: str})",
    "LazyStackedTensorDict(batch_size=[2], stack_dim=0, fields={}, exclusive_fields={\n"
    "    0: {y: f32[2]},\n"
    "    1: {z: f32[2]}})",
    "TensorDict(batch_size=[4], fields={\n"
    "    l: LazyStackedTensorDict[2]{a: f32[2], n: {b: f32[3]}},\n"
    "    m: f32[]})",
    "TensorDictParams(params=TensorDict(batch_size=[], fields={n: {b: f32[1], i: i64[1]}, w: f32[2]}))",
    "TensorDict(batch_size=[], fields={o: f32[1], p: TensorDictParams{w: f32[2]}})",
};

LeaklessTest(dict_parse, lazy_stacks_and_parameters_are_printed_again) {
  for (size_t i = 0; i < sizeof lazy_detailed / sizeof *lazy_detailed; ++i)
    expect_again(lazy_detailed[i], TD_REPR_DEFAULT);
  for (size_t i = 0; i < sizeof lazy_compact / sizeof *lazy_compact; ++i)
    expect_again(lazy_compact[i], TD_REPR_DEFAULT | TD_REPR_COMPACT);
  td_dict *td = parsed(lazy_detailed[0]), *params = parsed(lazy_detailed[3]);
  td_tensor_list *both, *trained;
  td_tensor *first, *second;
  must(td_dict_get_list(td, TD_KEY("a"), &both, &err));
  must(td_tensor_list_get(both, 0, &first, &err));
  must(td_tensor_list_get(both, 1, &second, &err));
  expect_shape(first, TD_SHAPE(1));
  expect_shape(second, TD_SHAPE(2));
  td_keys *keys;
  must(td_dict_parameters(params, &keys, &trained, &err));
  check(td_tensor_list_size(trained) == 2);
  td_keys_release(keys);
  td_tensor_list_release(trained);
  td_tensor_list_release(both);
  td_tensor_release(first);
  td_tensor_release(second);
  td_dict_release(td);
  td_dict_release(params);

  static const struct {
    const char *text;
    td_status code;
    const char *says;
  } refused[] = {
      {"LazyStackedTensorDict(batch_size=[], stack_dim=0, fields={})", TD_ERR_ARGUMENT, "out of range"},
      {"LazyStackedTensorDict(batch_size=[2], stack_dim=1, fields={})", TD_ERR_ARGUMENT, "out of range"},
      {"LazyStackedTensorDict(batch_size=[-1], stack_dim=0, fields={})", TD_ERR_ARGUMENT, "out of range"},
      {"LazyStackedTensorDict(batch_size=[2], stack_dim=0, fields={}, exclusive_fields={2: {y: f32[2]}})",
       TD_ERR_ARGUMENT, "member"},
      {"LazyStackedTensorDict(batch_size=[9999999], stack_dim=0, fields={a: f32[2]})", TD_ERR_ARGUMENT, "too many"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
    expect_error(td_dict_parse(TD_STR(refused[i].text), NULL, &td, &err), refused[i].code, NULL, refused[i].says);
}

LeaklessTest(dict_parse, every_text_is_printed_again) {
  for (size_t i = 0; i < sizeof detailed / sizeof *detailed; ++i) expect_again(detailed[i], TD_REPR_DEFAULT);
  for (size_t i = 0; i < sizeof compact / sizeof *compact; ++i)
    expect_again(compact[i], TD_REPR_DEFAULT | TD_REPR_COMPACT);
  /* What the text leaves out has a default; an indented text is read as it stands in a log. */
  expect_again(
      "TensorDict(\n    fields={\n        a: Tensor(shape=torch.Size([3, 2]))},\n    batch_size=torch.Size([3]))",
      TD_REPR_BRIEF);
  td_dict *td = parsed(
      "  TensorDict(\n      fields={\n          a: Tensor(mean=1e-07, std=nan),\n          b: Tensor([])},\n      "
      "batch_size=torch.Size([3]))\n\n");
  td_tensor *a = get(td, TD_KEY("a"));
  expect_shape(a, TD_SHAPE(3));
  expect_values(a, VALUES(0, 0, 0));
  td_tensor_release(a);
  td_dict_release(td);
}

/* A stack of `n` values in the text of a dict. */
static void stack_text(char *out, const char *list, int n) {
  sprintf(out,
          "TensorDict(\n    fields={\n        s: NonTensorStack(\n            %s,\n            "
          "batch_size=torch.Size([%d]),\n            device=None)},\n    batch_size=torch.Size([%d]),\n    "
          "device=None,\n    is_shared=False)",
          list, n, n);
}

LeaklessTest(dict_parse, stacks_keep_the_values_that_are_there) {
  static const struct {
    const char *list;
    int n;
  } stacks[] = {
      {"[]", 0},
      {"[1, -2.5, None, True, 'x\\'\"y', b'q\\xff']", 6},
      {"[[1, 'a'], {'k': [2, None]}]", 2},
      {"[nan, inf, -inf, 1e+16]", 4},
      {"['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...", 2},
      {"['abc', 'abc', 'abc', 'abc', 'abc', 'abc', 'abc', ...", 20},
      {"[100, 101, 102, 103, 104, 105, 106, 107, 108, 109,...", 30},
      {"[None, None, None, None, None, None, None, None, N...", 20},
      {"[True, False, True, False, True, False, True, Fals...", 20},
      {"[1.5e-07, 1.5e-07, 1.5e-07, 1.5e-07, 1.5e-07, 1.5e...", 9},
      {"['\\n\\t\\\\\\n\\t\\\\\\n\\t\\\\\\n\\t\\\\\\n\\t\\\\\\n\\t\\\\\\n\\t\\\\\\n\\t\\\\...", 2},
      {"['\\x80\\u2028\\x80\\u2028\\x80\\u2028\\x80\\u2028\\x80\\u20...", 2},
      {"[{'a': 1}, {'a': 1}, {'a': 1}, {'a': 1}, {'a': 1},...", 12},
      {"[[1, 'abc'], [1, 'abc'], [1, 'abc'], [1, 'abc'], [...", 10},
  };
  char text[512];
  for (size_t i = 0; i < sizeof stacks / sizeof *stacks; ++i) {
    stack_text(text, stacks[i].list, stacks[i].n);
    expect_again(text, TD_REPR_DEFAULT);
  }
  stack_text(text, stacks[4].list, 2);
  td_dict *td = parsed(text);
  td_data_list *values;
  td_data value;
  must(td_dict_get_data(td, TD_KEY("s"), &values, &err));
  must(td_data_list_get(values, 0, &value, &err));
  check(value.kind == TD_DATA_STR && value.text.size == 48);
  must(td_data_list_get(values, 1, &value, &err));
  check(value.kind == TD_DATA_NONE);
  td_data_list_release(values);
  td_dict_release(td);
  stack_text(text, "[<object>, 1]", 2);
  expect_error(td_dict_parse(TD_STR(text), NULL, &td, &err), TD_ERR_UNSUPPORTED, "\"s\"", "line 3, column 12");
}

LeaklessTest(dict_parse, data_is_what_python_prints_like_this) {
  static const struct {
    const char *text;
    td_data_kind kind;
  } kinds[] = {{"hello", TD_DATA_STR},     {"12", TD_DATA_INT},
               {"-1.5", TD_DATA_DOUBLE},   {"True", TD_DATA_BOOL},
               {"None", TD_DATA_NONE},     {"b'\\x00'", TD_DATA_BYTES},
               {"[1, 'a']", TD_DATA_JSON}, {"{'a': nan}", TD_DATA_JSON},
               {"(1, 2)", TD_DATA_STR},    {"012", TD_DATA_STR},
               {"1.50", TD_DATA_STR},      {"'a'", TD_DATA_STR},
               {"", TD_DATA_STR},          {"123456789012345678901", TD_DATA_JSON}};
  char text[512];
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    sprintf(text,
            "TensorDict(\n    fields={\n        s: NonTensorData(data=%s, batch_size=torch.Size([]), device=None)},\n"
            "    batch_size=torch.Size([]),\n    device=None,\n    is_shared=False)",
            kinds[i].text);
    expect_again(text, TD_REPR_DEFAULT);
    td_dict *td = parsed(text);
    td_data_list *values;
    td_data value;
    must(td_dict_get_data(td, TD_KEY("s"), &values, &err));
    must(td_data_list_get(values, 0, &value, &err));
    check(value.kind == kinds[i].kind);
    td_data_list_release(values);
    td_dict_release(td);
  }
}

#define LEAF(parts) "TensorDict(\n    fields={\n        a: " parts "},\n    batch_size=torch.Size([2]))"

static const struct {
  const char *text;
  td_status code;
  const char *says;
} refused[] = {
    {"", TD_ERR_ARGUMENT, "line 1, column 1"},
    {"TensorDict", TD_ERR_ARGUMENT, "'('"},
    {"TensorDict(", TD_ERR_ARGUMENT, "line 1, column 12"},
    {"Tensor(1)", TD_ERR_UNSUPPORTED, "'Tensor'"},
    {"TensorDict(\n", TD_ERR_ARGUMENT, "indented"},
    {"TensorDict(\n    fields={", TD_ERR_ARGUMENT, "line 2, column 13"},
    {"TensorDict(\n    fields={\n    })x", TD_ERR_ARGUMENT, "line 3, column 7"},
    {"TensorDict(\n    fields={\n    },\n    colour=3)", TD_ERR_ARGUMENT, "'colour'"},
    {LEAF("Tensor(shape=torch.Size([2, j1]))"), TD_ERR_ARGUMENT, "line 3, column 12"},
    {LEAF("Tensor(shape=torch.Size([2]), colour=3)"), TD_ERR_ARGUMENT, "Tensor"},
    {LEAF("NestedTensor(shape=torch.Size([2]))"), TD_ERR_UNSUPPORTED, "'NestedTensor'"},
    {LEAF("MyClass(\n            a=3)"), TD_ERR_UNSUPPORTED, "'MyClass'"},
    {LEAF("NonTensorData(data=x"), TD_ERR_ARGUMENT, "NonTensorData"},
    {LEAF("Tensor(shape=torch.Size([3]))"), TD_ERR_SHAPE, "line 3, column 12"},
    {LEAF("Tensor(shape=torch.Size([2, -1]))"), TD_ERR_SHAPE, "negative"},
    {LEAF("Tensor(dtype=torch.float31)"), TD_ERR_DTYPE, "line 3, column 12"},
    {LEAF("Tensor(device=nowhere)"), TD_ERR_DEVICE, "line 3, column 12"},
    {LEAF("Tensor(dtype=torch.int8, requires_grad=True)"), TD_ERR_DTYPE, "grad"},
    {LEAF("Tensor(),\n        a: Tensor()"), TD_ERR_ARGUMENT, "twice at line 4, column 12"},
    {"TensorDict(batch_size=[2], fields={a: f31[]})", TD_ERR_ARGUMENT, "line 1, column 36"},
    {"TensorDict(batch_size=[2], fields={a: Mesh})", TD_ERR_UNSUPPORTED, "line 1, column 39"},
    {"TensorDict(batch_size=[2], fields={a: f32[], b", TD_ERR_ARGUMENT, NULL},
    {"TensorDict(batch_size=[-2], fields={})", TD_ERR_SHAPE, NULL},
};

LeaklessTest(dict_parse, other_text_is_refused_with_its_place) {
  td_dict *td = NULL;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
    expect_error(td_dict_parse(TD_STR(refused[i].text), NULL, &td, &err), refused[i].code, NULL, refused[i].says);
  expect_error(td_dict_parse(TD_STR("\xff"), NULL, &td, &err), TD_ERR_ARGUMENT, NULL, "UTF-8");
  expect_error(td_dict_parse(TD_NO_STR, NULL, &td, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_parse(TD_STR(detailed[0]), NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  const td_parse_options bad = {1, {NULL, 0}};
  expect_error(td_dict_parse(TD_STR(detailed[0]), &bad, &td, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!td);
}

LeaklessTest(dict_parse, parameters_around_parameters_are_bounded) {
  td_dict *td = NULL;
  enum { WRAPS = 100000 };
  static const char wrap[] = "TensorDictParams(params=";
  char *deep = malloc(WRAPS * (sizeof wrap - 1) + 1);
  for (size_t i = 0; i < WRAPS; ++i) memcpy(deep + i * (sizeof wrap - 1), wrap, sizeof wrap);
  expect_error(td_dict_parse(TD_STR(deep), NULL, &td, &err), TD_ERR_ARGUMENT, NULL, "250 levels");
  check(!td);
  free(deep);
}

LeaklessTest(dict_parse, every_cut_of_a_text_is_an_error) {
  td_dict *td = NULL;
  for (size_t i = 0; i < sizeof detailed / sizeof *detailed; ++i)
    for (size_t n = strlen(detailed[i]); n-- > 0;) {
      const td_str cut = {detailed[i], n};
      check(td_dict_parse(cut, NULL, &td, NULL) != TD_OK);
    }
  check(!td);
}

LeaklessTest(dict_parse, depth_is_bounded) {
  char *text = malloc(1 << 20), *at = text;
  at += sprintf(at, "TensorDict(batch_size=[], fields={");
  for (int i = 0; i < 100000; ++i) at += sprintf(at, "n: {");
  td_dict *td = NULL;
  expect_error(td_dict_parse(TD_STR(text), NULL, &td, &err), TD_ERR_ARGUMENT, NULL, "250 levels");
  at = text + sprintf(text, "TensorDict(\n    fields={");
  for (int i = 1; i < 252; ++i) at += sprintf(at, "\n%*sn: TensorDict(\n%*sfields={", 8 * i, "", 8 * i + 4, "");
  expect_error(td_dict_parse(TD_STR(text), NULL, &td, &err), TD_ERR_ARGUMENT, NULL, "250 levels");
  /* A long text that fails at its end takes no longer than it should. */
  at = text + sprintf(text, "TensorDict(\n    fields={\n        ");
  while (at - text < 1000000) at += sprintf(at, "a: b, ");
  expect_error(td_dict_parse(TD_STR(text), NULL, &td, &err), TD_ERR_ARGUMENT, NULL, "line 3, column 9");
  free(text);
}

LeaklessTest(dict_parse, devices_can_be_replaced) {
  const char *text = "TensorDict(batch_size=[2], device=cuda:7, fields={a: f32[3], n: {b: bool[]}})";
  td_parse_options options = TD_PARSE_OPTIONS_INIT;
  td_dict *td = NULL;
  expect_error(td_dict_parse(TD_STR(text), NULL, &td, &err), TD_ERR_DEVICE, NULL, "cuda:7");
  options.device = TD_STR("cpu");
  must(td_dict_parse(TD_STR(text), &options, &td, &err));
  td_string *again;
  must(td_dict_repr(td, TD_REPR_DEFAULT | TD_REPR_COMPACT, &again, &err));
  expect_text(again, "TensorDict(batch_size=[2], device=cpu, fields={a: f32[3], n: {b: bool[]}})");
  td_dict_release(td);
  options.device = TD_STR("nowhere");
  expect_error(td_dict_parse(TD_STR(text), &options, &td, &err), TD_ERR_DEVICE, NULL, NULL);
}

LeaklessTest(dict_parse, parameters_require_grad) {
  td_dict *td =
      parsed(LEAF("Parameter(shape=torch.Size([2, 3]), device=cpu, dtype=torch.float32, is_shared=False),\n"
                  "        b: Tensor(requires_grad=True, is_contiguous=True, is_view=False, storage_size=8)"));
  td_tensor *a = get(td, TD_KEY("a")), *b = get(td, TD_KEY("b"));
  check(td_tensor_requires_grad(a) && td_tensor_requires_grad(b));
  td_tensor_release(a);
  td_tensor_release(b);
  td_dict_release(td);
}
