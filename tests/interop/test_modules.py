"""The bundled module types beside torch.nn: the same names, shapes and first numbers of parameters, the same outputs and
gradients for a state that Python saved.

The library runs in programs/module_peer.c, never in this process: two LibTorch cannot live in one.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import torch
    from tensordict import TensorDict
    from tensordict.nn import AddStateIndependentNormalScale, NormalParamExtractor
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict`")
    sys.exit(0)

from torch import nn

PEER = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", "build/tests/programs"), "module_peer")


def f(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)))


def case(id, made, *inputs, outputs=1, training=False, seeded=True, **config):
    return {"type": id, "made": made, "inputs": inputs, "outputs": outputs, "training": training, "seeded": seeded, "config": config}


image = f(2, 4, 8, 9)
CONV = [
    case("td.conv1d", lambda: nn.Conv1d(4, 6, 3), f(2, 4, 10), in_channels=4, out_channels=6, kernel_size=3),
    case(
        "td.conv2d", lambda: nn.Conv2d(4, 6, (3, 2), (2, 1), (1, 0), 1, 2), image,
        in_channels=4, out_channels=6, kernel_size=[3, 2], stride=[2, 1], padding=[1, 0], groups=2,
    ),
    case(
        "td.conv2d", lambda: nn.Conv2d(4, 6, 3, padding=2, dilation=2, bias=False), image,
        in_channels=4, out_channels=6, kernel_size=3, padding=2, dilation=2, bias=False,
    ),
    *(
        case(
            "td.conv2d", lambda mode=mode: nn.Conv2d(4, 6, 3, padding=(1, 2), padding_mode=mode), image,
            in_channels=4, out_channels=6, kernel_size=3, padding=[1, 2], padding_mode=mode,
        )
        for mode in ("reflect", "replicate", "circular")
    ),
    *(
        case(
            "td.conv2d", lambda mode=mode, kernel=kernel, word=word: nn.Conv2d(4, 6, kernel, padding=word, dilation=(1, 2), padding_mode=mode), image,
            in_channels=4, out_channels=6, kernel_size=kernel, padding=word, dilation=[1, 2], padding_mode=mode,
        )
        for mode, kernel, word in (
            ("zeros", [3, 3], "same"), ("zeros", [2, 4], "same"), ("circular", [2, 3], "same"), ("reflect", [4, 2], "same"), ("zeros", [2, 3], "valid"), ("reflect", [3, 2], "valid"),
        )
    ),
    case("td.conv3d", lambda: nn.Conv3d(2, 3, 2), f(1, 2, 4, 5, 3), in_channels=2, out_channels=3, kernel_size=2),
    case("td.conv_transpose1d", lambda: nn.ConvTranspose1d(4, 6, 3), f(2, 4, 5), in_channels=4, out_channels=6, kernel_size=3),
    case(
        "td.conv_transpose2d", lambda: nn.ConvTranspose2d(4, 6, 3, 2, 1, 1, groups=2), image,
        in_channels=4, out_channels=6, kernel_size=3, stride=2, padding=1, output_padding=1, groups=2,
    ),
    case("td.conv_transpose3d", lambda: nn.ConvTranspose3d(2, 3, 2), f(1, 2, 3, 3, 3), in_channels=2, out_channels=3, kernel_size=2),
]  # fmt: skip
POOL = [
    case("td.max_pool1d", lambda: nn.MaxPool1d(3), f(2, 3, 10), kernel_size=3),
    case("td.max_pool2d", lambda: nn.MaxPool2d((3, 2), 2, (1, 0), ceil_mode=True), image, kernel_size=[3, 2], stride=2, padding=[1, 0], ceil_mode=True),
    case("td.max_pool2d", lambda: nn.MaxPool2d(2, return_indices=True), image, outputs=2, kernel_size=2),
    case("td.max_pool3d", lambda: nn.MaxPool3d(2), f(1, 2, 4, 4, 4), kernel_size=2),
    case("td.avg_pool1d", lambda: nn.AvgPool1d(3, 2), f(2, 3, 10), kernel_size=3, stride=2),
    case("td.avg_pool2d", lambda: nn.AvgPool2d(3, padding=1, count_include_pad=False), image, kernel_size=3, padding=1, count_include_pad=False),
    case("td.avg_pool3d", lambda: nn.AvgPool3d(2), f(1, 2, 4, 4, 4), kernel_size=2),
    case("td.adaptive_avg_pool1d", lambda: nn.AdaptiveAvgPool1d(3), f(2, 3, 10), output_size=3),
    case("td.adaptive_avg_pool2d", lambda: nn.AdaptiveAvgPool2d((3, 2)), image, output_size=[3, 2]),
    case("td.adaptive_avg_pool3d", lambda: nn.AdaptiveAvgPool3d(1), f(1, 2, 4, 4, 4), output_size=1),
    case("td.adaptive_max_pool1d", lambda: nn.AdaptiveMaxPool1d(3), f(2, 3, 10), output_size=3),
    case("td.adaptive_max_pool2d", lambda: nn.AdaptiveMaxPool2d(2, return_indices=True), image, outputs=2, output_size=2),
    case("td.adaptive_max_pool3d", lambda: nn.AdaptiveMaxPool3d(2), f(1, 2, 4, 4, 4), output_size=2),
]  # fmt: skip
NORM = [
    *(
        case(f"td.{kind}_norm{dims}d", lambda made=made: made(4), x, training=training, num_features=4)
        for kind, dims, made, x in (
            ("batch", 1, nn.BatchNorm1d, f(5, 4)), ("batch", 1, nn.BatchNorm1d, f(5, 4, 3)), ("batch", 2, nn.BatchNorm2d, image),
            ("batch", 3, nn.BatchNorm3d, f(2, 4, 3, 2, 2)), ("instance", 1, nn.InstanceNorm1d, f(5, 4, 3)),
            ("instance", 2, nn.InstanceNorm2d, image), ("instance", 3, nn.InstanceNorm3d, f(2, 4, 3, 2, 2)),
        )
        for training in (False, True)
    ),
    case(
        "td.batch_norm2d", lambda: nn.BatchNorm2d(4, 1e-3, None, False), image, training=True,
        num_features=4, eps=1e-3, momentum=-1.0, affine=False,
    ),
    case(
        "td.instance_norm2d", lambda: nn.InstanceNorm2d(4, affine=True, track_running_stats=True), image, training=True,
        num_features=4, affine=True, track_running_stats=True,
    ),
    case("td.layer_norm", lambda: nn.LayerNorm([4, 3]), f(5, 4, 3), normalized_shape=[4, 3]),
    case("td.layer_norm", lambda: nn.LayerNorm(3, bias=False), f(5, 4, 3), normalized_shape=3, bias=False),
    case("td.group_norm", lambda: nn.GroupNorm(2, 4), image, num_groups=2, num_channels=4),
    case("td.rms_norm", lambda: nn.RMSNorm([4, 3]), f(5, 4, 3), normalized_shape=[4, 3]),
    case("td.rms_norm", lambda: nn.RMSNorm(3, eps=1e-2), f(5, 3), normalized_shape=3, eps=1e-2),
]  # fmt: skip
ids = torch.tensor([[0, 3, 2], [1, 1, 9]])
OTHER = [
    case("td.embedding", lambda: nn.Embedding(10, 5, padding_idx=3), ids, num_embeddings=10, embedding_dim=5, padding_idx=3),
    case("td.bilinear", lambda: nn.Bilinear(3, 4, 5), f(2, 3), f(2, 4), in1_features=3, in2_features=4, out_features=5),
    case("td.linear", lambda: nn.Linear(3, 4), f(2, 3), in_features=3, out_features=4),
    case("td.identity", nn.Identity, f(2, 3)),
    case("td.flatten", nn.Flatten, f(2, 3, 4)),
    case("td.flatten", lambda: nn.Flatten(0, 1), f(2, 3, 4), start_dim=0, end_dim=1),
    case("td.unflatten", lambda: nn.Unflatten(1, (2, 3)), f(2, 6), sizes=[2, 3]),
    case("td.unflatten", lambda: nn.Unflatten(-1, (-1, 2)), f(2, 6), dim=-1, sizes=[-1, 2]),
    *(
        case(f"td.{name}", lambda made=made: made(0.5), f(2, 3, 4, 5))
        for name, made in (("dropout", nn.Dropout), ("dropout2d", nn.Dropout2d), ("alpha_dropout", nn.AlphaDropout))
    ),
    case("td.normal_param_extractor", NormalParamExtractor, f(3, 8), outputs=2),
    case("td.normal_param_extractor", lambda: NormalParamExtractor("biased_softplus_2.0_0.1", 0.3), f(3, 5), f(2), outputs=3, scale_mapping="biased_softplus_2.0_0.1", scale_lb=0.3),
    *(
        case("td.normal_param_extractor", lambda m=m: NormalParamExtractor(m), f(3, 8), outputs=2, scale_mapping=m)
        for m in ("softplus", "exp", "relu", "expln", "none")
    ),
    case("td.add_state_independent_normal_scale", lambda: AddStateIndependentNormalScale(4), f(2, 4), outputs=2, scale_shape=4),
    case("td.add_state_independent_normal_scale", lambda: AddStateIndependentNormalScale((3, 4), make_param=False, init_value=0.5), f(2, 3, 4), outputs=2, scale_shape=[3, 4], make_param=False, init_value=0.5),
]  # fmt: skip
ACTIVATIONS = [
    case(f"td.{name}", lambda made=made, config=config: made(**config), f(4, 6) * 3, **config)
    for name, made, config in (
        ("relu", nn.ReLU, {}), ("gelu", nn.GELU, {}), ("gelu", nn.GELU, {"approximate": "tanh"}), ("silu", nn.SiLU, {}), ("tanh", nn.Tanh, {}),
        ("sigmoid", nn.Sigmoid, {}), ("elu", nn.ELU, {"alpha": 0.5}), ("celu", nn.CELU, {"alpha": 0.5}), ("selu", nn.SELU, {}),
        ("leaky_relu", nn.LeakyReLU, {"negative_slope": 0.2}), ("softplus", nn.Softplus, {"beta": 2.0, "threshold": 3.0}),
        ("softmax", nn.Softmax, {"dim": 0}), ("softmin", nn.Softmin, {"dim": -1}), ("log_softmax", nn.LogSoftmax, {"dim": 1}),
        ("hardtanh", nn.Hardtanh, {"min_val": -2.0, "max_val": 1.5}), ("relu6", nn.ReLU6, {}), ("hardswish", nn.Hardswish, {}),
        ("hardsigmoid", nn.Hardsigmoid, {}), ("log_sigmoid", nn.LogSigmoid, {}), ("mish", nn.Mish, {}), ("softshrink", nn.Softshrink, {"lambd": 0.7}),
        ("hardshrink", nn.Hardshrink, {"lambd": 0.7}), ("tanhshrink", nn.Tanhshrink, {}), ("softsign", nn.Softsign, {}),
        ("threshold", nn.Threshold, {"threshold": 0.1, "value": 20.0}), ("glu", nn.GLU, {"dim": 0}), ("prelu", nn.PReLU, {"num_parameters": 6}),
    )
]  # fmt: skip
mask = torch.tensor([[False, False, True], [False, True, True]])
RECURRENT = [
    case("td.lstm", lambda: nn.LSTM(3, 4), f(5, 2, 3), outputs=3, input_size=3, hidden_size=4),
    case("td.lstm", lambda: nn.LSTM(3, 4), f(5, 3), outputs=3, input_size=3, hidden_size=4),
    case(
        "td.lstm", lambda: nn.LSTM(3, 4, 2, False, True, 0.0, True, 2), f(2, 5, 3), f(4, 2, 2), f(4, 2, 4), outputs=3,
        input_size=3, hidden_size=4, num_layers=2, bias=False, batch_first=True, bidirectional=True, proj_size=2,
    ),
    case("td.gru", lambda: nn.GRU(3, 4, 2, bidirectional=True), f(5, 2, 3), outputs=2, input_size=3, hidden_size=4, num_layers=2, bidirectional=True),
    case("td.gru", lambda: nn.GRU(3, 4, batch_first=True), f(5, 3), f(1, 4), outputs=2, input_size=3, hidden_size=4, batch_first=True),
    case("td.rnn", lambda: nn.RNN(3, 4), f(5, 2, 3), input_size=3, hidden_size=4),
    case("td.rnn", lambda: nn.RNN(3, 4, nonlinearity="relu"), f(5, 2, 3), f(1, 2, 4), outputs=2, input_size=3, hidden_size=4, nonlinearity="relu"),
    case("td.multihead_attention", lambda: nn.MultiheadAttention(8, 2), f(3, 2, 8), f(3, 2, 8) + 1, f(3, 2, 8) * 2, outputs=2, embed_dim=8, num_heads=2),
    case(
        "td.multihead_attention", lambda: nn.MultiheadAttention(8, 4, bias=False, kdim=5, vdim=6, batch_first=True),
        f(2, 4, 8), f(2, 3, 5), f(2, 3, 6), mask, outputs=2, embed_dim=8, num_heads=4, bias=False, kdim=5, vdim=6, batch_first=True,
    ),
    case(
        "td.multihead_attention", lambda: nn.MultiheadAttention(8, 2, batch_first=True), f(2, 3, 8), f(2, 3, 8), f(2, 3, 8),
        mask.float() * -9, f(4, 3, 3), embed_dim=8, num_heads=2, batch_first=True,
    ),
    case("td.multihead_attention", lambda: nn.MultiheadAttention(8, 2), f(3, 8), f(4, 8), f(4, 8), outputs=2, embed_dim=8, num_heads=2),
    *(
        case(
            "td.multihead_attention",
            lambda bias=bias, kv=kv, zero=zero: nn.MultiheadAttention(8, 2, bias=bias, add_bias_kv=kv, add_zero_attn=zero, batch_first=True),
            f(2, 3, 8), f(2, 3, 8) + 1, f(2, 3, 8) * 2, *masks, outputs=2,
            embed_dim=8, num_heads=2, bias=bias, add_bias_kv=kv, add_zero_attn=zero, batch_first=True,
        )
        for bias, kv, zero, masks in (
            (True, True, False, ()), (False, False, True, (mask,)), (True, True, True, (mask.float() * -9, f(3, 3))),
        )
    ),
    case("td.transformer_encoder_layer", lambda: nn.TransformerEncoderLayer(8, 2, 16), f(3, 2, 8), d_model=8, nhead=2, dim_feedforward=16),
    case(
        "td.transformer_encoder_layer", lambda: nn.TransformerEncoderLayer(8, 2, 16, 0.0, "gelu", batch_first=True, norm_first=True, bias=False),
        f(2, 3, 8), mask, d_model=8, nhead=2, dim_feedforward=16, dropout=0.0, activation="gelu", batch_first=True, norm_first=True, bias=False,
    ),
]  # fmt: skip
MLP = [
    case(
        "td.mlp", lambda: nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 2)), f(5, 4),
        in_features=4, hidden=[8, 6], out_features=2,
    ),
    case(
        "td.mlp", lambda: nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Tanh(), nn.Linear(8, 2, bias=False)), f(5, 4),
        in_features=4, depth=1, num_cells=8, out_features=2, activation="tanh", norm="layer_norm", bias_last_layer=False,
    ),
    *(
        case(
            "td.mlp", lambda: nn.Sequential(
                nn.Linear(4, 8), nn.BatchNorm1d(8), nn.SiLU(), nn.Linear(8, 2), nn.BatchNorm1d(2), nn.SiLU()
            ), f(5, 4), training=training,
            in_features=4, hidden=[8], out_features=2, activation="silu", norm="batch_norm", activate_last_layer=True,
        )
        for training in (True, False)
    ),
    case(
        "td.mlp", lambda: nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.ELU(), nn.Linear(8, 2)), f(5, 4),
        in_features=4, hidden=[8], out_features=2, activation="elu", dropout=0.2,
    ),
]  # fmt: skip


class Scripted(nn.Module):
    """A module that has no bundled type: control flow, a convolution, a recurrent cell, several outputs."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 3, 3)
        self.norm = nn.BatchNorm2d(3)
        self.cell = nn.LSTMCell(3, 5)

    def forward(self, image):
        x = self.norm(self.conv(image)).flatten(2)
        h, c = torch.zeros(x.shape[0], 5), torch.zeros(x.shape[0], 5)
        for i in range(x.shape[2]):
            h, c = self.cell(x[:, :, i], (h, c))
        return h if h.sum() < 1e6 else c, {"c": c}


def traced():
    return torch.jit.trace(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)), f(5, 4))


TORCHSCRIPT = [
    case("td.torchscript", lambda: torch.jit.script(Scripted()), image, outputs=2, training=True),
    case("td.torchscript", lambda: torch.jit.script(Scripted()), image, outputs=2),
    case("td.torchscript", lambda: torch.jit.script(nn.Sequential(nn.Embedding(10, 5), nn.LayerNorm(5), nn.ELU())), ids),
    case("td.torchscript", traced, f(3, 4)),
    case("td.torchscript", lambda: torch.jit.freeze(torch.jit.script(nn.Linear(4, 3)).eval()), f(3, 4)),
]  # fmt: skip


# Older ones leave the bias of norms out.
PRINTS_AS_WE_DO = "bias=" in str(nn.GroupNorm(1, 1))


def nested(tensors):
    return TensorDict(tensors, []).unflatten_keys(".") if tensors else TensorDict({}, [])


class Modules(unittest.TestCase):
    def same(self, ours, theirs, what, atol=1e-6):
        keys = set(ours.keys(True, True)), set(theirs.keys(True, True))
        self.assertEqual(*keys, what)
        for key in keys[0]:
            a, b = ours.get(key), theirs.get(key)
            self.assertEqual((a.shape, a.dtype), (b.shape, b.dtype), (what, key))
            torch.testing.assert_close(a, b, rtol=1e-5, atol=atol, equal_nan=True, msg=lambda m: f"{what} {key}: {m}")

    def run_case(self, case, directory):
        torch.manual_seed(7)
        module = case["made"]()
        first = nested({k: v.clone() for k, v in module.state_dict().items()})
        config = case["config"]
        if case["type"] == "td.torchscript":
            config = {"file": str(directory / "module.pt")}
            torch.jit.save(module, config["file"])
        torch.manual_seed(1)
        with torch.no_grad():  # other numbers than those it starts with
            for p in module.parameters():
                p.copy_(torch.randn_like(p) / 2)
        module.train(case["training"])
        nested({k: v.clone() for k, v in module.state_dict().items()}).memmap(directory / "state")
        inputs = case["inputs"]
        TensorDict({str(i): x for i, x in enumerate(inputs)}, []).memmap(directory / "inputs")
        if case["type"] == "td.lstm" and len(inputs) == 3:
            y = module(inputs[0], tuple(inputs[1:]))
        elif case["type"] == "td.multihead_attention":
            masks = dict(zip(("key_padding_mask", "attn_mask"), inputs[3:]))
            y = module(*inputs[:3], **masks)
        elif case["type"] == "td.transformer_encoder_layer":
            y = module(inputs[0], src_key_padding_mask=inputs[1] if len(inputs) > 1 else None)
        else:
            y = module(*inputs)
        parts = lambda x: x.values() if isinstance(x, dict) else x
        flat = lambda x: [z for part in parts(x) for z in flat(part)] if isinstance(x, (tuple, dict)) else [x]
        ys = flat(y)[: case["outputs"]]
        if ys[0].requires_grad:
            (ys[0].flatten() * (torch.arange(ys[0].numel()) % 7)).sum().backward()
        fields = case["type"], json.dumps(config), directory, case["outputs"], int(case["training"])
        self.peer.stdin.write("\t".join(map(str, fields)) + "\n")
        self.peer.stdin.flush()
        if self.peer.stdout.readline() != "done\n":
            self.fail(self.peer.stderr.read())
        load = lambda name: TensorDict.load_memmap(directory / name)
        self.same(load("initial"), first, "initial state")
        if case["type"] != "td.torchscript" and PRINTS_AS_WE_DO:
            shown = str(module)
            if case["type"] == "td.mlp":
                shown = shown.replace("Sequential(", "MLP(", 1)
            self.assertEqual((directory / "repr").read_text(), shown)
        self.same(load("outputs"), TensorDict({str(i): z.detach() for i, z in enumerate(ys)}, []), "outputs")
        self.same(load("after"), nested({k: v.detach() for k, v in module.state_dict().items()}), "state after")
        grads = {name: p.grad for name, p in module.named_parameters() if p.grad is not None}
        if grads:
            self.same(load("grads"), nested(grads), "gradients", 2e-5)

    def run_cases(self, cases):
        pipe = subprocess.PIPE
        self.peer = subprocess.Popen([PEER], stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.addCleanup(self.peer.communicate)
        for i, case in enumerate(cases):
            with self.subTest(f"{i} {case['type']} {case['config']}"), tempfile.TemporaryDirectory() as directory:
                self.run_case(case, pathlib.Path(directory))

    def test_torchscript(self):
        self.run_cases(TORCHSCRIPT)

    def test_convolutions(self):
        self.run_cases(CONV)

    def test_pools(self):
        self.run_cases(POOL)

    def test_norms(self):
        self.run_cases(NORM)

    def test_activations(self):
        self.run_cases(ACTIVATIONS)

    def test_recurrent_and_attention(self):
        self.run_cases(RECURRENT)

    def test_perceptrons(self):
        self.run_cases(MLP)

    def test_other(self):
        self.run_cases(OTHER)


if __name__ == "__main__":
    unittest.main()
