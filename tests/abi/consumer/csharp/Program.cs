using System;
using LibTensorDict;

using var td = new TensorDict(32);
using Tensor ones = Tensor.Ones(32);
td["a"] = ones;
using TensorDict sum = td + 1;
using Tensor a = sum["a"];
bool works = a.AsSpan<float>()[0] == 2;
Console.WriteLine($"{Library.Version}, in C#: {(works ? "works" : "fails")}");
return works ? 0 : 1;
