#include "support/nn_support.h"

TestSuite(module_repr, .init = count_live, .fini = check_live);

static void prints(const char *type, const char *config, const char *expected) {
  td_module *m = module(type, config, 0);
  td_string *shown;
  must(td_module_repr(m, &shown, &err));
  cr_assert_str_eq(td_string_view(shown).data, expected, "%s %s prints\n%s\nnot\n%s", type, config,
                   td_string_view(shown).data, expected);
  td_string_release(shown);
  td_module_release(m);
}

/* What str() gave for torch.nn's module with these arguments, PyTorch 2.13; td.mlp for a Sequential of the same parts. */
static const struct {
  const char *type, *config, *expected;
} bundled[] = {
    /* clang-format off */
    {"td.linear", "{\"in_features\": 2, \"out_features\": 3}", "Linear(in_features=2, out_features=3, bias=True)"},
    {"td.linear", "{\"in_features\": 2, \"out_features\": 3, \"bias\": false}", "Linear(in_features=2, out_features=3, bias=False)"},
    {"td.bilinear", "{\"in1_features\": 3, \"in2_features\": 4, \"out_features\": 5}", "Bilinear(in1_features=3, in2_features=4, out_features=5, bias=True)"},
    {"td.bilinear", "{\"in1_features\": 3, \"in2_features\": 4, \"out_features\": 5, \"bias\": false}", "Bilinear(in1_features=3, in2_features=4, out_features=5, bias=False)"},
    {"td.embedding", "{\"num_embeddings\": 10, \"embedding_dim\": 5}", "Embedding(10, 5)"},
    {"td.embedding", "{\"num_embeddings\": 10, \"embedding_dim\": 5, \"padding_idx\": 0, \"scale_grad_by_freq\": true}", "Embedding(10, 5, padding_idx=0, scale_grad_by_freq=True)"},
    {"td.conv1d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": 3}", "Conv1d(4, 6, kernel_size=(3,), stride=(1,))"},
    {"td.conv1d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": [3], \"stride\": 2, \"padding\": 1, \"dilation\": 2, \"groups\": 2, \"bias\": false, \"padding_mode\": \"reflect\"}", "Conv1d(4, 6, kernel_size=(3,), stride=(2,), padding=(1,), dilation=(2,), groups=2, bias=False, padding_mode=reflect)"},
    {"td.conv_transpose1d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": 3}", "ConvTranspose1d(4, 6, kernel_size=(3,), stride=(1,))"},
    {"td.conv_transpose1d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": 3, \"stride\": 2, \"padding\": 1, \"output_padding\": 1, \"groups\": 2, \"bias\": false, \"dilation\": [2]}", "ConvTranspose1d(4, 6, kernel_size=(3,), stride=(2,), padding=(1,), dilation=(2,), output_padding=(1,), groups=2, bias=False)"},
    {"td.max_pool1d", "{\"kernel_size\": 3}", "MaxPool1d(kernel_size=3, stride=3, padding=0, dilation=1, ceil_mode=False)"},
    {"td.max_pool1d", "{\"kernel_size\": [3], \"stride\": 2, \"padding\": [1], \"ceil_mode\": true}", "MaxPool1d(kernel_size=(3,), stride=2, padding=(1,), dilation=1, ceil_mode=True)"},
    {"td.max_pool1d", "{\"kernel_size\": [3]}", "MaxPool1d(kernel_size=(3,), stride=(3,), padding=0, dilation=1, ceil_mode=False)"},
    {"td.avg_pool1d", "{\"kernel_size\": 3}", "AvgPool1d(kernel_size=(3,), stride=(3,), padding=(0,))"},
    {"td.avg_pool1d", "{\"kernel_size\": [3], \"stride\": 2, \"padding\": [1], \"ceil_mode\": true}", "AvgPool1d(kernel_size=(3,), stride=(2,), padding=(1,))"},
    {"td.avg_pool1d", "{\"kernel_size\": [3]}", "AvgPool1d(kernel_size=(3,), stride=(3,), padding=(0,))"},
    {"td.max_pool1d", "{\"kernel_size\": 3, \"dilation\": 2}", "MaxPool1d(kernel_size=3, stride=3, padding=0, dilation=2, ceil_mode=False)"},
    {"td.adaptive_max_pool1d", "{\"output_size\": 3}", "AdaptiveMaxPool1d(output_size=3)"},
    {"td.adaptive_max_pool1d", "{\"output_size\": [3]}", "AdaptiveMaxPool1d(output_size=(3,))"},
    {"td.adaptive_avg_pool1d", "{\"output_size\": 3}", "AdaptiveAvgPool1d(output_size=3)"},
    {"td.adaptive_avg_pool1d", "{\"output_size\": [3]}", "AdaptiveAvgPool1d(output_size=(3,))"},
    {"td.batch_norm1d", "{\"num_features\": 4}", "BatchNorm1d(4, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)"},
    {"td.batch_norm1d", "{\"num_features\": 4, \"eps\": 0.001, \"momentum\": 0.25, \"affine\": true, \"track_running_stats\": true}", "BatchNorm1d(4, eps=0.001, momentum=0.25, affine=True, bias=True, track_running_stats=True)"},
    {"td.instance_norm1d", "{\"num_features\": 4}", "InstanceNorm1d(4, eps=1e-05, momentum=0.1, affine=False, bias=False, track_running_stats=False)"},
    {"td.instance_norm1d", "{\"num_features\": 4, \"eps\": 0.001, \"momentum\": 0.25, \"affine\": true, \"track_running_stats\": true}", "InstanceNorm1d(4, eps=0.001, momentum=0.25, affine=True, bias=True, track_running_stats=True)"},
    {"td.batch_norm1d", "{\"num_features\": 4, \"eps\": 0.001, \"momentum\": -1.0, \"affine\": false, \"track_running_stats\": false}", "BatchNorm1d(4, eps=0.001, momentum=None, affine=False, bias=False, track_running_stats=False)"},
    {"td.dropout1d", "{}", "Dropout1d(p=0.5, inplace=False)"},
    {"td.dropout1d", "{\"p\": 0.2}", "Dropout1d(p=0.2, inplace=False)"},
    {"td.conv2d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": 3}", "Conv2d(4, 6, kernel_size=(3, 3), stride=(1, 1))"},
    {"td.conv2d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": [3, 3], \"stride\": 2, \"padding\": 1, \"dilation\": 2, \"groups\": 2, \"bias\": false, \"padding_mode\": \"reflect\"}", "Conv2d(4, 6, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1), dilation=(2, 2), groups=2, bias=False, padding_mode=reflect)"},
    {"td.conv_transpose2d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": 3}", "ConvTranspose2d(4, 6, kernel_size=(3, 3), stride=(1, 1))"},
    {"td.conv_transpose2d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": 3, \"stride\": 2, \"padding\": 1, \"output_padding\": 1, \"groups\": 2, \"bias\": false, \"dilation\": [2, 2]}", "ConvTranspose2d(4, 6, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1), dilation=(2, 2), output_padding=(1, 1), groups=2, bias=False)"},
    {"td.max_pool2d", "{\"kernel_size\": 3}", "MaxPool2d(kernel_size=3, stride=3, padding=0, dilation=1, ceil_mode=False)"},
    {"td.max_pool2d", "{\"kernel_size\": [3, 3], \"stride\": 2, \"padding\": [1, 1], \"ceil_mode\": true}", "MaxPool2d(kernel_size=(3, 3), stride=2, padding=(1, 1), dilation=1, ceil_mode=True)"},
    {"td.max_pool2d", "{\"kernel_size\": [3, 3]}", "MaxPool2d(kernel_size=(3, 3), stride=(3, 3), padding=0, dilation=1, ceil_mode=False)"},
    {"td.avg_pool2d", "{\"kernel_size\": 3}", "AvgPool2d(kernel_size=3, stride=3, padding=0)"},
    {"td.avg_pool2d", "{\"kernel_size\": [3, 3], \"stride\": 2, \"padding\": [1, 1], \"ceil_mode\": true}", "AvgPool2d(kernel_size=(3, 3), stride=2, padding=(1, 1))"},
    {"td.avg_pool2d", "{\"kernel_size\": [3, 3]}", "AvgPool2d(kernel_size=(3, 3), stride=(3, 3), padding=0)"},
    {"td.max_pool2d", "{\"kernel_size\": 3, \"dilation\": 2}", "MaxPool2d(kernel_size=3, stride=3, padding=0, dilation=2, ceil_mode=False)"},
    {"td.adaptive_max_pool2d", "{\"output_size\": 3}", "AdaptiveMaxPool2d(output_size=3)"},
    {"td.adaptive_max_pool2d", "{\"output_size\": [3, 3]}", "AdaptiveMaxPool2d(output_size=(3, 3))"},
    {"td.adaptive_avg_pool2d", "{\"output_size\": 3}", "AdaptiveAvgPool2d(output_size=3)"},
    {"td.adaptive_avg_pool2d", "{\"output_size\": [3, 3]}", "AdaptiveAvgPool2d(output_size=(3, 3))"},
    {"td.batch_norm2d", "{\"num_features\": 4}", "BatchNorm2d(4, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)"},
    {"td.batch_norm2d", "{\"num_features\": 4, \"eps\": 0.001, \"momentum\": 0.25, \"affine\": true, \"track_running_stats\": true}", "BatchNorm2d(4, eps=0.001, momentum=0.25, affine=True, bias=True, track_running_stats=True)"},
    {"td.instance_norm2d", "{\"num_features\": 4}", "InstanceNorm2d(4, eps=1e-05, momentum=0.1, affine=False, bias=False, track_running_stats=False)"},
    {"td.instance_norm2d", "{\"num_features\": 4, \"eps\": 0.001, \"momentum\": 0.25, \"affine\": true, \"track_running_stats\": true}", "InstanceNorm2d(4, eps=0.001, momentum=0.25, affine=True, bias=True, track_running_stats=True)"},
    {"td.batch_norm2d", "{\"num_features\": 4, \"eps\": 0.001, \"momentum\": -1.0, \"affine\": false, \"track_running_stats\": false}", "BatchNorm2d(4, eps=0.001, momentum=None, affine=False, bias=False, track_running_stats=False)"},
    {"td.dropout2d", "{}", "Dropout2d(p=0.5, inplace=False)"},
    {"td.dropout2d", "{\"p\": 0.2}", "Dropout2d(p=0.2, inplace=False)"},
    {"td.conv3d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": 3}", "Conv3d(4, 6, kernel_size=(3, 3, 3), stride=(1, 1, 1))"},
    {"td.conv3d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": [3, 3, 3], \"stride\": 2, \"padding\": 1, \"dilation\": 2, \"groups\": 2, \"bias\": false, \"padding_mode\": \"circular\"}", "Conv3d(4, 6, kernel_size=(3, 3, 3), stride=(2, 2, 2), padding=(1, 1, 1), dilation=(2, 2, 2), groups=2, bias=False, padding_mode=circular)"},
    {"td.conv_transpose3d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": 3}", "ConvTranspose3d(4, 6, kernel_size=(3, 3, 3), stride=(1, 1, 1))"},
    {"td.conv_transpose3d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": 3, \"stride\": 2, \"padding\": 1, \"output_padding\": 1, \"groups\": 2, \"bias\": false, \"dilation\": [2, 2, 2]}", "ConvTranspose3d(4, 6, kernel_size=(3, 3, 3), stride=(2, 2, 2), padding=(1, 1, 1), dilation=(2, 2, 2), output_padding=(1, 1, 1), groups=2, bias=False)"},
    {"td.max_pool3d", "{\"kernel_size\": 3}", "MaxPool3d(kernel_size=3, stride=3, padding=0, dilation=1, ceil_mode=False)"},
    {"td.max_pool3d", "{\"kernel_size\": [3, 3, 3], \"stride\": 2, \"padding\": [1, 1, 1], \"ceil_mode\": true}", "MaxPool3d(kernel_size=(3, 3, 3), stride=2, padding=(1, 1, 1), dilation=1, ceil_mode=True)"},
    {"td.max_pool3d", "{\"kernel_size\": [3, 3, 3]}", "MaxPool3d(kernel_size=(3, 3, 3), stride=(3, 3, 3), padding=0, dilation=1, ceil_mode=False)"},
    {"td.avg_pool3d", "{\"kernel_size\": 3}", "AvgPool3d(kernel_size=3, stride=3, padding=0)"},
    {"td.avg_pool3d", "{\"kernel_size\": [3, 3, 3], \"stride\": 2, \"padding\": [1, 1, 1], \"ceil_mode\": true}", "AvgPool3d(kernel_size=(3, 3, 3), stride=2, padding=(1, 1, 1))"},
    {"td.avg_pool3d", "{\"kernel_size\": [3, 3, 3]}", "AvgPool3d(kernel_size=(3, 3, 3), stride=(3, 3, 3), padding=0)"},
    {"td.max_pool3d", "{\"kernel_size\": 3, \"dilation\": 2}", "MaxPool3d(kernel_size=3, stride=3, padding=0, dilation=2, ceil_mode=False)"},
    {"td.adaptive_max_pool3d", "{\"output_size\": 3}", "AdaptiveMaxPool3d(output_size=3)"},
    {"td.adaptive_max_pool3d", "{\"output_size\": [3, 3, 3]}", "AdaptiveMaxPool3d(output_size=(3, 3, 3))"},
    {"td.adaptive_avg_pool3d", "{\"output_size\": 3}", "AdaptiveAvgPool3d(output_size=3)"},
    {"td.adaptive_avg_pool3d", "{\"output_size\": [3, 3, 3]}", "AdaptiveAvgPool3d(output_size=(3, 3, 3))"},
    {"td.batch_norm3d", "{\"num_features\": 4}", "BatchNorm3d(4, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)"},
    {"td.batch_norm3d", "{\"num_features\": 4, \"eps\": 0.001, \"momentum\": 0.25, \"affine\": true, \"track_running_stats\": true}", "BatchNorm3d(4, eps=0.001, momentum=0.25, affine=True, bias=True, track_running_stats=True)"},
    {"td.instance_norm3d", "{\"num_features\": 4}", "InstanceNorm3d(4, eps=1e-05, momentum=0.1, affine=False, bias=False, track_running_stats=False)"},
    {"td.instance_norm3d", "{\"num_features\": 4, \"eps\": 0.001, \"momentum\": 0.25, \"affine\": true, \"track_running_stats\": true}", "InstanceNorm3d(4, eps=0.001, momentum=0.25, affine=True, bias=True, track_running_stats=True)"},
    {"td.batch_norm3d", "{\"num_features\": 4, \"eps\": 0.001, \"momentum\": -1.0, \"affine\": false, \"track_running_stats\": false}", "BatchNorm3d(4, eps=0.001, momentum=None, affine=False, bias=False, track_running_stats=False)"},
    {"td.dropout3d", "{}", "Dropout3d(p=0.5, inplace=False)"},
    {"td.dropout3d", "{\"p\": 0.2}", "Dropout3d(p=0.2, inplace=False)"},
    {"td.conv2d", "{\"in_channels\": 3, \"out_channels\": 6, \"kernel_size\": [3, 2], \"stride\": [2, 1], \"padding\": [1, 0]}", "Conv2d(3, 6, kernel_size=(3, 2), stride=(2, 1), padding=(1, 0))"},
    {"td.max_pool2d", "{\"kernel_size\": [3, 2], \"stride\": [2, 1]}", "MaxPool2d(kernel_size=(3, 2), stride=(2, 1), padding=0, dilation=1, ceil_mode=False)"},
    {"td.conv2d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": [3, 2], \"padding\": \"same\", \"dilation\": [1, 2], \"padding_mode\": \"circular\"}", "Conv2d(4, 6, kernel_size=(3, 2), stride=(1, 1), padding=same, dilation=(1, 2), padding_mode=circular)"},
    {"td.conv1d", "{\"in_channels\": 4, \"out_channels\": 6, \"kernel_size\": 3, \"stride\": 2, \"padding\": \"valid\"}", "Conv1d(4, 6, kernel_size=(3,), stride=(2,), padding=valid)"},
    {"td.layer_norm", "{\"normalized_shape\": 8}", "LayerNorm((8,), eps=1e-05, elementwise_affine=True, bias=True)"},
    {"td.layer_norm", "{\"normalized_shape\": [4, 8], \"bias\": false}", "LayerNorm((4, 8), eps=1e-05, elementwise_affine=True, bias=False)"},
    {"td.layer_norm", "{\"normalized_shape\": [4, 8], \"eps\": 1e-12, \"elementwise_affine\": false}", "LayerNorm((4, 8), eps=1e-12, elementwise_affine=False, bias=False)"},
    {"td.rms_norm", "{\"normalized_shape\": 8}", "RMSNorm((8,), eps=None, elementwise_affine=True)"},
    {"td.rms_norm", "{\"normalized_shape\": [4, 8], \"eps\": 0.01, \"elementwise_affine\": false}", "RMSNorm((4, 8), eps=0.01, elementwise_affine=False)"},
    {"td.group_norm", "{\"num_groups\": 2, \"num_channels\": 4}", "GroupNorm(2, 4, eps=1e-05, affine=True, bias=True)"},
    {"td.group_norm", "{\"num_groups\": 2, \"num_channels\": 4, \"eps\": 1, \"affine\": false}", "GroupNorm(2, 4, eps=1, affine=False, bias=False)"},
    {"td.identity", "{}", "Identity()"},
    {"td.flatten", "{}", "Flatten(start_dim=1, end_dim=-1)"},
    {"td.flatten", "{\"start_dim\": 0, \"end_dim\": -2}", "Flatten(start_dim=0, end_dim=-2)"},
    {"td.unflatten", "{\"sizes\": [2, 3]}", "Unflatten(dim=1, unflattened_size=(2, 3))"},
    {"td.unflatten", "{\"dim\": -1, \"sizes\": [-1]}", "Unflatten(dim=-1, unflattened_size=(-1,))"},
    {"td.dropout", "{}", "Dropout(p=0.5, inplace=False)"},
    {"td.dropout", "{\"p\": 0}", "Dropout(p=0, inplace=False)"},
    {"td.dropout", "{\"p\": 0.30000000000000004}", "Dropout(p=0.30000000000000004, inplace=False)"},
    {"td.alpha_dropout", "{}", "AlphaDropout(p=0.5, inplace=False)"},
    {"td.relu", "{}", "ReLU()"},
    {"td.silu", "{}", "SiLU()"},
    {"td.tanh", "{}", "Tanh()"},
    {"td.sigmoid", "{}", "Sigmoid()"},
    {"td.selu", "{}", "SELU()"},
    {"td.relu6", "{}", "ReLU6()"},
    {"td.hardswish", "{}", "Hardswish()"},
    {"td.hardsigmoid", "{}", "Hardsigmoid()"},
    {"td.log_sigmoid", "{}", "LogSigmoid()"},
    {"td.mish", "{}", "Mish()"},
    {"td.tanhshrink", "{}", "Tanhshrink()"},
    {"td.softsign", "{}", "Softsign()"},
    {"td.gelu", "{}", "GELU(approximate='none')"},
    {"td.elu", "{}", "ELU(alpha=1.0)"},
    {"td.celu", "{}", "CELU(alpha=1.0)"},
    {"td.leaky_relu", "{}", "LeakyReLU(negative_slope=0.01)"},
    {"td.softplus", "{}", "Softplus(beta=1.0, threshold=20.0)"},
    {"td.hardtanh", "{}", "Hardtanh(min_val=-1.0, max_val=1.0)"},
    {"td.softshrink", "{}", "Softshrink(0.5)"},
    {"td.hardshrink", "{}", "Hardshrink(0.5)"},
    {"td.glu", "{}", "GLU(dim=-1)"},
    {"td.prelu", "{}", "PReLU(num_parameters=1)"},
    {"td.gelu", "{\"approximate\": \"tanh\"}", "GELU(approximate='tanh')"},
    {"td.elu", "{\"alpha\": 0.5}", "ELU(alpha=0.5)"},
    {"td.celu", "{\"alpha\": 0.5}", "CELU(alpha=0.5)"},
    {"td.elu", "{\"alpha\": 2}", "ELU(alpha=2)"},
    {"td.leaky_relu", "{\"negative_slope\": 1e-05}", "LeakyReLU(negative_slope=1e-05)"},
    {"td.leaky_relu", "{\"negative_slope\": 1e+17}", "LeakyReLU(negative_slope=1e+17)"},
    {"td.leaky_relu", "{\"negative_slope\": 123456789.125}", "LeakyReLU(negative_slope=123456789.125)"},
    {"td.softplus", "{\"beta\": 2.5, \"threshold\": 10}", "Softplus(beta=2.5, threshold=10)"},
    {"td.threshold", "{\"threshold\": 0.1, \"value\": 20.0}", "Threshold(threshold=0.1, value=20.0)"},
    {"td.threshold", "{\"threshold\": -1, \"value\": -2.5}", "Threshold(threshold=-1, value=-2.5)"},
    {"td.hardtanh", "{\"min_val\": -2.0, \"max_val\": 1.5}", "Hardtanh(min_val=-2.0, max_val=1.5)"},
    {"td.softshrink", "{\"lambd\": 1.0}", "Softshrink(1.0)"},
    {"td.hardshrink", "{\"lambd\": 2}", "Hardshrink(2)"},
    {"td.softmax", "{}", "Softmax(dim=-1)"},
    {"td.softmax", "{\"dim\": 0}", "Softmax(dim=0)"},
    {"td.softmin", "{\"dim\": 1}", "Softmin(dim=1)"},
    {"td.log_softmax", "{\"dim\": 1}", "LogSoftmax(dim=1)"},
    {"td.glu", "{\"dim\": 0}", "GLU(dim=0)"},
    {"td.prelu", "{\"num_parameters\": 6, \"init\": 0.1}", "PReLU(num_parameters=6)"},
    {"td.lstm", "{\"input_size\": 3, \"hidden_size\": 4}", "LSTM(3, 4)"},
    {"td.lstm", "{\"input_size\": 3, \"hidden_size\": 4, \"num_layers\": 2, \"bias\": false, \"batch_first\": true, \"dropout\": 0.1, \"bidirectional\": true}", "LSTM(3, 4, num_layers=2, bias=False, batch_first=True, dropout=0.1, bidirectional=True)"},
    {"td.gru", "{\"input_size\": 3, \"hidden_size\": 4}", "GRU(3, 4)"},
    {"td.gru", "{\"input_size\": 3, \"hidden_size\": 4, \"num_layers\": 2, \"bias\": false, \"batch_first\": true, \"dropout\": 0.1, \"bidirectional\": true}", "GRU(3, 4, num_layers=2, bias=False, batch_first=True, dropout=0.1, bidirectional=True)"},
    {"td.rnn", "{\"input_size\": 3, \"hidden_size\": 4}", "RNN(3, 4)"},
    {"td.rnn", "{\"input_size\": 3, \"hidden_size\": 4, \"num_layers\": 2, \"bias\": false, \"batch_first\": true, \"dropout\": 0.1, \"bidirectional\": true}", "RNN(3, 4, num_layers=2, bias=False, batch_first=True, dropout=0.1, bidirectional=True)"},
    {"td.lstm", "{\"input_size\": 3, \"hidden_size\": 4, \"proj_size\": 2}", "LSTM(3, 4, proj_size=2)"},
    {"td.rnn", "{\"input_size\": 3, \"hidden_size\": 4, \"nonlinearity\": \"relu\"}", "RNN(3, 4)"},
    {"td.multihead_attention", "{\"embed_dim\": 8, \"num_heads\": 2}", "MultiheadAttention(\n  (out_proj): NonDynamicallyQuantizableLinear(in_features=8, out_features=8, bias=True)\n)"},
    {"td.multihead_attention", "{\"embed_dim\": 8, \"num_heads\": 2, \"bias\": false, \"kdim\": 3}", "MultiheadAttention(\n  (out_proj): NonDynamicallyQuantizableLinear(in_features=8, out_features=8, bias=False)\n)"},
    {"td.transformer_encoder_layer", "{\"d_model\": 8, \"nhead\": 2, \"dim_feedforward\": 16}", "TransformerEncoderLayer(\n  (self_attn): MultiheadAttention(\n    (out_proj): NonDynamicallyQuantizableLinear(in_features=8, out_features=8, bias=True)\n  )\n  (linear1): Linear(in_features=8, out_features=16, bias=True)\n  (dropout): Dropout(p=0.1, inplace=False)\n  (linear2): Linear(in_features=16, out_features=8, bias=True)\n  (norm1): LayerNorm((8,), eps=1e-05, elementwise_affine=True, bias=True)\n  (norm2): LayerNorm((8,), eps=1e-05, elementwise_affine=True, bias=True)\n  (dropout1): Dropout(p=0.1, inplace=False)\n  (dropout2): Dropout(p=0.1, inplace=False)\n)"},
    {"td.transformer_encoder_layer", "{\"d_model\": 8, \"nhead\": 2, \"dim_feedforward\": 16, \"dropout\": 0, \"activation\": \"gelu\", \"layer_norm_eps\": 1e-06, \"bias\": false}", "TransformerEncoderLayer(\n  (self_attn): MultiheadAttention(\n    (out_proj): NonDynamicallyQuantizableLinear(in_features=8, out_features=8, bias=False)\n  )\n  (linear1): Linear(in_features=8, out_features=16, bias=False)\n  (dropout): Dropout(p=0, inplace=False)\n  (linear2): Linear(in_features=16, out_features=8, bias=False)\n  (norm1): LayerNorm((8,), eps=1e-06, elementwise_affine=True, bias=False)\n  (norm2): LayerNorm((8,), eps=1e-06, elementwise_affine=True, bias=False)\n  (dropout1): Dropout(p=0, inplace=False)\n  (dropout2): Dropout(p=0, inplace=False)\n)"},
    {"td.normal_param_extractor", "{\"scale_mapping\": \"exp\", \"scale_lb\": 0.1}", "NormalParamExtractor()"},
    {"td.normal_param_extractor", "{}", "NormalParamExtractor(\n  (scale_mapping): biased_softplus()\n)"},
    {"td.add_state_independent_normal_scale", "{\"scale_shape\": 4}", "AddStateIndependentNormalScale()"},
    {"td.mlp", "{\"in_features\": 4, \"hidden\": [8], \"out_features\": 2}", "MLP(\n  (0): Linear(in_features=4, out_features=8, bias=True)\n  (1): ReLU()\n  (2): Linear(in_features=8, out_features=2, bias=True)\n)"},
    {"td.mlp", "{\"in_features\": 4, \"hidden\": [], \"out_features\": 2}", "MLP(\n  (0): Linear(in_features=4, out_features=2, bias=True)\n)"},
    {"td.mlp", "{\"in_features\": 4, \"hidden\": [8], \"out_features\": 2, \"activation\": \"gelu\", \"norm\": \"layer_norm\", \"dropout\": 0.2, \"bias_last_layer\": false}", "MLP(\n  (0): Linear(in_features=4, out_features=8, bias=True)\n  (1): Dropout(p=0.2, inplace=False)\n  (2): LayerNorm((8,), eps=1e-05, elementwise_affine=True, bias=True)\n  (3): GELU(approximate='none')\n  (4): Linear(in_features=8, out_features=2, bias=False)\n)"},
    {"td.mlp", "{\"in_features\": 4, \"depth\": 1, \"num_cells\": 8, \"out_features\": 2, \"activation\": \"softplus\", \"norm\": \"batch_norm\", \"activate_last_layer\": true}", "MLP(\n  (0): Linear(in_features=4, out_features=8, bias=True)\n  (1): BatchNorm1d(8, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)\n  (2): Softplus(beta=1.0, threshold=20.0)\n  (3): Linear(in_features=8, out_features=2, bias=True)\n  (4): BatchNorm1d(2, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)\n  (5): Softplus(beta=1.0, threshold=20.0)\n)"},
    {"td.mlp", "{\"in_features\": 4, \"depth\": 0, \"out_features\": 3, \"activation\": \"tanh\", \"activate_last_layer\": true}", "MLP(\n  (0): Linear(in_features=4, out_features=3, bias=True)\n  (1): Tanh()\n)"},
    {"td.mlp", "{\"in_features\": 4, \"depth\": 0, \"out_features\": 3, \"activation\": \"sigmoid\", \"activate_last_layer\": true}", "MLP(\n  (0): Linear(in_features=4, out_features=3, bias=True)\n  (1): Sigmoid()\n)"},
    {"td.mlp", "{\"in_features\": 4, \"depth\": 0, \"out_features\": 3, \"activation\": \"silu\", \"activate_last_layer\": true}", "MLP(\n  (0): Linear(in_features=4, out_features=3, bias=True)\n  (1): SiLU()\n)"},
    {"td.mlp", "{\"in_features\": 4, \"depth\": 0, \"out_features\": 3, \"activation\": \"elu\", \"activate_last_layer\": true}", "MLP(\n  (0): Linear(in_features=4, out_features=3, bias=True)\n  (1): ELU(alpha=1.0)\n)"},
    {"td.mlp", "{\"in_features\": 4, \"depth\": 0, \"out_features\": 3, \"activation\": \"leaky_relu\", \"activate_last_layer\": true}", "MLP(\n  (0): Linear(in_features=4, out_features=3, bias=True)\n  (1): LeakyReLU(negative_slope=0.01)\n)"},
    {"td.mlp", "{\"in_features\": 4, \"depth\": 0, \"out_features\": 3, \"activation\": \"mish\", \"activate_last_layer\": true}", "MLP(\n  (0): Linear(in_features=4, out_features=3, bias=True)\n  (1): Mish()\n)"},
    /* clang-format on */
};

Test(module_repr, bundled_types_print_as_torch_nn_does) {
  for (size_t i = 0; i < sizeof bundled / sizeof *bundled; ++i)
    prints(bundled[i].type, bundled[i].config, bundled[i].expected);
}

Test(module_repr, other_types_print_what_they_say_or_their_config) {
  prints("test.scale", "{}", "test.scale()");
  prints("test.scale", "{\"shift\": 2}", "test.scale(shift=2)");
  prints("test.noise", "{}", "test.noise(\n  (a): X(\n    (b): Y()\n  )\n  (c): Z()\n)");

  td_module *layers[] = {module("td.dropout", "{\"p\": 0.25}", 0), module("test.noise", "{}", 0)}, *net;
  td_string *shown;
  must(td_module_chain(layers, 2, NULL, &net, &err));
  must(td_module_repr(net, &shown, &err));
  cr_assert_str_eq(
      td_string_view(shown).data,
      "Sequential(\n  (0): Dropout(p=0.25, inplace=False)\n  (1): test.noise(\n    (a): X(\n      (b): Y()\n"
      "    )\n    (c): Z()\n  )\n)");
  td_string_release(shown);
  td_module_release(net), td_module_release(layers[0]), td_module_release(layers[1]);
}

Test(module_repr, what_a_type_says_wrongly_is_an_error_that_names_it) {
  static const char *const configs[] = {"{\"how\": \"text\"}", "{\"how\": \"throw\"}"};
  for (int i = 0; i < 2; ++i) {
    td_module *m = module("test.broken", configs[i], 0);
    td_string *shown = NULL;
    expect_error(td_module_repr(m, &shown, &err), TD_ERR_PLUGIN, NULL, "test.broken");
    cr_assert_null(shown);
    td_module_release(m);
  }
}
