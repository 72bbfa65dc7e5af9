#include "support/nn_support.h"

TestSuite(module_types, .init = count_live, .fini = check_live);

/* What the types compute is compared with torch.nn in tests/interop/test_modules.py; here is what they refuse. */

static const struct {
  const char *type, *config, *message;
} bad_configs[] = {
    {"td.conv2d", "{\"out_channels\":2,\"kernel_size\":3}", "\"in_channels\" is missing"},
    {"td.conv2d", "{\"in_channels\":2,\"out_channels\":2}", "\"kernel_size\" is missing"},
    {"td.linear", "{\"in_featurs\":3,\"out_features\":2}",
     "\"in_features\" is missing; the unknown member \"in_featurs\" is probably meant to be it"},
    {"td.linear", "{\"width\":3,\"out_features\":2}", "\"in_features\" is missing, and \"width\" is an unknown member"},
    {"td.linear", "{\"in_features\":3,\"out_feature\":2,\"bias\":\"x\"}", "unknown member \"out_feature\" is probably"},
    {"td.linear", "{\"in_features\":3,\"out_features\":2,\"bais\":true}", "did you mean \"bias\"?"},
    {"td.conv2d", "{\"in_channels\":2,\"out_channels\":2,\"kernel_size\":[3]}", "kernel_size must be one number"},
    {"td.conv2d", "{\"in_channels\":2,\"out_channels\":2,\"kernel_size\":[3,0]}",
     "\"kernel_size[1]\" is 0, below the minimum 1"},
    {"td.conv2d", "{\"in_channels\":2,\"out_channels\":2,\"kernel_size\":\"3\"}", "not of type integer or array"},
    {"td.conv2d", "{\"in_channels\":3,\"out_channels\":2,\"kernel_size\":3,\"groups\":2}", "divisible by groups"},
    {"td.conv2d", "{\"in_channels\":2,\"out_channels\":2,\"kernel_size\":3,\"padding_mode\":\"mirror\"}",
     "\"padding_mode\" is \"mirror\", not one of [\"zeros\",\"reflect\""},
    {"td.conv2d", "{\"in_channels\":2,\"out_channels\":2,\"kernel_size\":3,\"output_padding\":1}", "output_padding"},
    {"td.conv_transpose2d", "{\"in_channels\":2,\"out_channels\":2,\"kernel_size\":3,\"padding\":-1}",
     "\"padding\" is -1"},
    {"td.conv1d", "{\"in_channels\":2,\"out_channels\":2,\"kernel_size\":3,\"padding\":\"full\"}",
     "padding must be valid or same"},
    {"td.conv1d", "{\"in_channels\":2,\"out_channels\":2,\"kernel_size\":3,\"padding\":\"same\",\"stride\":2}",
     "stride must be 1"},
    {"td.conv_transpose1d", "{\"in_channels\":2,\"out_channels\":2,\"kernel_size\":3,\"padding\":\"same\"}",
     "\"padding\" is"},
    {"td.max_pool1d", "{}", "\"kernel_size\" is missing"},
    {"td.adaptive_avg_pool2d", "{\"output_size\":[0,1]}", "\"output_size[0]\" is 0"},
    {"td.batch_norm1d", "{\"num_features\":0}", "\"num_features\" is 0"},
    {"td.layer_norm", "{\"normalized_shape\":[2,0]}", "\"normalized_shape[1]\" is 0"},
    {"td.layer_norm", "{\"normalized_shape\":[1,1,1,1,1,1,1,1,1]}", "at most 8"},
    {"td.group_norm", "{\"num_groups\":2,\"num_channels\":3}", "divisible"},
    {"td.embedding", "{\"num_embeddings\":2,\"embedding_dim\":3,\"padding_idx\":2}", "padding_idx must"},
    {"td.bilinear", "{\"in1_features\":2}", "\"in2_features\" is missing"},
    {"td.dropout", "{\"p\":1.5}", "\"p\" is 1.5E0, above the maximum 1"},
    {"td.unflatten", "{\"dim\":1}", "\"sizes\" is missing"},
    {"td.gelu", "{\"approximate\":\"none!\"}", "\"approximate\" is"},
    {"td.dropout", "{\"p\":0.1,\"p\":0.2}", "two members \"p\""},
    {"td.softmax", "{\"dims\":1}", "dims"},
    {"td.lstm", "{\"input_size\":2,\"hidden_size\":2,\"proj_size\":2}", "proj_size must"},
    {"td.lstm", "{\"input_size\":2,\"hidden_size\":2,\"num_layers\":100000}", "num_layers must"},
    {"td.rnn", "{\"input_size\":2,\"hidden_size\":2,\"nonlinearity\":\"gelu\"}", "\"nonlinearity\" is"},
    {"td.multihead_attention", "{\"embed_dim\":6,\"num_heads\":4}", "embed_dim must be divisible by num_heads"},
    {"td.transformer_encoder_layer", "{\"d_model\":6,\"nhead\":4}", "d_model must be divisible by nhead"},
    {"td.normal_param_extractor", "{\"scale_mapping\":\"cube\"}", "scale_mapping must"},
    {"td.normal_param_extractor", "{\"scale_mapping\":\"biased_softplus_1.0_2.0_3.0\"}", "scale_mapping must"},
    {"td.normal_param_extractor", "{\"scale_mapping\":\"biased_softplus_\"}", "scale_mapping must"},
    {"td.add_state_independent_normal_scale", "{\"scale_shape\":[-1]}", "\"scale_shape[0]\" is -1"},
};

Test(module_types, configs_that_make_no_sense_are_refused_by_name) {
  for (size_t i = 0; i < sizeof bad_configs / sizeof *bad_configs; ++i) {
    td_module *made = NULL;
    td_status s = td_module_new(TD_STR(bad_configs[i].type), TD_STR(bad_configs[i].config), NULL, &made, &err);
    cr_assert_eq(s, TD_ERR_ARGUMENT, "%s %s: %s", bad_configs[i].type, bad_configs[i].config, td_status_name(s).data);
    cr_assert_not_null(strstr(td_error_message(err).data, bad_configs[i].message), "%s %s: %s", bad_configs[i].type,
                       bad_configs[i].config, td_error_message(err).data);
    cr_assert_null(made);
    td_error_release(err), err = NULL;
  }
}

static const struct {
  const char *type, *config;
  int64_t dims[4];
  size_t ndim, inputs, outputs;
  td_status status;
  const char *message;
} bad_inputs[] = {
    {"td.conv2d", "{\"in_channels\":2,\"out_channels\":2,\"kernel_size\":3}", {4, 4}, 2, 1, 1, TD_ERR_TORCH, ""},
    {"td.conv2d",
     "{\"in_channels\":2,\"out_channels\":2,\"kernel_size\":3}",
     {4, 4},
     2,
     2,
     1,
     TD_ERR_ARGUMENT,
     "not 2 and 1"},
    {"td.max_pool1d", "{\"kernel_size\":2}", {1, 2, 4}, 3, 1, 3, TD_ERR_ARGUMENT, "1 to 2 outputs"},
    {"td.batch_norm2d", "{\"num_features\":2}", {2, 2}, 2, 1, 1, TD_ERR_SHAPE, "a channel dim"},
    {"td.rms_norm", "{\"normalized_shape\":3}", {3, 2}, 2, 1, 1, TD_ERR_SHAPE, "normalized shape"},
    {"td.unflatten", "{\"dim\":3,\"sizes\":[2,2]}", {4}, 1, 1, 1, TD_ERR_INDEX, "out of range"},
    {"td.unflatten", "{\"dim\":0,\"sizes\":[-1,3]}", {4}, 1, 1, 1, TD_ERR_SHAPE, "product"},
    {"td.unflatten", "{\"dim\":0,\"sizes\":[-1,-1]}", {4}, 1, 1, 1, TD_ERR_SHAPE, "product"},
    {"td.unflatten",
     "{\"dim\":0,\"sizes\":[9223372036854775807,9223372036854775807]}",
     {4},
     1,
     1,
     1,
     TD_ERR_SHAPE,
     "product"},
    {"td.lstm", "{\"input_size\":2,\"hidden_size\":2}", {2}, 1, 1, 1, TD_ERR_SHAPE, "a time dim"},
    {"td.lstm", "{\"input_size\":2,\"hidden_size\":2}", {2, 2}, 2, 2, 1, TD_ERR_ARGUMENT, "initial state"},
    {"td.multihead_attention", "{\"embed_dim\":2,\"num_heads\":1}", {2}, 1, 3, 1, TD_ERR_SHAPE, "a time dim"},
    {"td.normal_param_extractor", "{}", {2, 1}, 2, 1, 2, TD_ERR_SHAPE, "at least 2"},
    {"td.normal_param_extractor", "{}", {2, 2}, 2, 1, 3, TD_ERR_ARGUMENT, "more outputs"},
    {"td.add_state_independent_normal_scale", "{\"scale_shape\":3}", {2, 2}, 2, 1, 2, TD_ERR_SHAPE, "scale_shape"},
};

Test(module_types, inputs_of_other_shapes_and_numbers_are_refused) {
  for (size_t i = 0; i < sizeof bad_inputs / sizeof *bad_inputs; ++i) {
    td_module *m;
    td_tensor *x, *inputs[4], *outputs[4];
    must(td_module_new(TD_STR(bad_inputs[i].type), TD_STR(bad_inputs[i].config), NULL, &m, &err));
    must(td_tensor_zeros(bad_inputs[i].dims, bad_inputs[i].ndim, TD_DTYPE_FLOAT32, TD_STR("cpu"), &x, &err));
    for (size_t k = 0; k < 4; ++k) inputs[k] = x;
    td_status s = td_module_call(m, inputs, bad_inputs[i].inputs, outputs, bad_inputs[i].outputs, &err);
    cr_assert_eq(s, bad_inputs[i].status, "%zu %s: %s %s", i, bad_inputs[i].type, td_status_name(s).data,
                 err ? td_error_message(err).data : "");
    cr_assert_not_null(strstr(td_error_message(err).data, bad_inputs[i].message), "%s: %s", bad_inputs[i].type,
                       td_error_message(err).data);
    td_error_release(err), err = NULL;
    td_tensor_release(x);
    td_module_release(m);
  }
}

/* Buffers change in training only, and only those of the state that was handed over. */
Test(module_types, batch_norm_updates_the_buffers_that_it_is_given) {
  td_module *m, *keyed;
  td_dict *own, *other, *data = dict(TD_SHAPE(3));
  must(td_module_new(TD_STR("td.batch_norm1d"), TD_STR("{\"num_features\":2}"), NULL, &m, &err));
  must(td_module_tensordict(m, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &keyed, &err));
  td_tensor *x = floats((const float[]){1, 2, 3, 4, 5, 12}, TD_SHAPE(3, 2));
  must(td_dict_set(data, TD_KEY("x"), x, &err));
  must(td_dict_from_module(keyed, &own, &err));
  must(td_dict_clone(own, &other, &err));
  must(td_module_train(keyed, 0, &err));
  must(td_module_forward(keyed, data, &err));
  EXPECT(peek(own, TD_KEY("module", "running_mean")), 0, 0);
  must(td_module_train(keyed, 1, &err));
  must(td_module_forward_with_state(keyed, other, data, &err));
  EXPECT(peek(own, TD_KEY("module", "running_mean")), 0, 0);
  EXPECT(peek(other, TD_KEY("module", "running_mean")), 0.3f, 0.6f);
  must(td_module_forward(keyed, data, &err));
  EXPECT(peek(own, TD_KEY("module", "running_mean")), 0.3f, 0.6f);

  td_tensor_release(x);
  td_dict_release(own), td_dict_release(other), td_dict_release(data);
  td_module_release(m), td_module_release(keyed);
}
