#include "core/text/tensor_repr.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <c10/core/DefaultDtype.h>
#include <torch/csrc/autograd/function.h>

#include "core/error.h"
#include "core/tensor/autograd.h"
#include "core/tensor/device_name.h"
#include "core/tensor/ops.h"
#include "core/text/repr.h"
#include "core/text/tensor_numbers.h"

namespace td {

namespace {

// The defaults of torch.set_printoptions.
constexpr int64_t edge = 3, longest_whole = 1000;
constexpr size_t line_width = 80;

std::string tuple_text(at::IntArrayRef dims) {
  std::string text;
  for (int64_t size : dims) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "(" + text + (dims.size() == 1 ? ",)" : ")");
}

// The elements that are shown: of a tensor with many, the first and the last few along each dim.
class Contents {
 public:
  explicit Contents(at::Tensor t) : cut_(static_cast<size_t>(t.dim())) {
    if (t.numel() > longest_whole) {
      std::vector<int64_t> order(cut_.size());
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return t.size(a) > t.size(b); });
      for (int64_t dim : order) {
        if (t.size(dim) <= 2 * edge) continue;
        cut_[static_cast<size_t>(dim)] = true;
        t = at::cat({t.narrow(dim, 0, edge), t.narrow(dim, t.size(dim) - edge, edge)}, dim);
      }
    }
    sizes_ = t.sizes().vec();
    if (t.is_complex()) {
      at::Tensor parts = at::view_as_real(t.to(at::kComplexDouble).resolve_conj().resolve_neg());
      real_.emplace(parts.select(-1, 0));
      imaginary_.emplace(parts.select(-1, 1));
    } else {
      real_.emplace(t);
    }
  }

  std::string text(size_t indent) const { return sizes_.empty() ? element(0) : text(0, 0, indent); }

 private:
  std::string element(int64_t i) const {
    if (!imaginary_) return real_->at(i);
    std::string second = imaginary_->at(i) + "j";
    second.erase(0, second.find_first_not_of(' '));
    return real_->at(i) + (second[0] == '-' || second[0] == '+' ? "" : "+") + second;
  }

  // What stands under `dim` from the element `first` on.
  std::string text(size_t dim, int64_t first, size_t indent) const {
    if (dim + 1 == sizes_.size()) return row(first, indent);
    const int64_t step = std::accumulate(sizes_.begin() + static_cast<std::ptrdiff_t>(dim) + 1, sizes_.end(),
                                         int64_t{1}, std::multiplies<>());
    const std::string between = "," + std::string(sizes_.size() - dim - 1, '\n') + std::string(indent + 1, ' ');
    std::string out = "[";
    for (int64_t i = 0; i < sizes_[dim]; ++i) {
      if (i > 0) out += between;
      if (i == edge && cut_[dim]) out += "..." + between;
      out += text(dim + 1, first + i * step, indent + 1);
    }
    return out + "]";
  }

  std::string row(int64_t first, size_t indent) const {
    const size_t wide = real_->width() + 2 + (imaginary_ ? imaginary_->width() + 1 : 0);
    const size_t a_line = std::max<size_t>(1, (line_width - std::min(line_width, indent)) / wide);
    size_t shown = 0;
    std::string out = "[";
    auto add = [&](const std::string& one) {
      if (shown > 0) out += shown % a_line == 0 ? ",\n" + std::string(indent + 1, ' ') : ", ";
      out += one;
      ++shown;
    };
    for (int64_t i = 0; i < sizes_.back(); ++i) {
      if (i == edge && cut_.back()) add(" ...");
      add(element(first + i));
    }
    return out + "]";
  }

  std::vector<bool> cut_;
  std::vector<int64_t> sizes_;
  std::optional<TensorNumbers> real_, imaginary_;
};

std::string contents(const at::Tensor& t, size_t indent) {
  return t.numel() == 0 ? "[]" : Contents(t).text(indent);
}

// One of the tensors that a sparse one is made of.
std::string part(const char* name, const at::Tensor& t, size_t indent) {
  const std::string prefix = std::string(name) + "=tensor(";
  std::string text = prefix + (t.is_meta() ? "..." : contents(t, indent + prefix.size()));
  if (t.is_meta() || t.numel() == 0) text += ", size=" + tuple_text(t.sizes());
  return text + ")";
}

std::string parts(std::initializer_list<std::pair<const char*, at::Tensor>> all, size_t indent) {
  std::string text;
  for (const auto& [name, t] : all)
    text += (text.empty() ? "" : ",\n" + std::string(indent, ' ')) + part(name, t.detach(), indent);
  return text;
}

// Of a sparse layout; nothing for others.
struct Sparse {
  const char* layout = nullptr;
  std::string text;
};

Sparse sparse(const at::Tensor& t, size_t indent) {
  switch (t.layout()) {
    case at::kSparse:
      return {"sparse_coo", parts({{"indices", t._indices()}, {"values", t._values()}}, indent)};
    case at::kSparseCsr:
    case at::kSparseBsr:
      return {t.layout() == at::kSparseCsr ? "sparse_csr" : "sparse_bsr",
              parts({{"crow_indices", t.crow_indices()}, {"col_indices", t.col_indices()}, {"values", t.values()}},
                    indent)};
    case at::kSparseCsc:
    case at::kSparseBsc:
      return {t.layout() == at::kSparseCsc ? "sparse_csc" : "sparse_bsc",
              parts({{"ccol_indices", t.ccol_indices()}, {"row_indices", t.row_indices()}, {"values", t.values()}},
                    indent)};
    default:
      return {};
  }
}

std::string members(const at::Tensor& nested) {
  std::string text;
  for (const at::Tensor& t : nested.unbind(0)) {
    text += text.empty() ? "  " : ",\n  ";
    for (char c : tensor_repr(t)) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
  }
  return "[\n" + text + "\n]";
}

std::string recorded(const at::Tensor& t) {
  std::string name;
  try {
    if (t.grad_fn()) name = t.grad_fn()->name();
  } catch (const c10::Error&) {
    name = "Invalid";  // as Python says of a view whose base was changed without a record
  }
  if (name.empty()) return t.requires_grad() ? "requires_grad=True" : "";
  const size_t last = name.rfind("::");
  return "grad_fn=<" + (last == std::string::npos ? name : name.substr(last + 2)) + ">";
}

std::string with_suffixes(std::string text, const std::vector<std::string>& suffixes, size_t indent, bool new_line) {
  const size_t last = text.rfind('\n');
  size_t length = last == std::string::npos ? text.size() + 2 : text.size() - last + 1;
  for (const std::string& suffix : suffixes) {
    if (new_line || length + suffix.size() + 2 > line_width) {
      text += ",\n" + std::string(indent, ' ') + suffix;
      length = indent + suffix.size();
      new_line = false;
    } else {
      text += ", " + suffix;
      length += suffix.size() + 2;
    }
  }
  return text + ")";
}

void check_printable(const at::Tensor& t) {
  if (t.is_quantized())
    throw Error(Code::unsupported, "a quantized tensor cannot be printed").hint("dequantize it first");
  if (t.unsafeGetTensorImpl()->key_set().has(c10::DispatchKey::FuncTorchBatched))
    throw Error(Code::unsupported, "a tensor cannot be printed inside the vmap that maps it");
}

}  // namespace

std::string tensor_repr(const at::Tensor& given) {
  check_printable(given);
  const NoGradBlock no_grad(true);
  const at::Tensor t = given.detach();
  const at::ScalarType type = t.scalar_type(), usual = c10::typeMetaToScalarType(c10::get_default_dtype());
  const std::string prefix = t.is_nested() ? "nested_tensor(" : "tensor(";
  const std::string size = "size=" + tuple_text(t.is_nested() ? at::IntArrayRef() : t.sizes());
  std::vector<std::string> suffixes;
  if (!t.is_cpu()) suffixes.push_back("device='" + std::string(device_name(t.device())) + "'");
  auto add_type = [&] { suffixes.push_back("dtype=torch." + type_name(type)); };
  const bool plain_type = type == usual || type == c10::toComplexType(usual) || type == at::kLong || type == at::kBool;

  const Sparse s = sparse(t, prefix.size());
  std::string text = s.text;
  if (s.layout) {
    suffixes.push_back(size);
    if (!t.is_meta()) suffixes.push_back("nnz=" + std::to_string(t._nnz()));
    if (!plain_type) add_type();
    suffixes.push_back("layout=torch." + std::string(s.layout));
  } else if (t.layout() != at::kStrided) {
    throw Error(Code::unsupported, "a tensor of this layout cannot be printed").hint("make it dense first");
  } else if (t.is_nested()) {
    text = members(t);
  } else if (t.is_meta()) {
    suffixes.push_back(size);
    if (type != usual) add_type();
    text = "...";
  } else {
    if (t.numel() == 0 && t.dim() != 1) suffixes.push_back(size);
    if (t.numel() == 0 ? type != usual : !plain_type) add_type();
    text = contents(t, prefix.size());
  }
  if (std::string grad = recorded(given); !grad.empty()) suffixes.push_back(grad);
  return with_suffixes(prefix + text, suffixes, prefix.size(), t.is_sparse());
}

}  // namespace td
