package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// DictKind is the kind of a dict.
type DictKind int32

// The kinds of dicts.
const (
	PlainDict      = DictKind(raw.DICT_KIND_TENSORDICT)
	LazyStackDict  = DictKind(raw.DICT_KIND_LAZY_STACK)
	ParamsDict     = DictKind(raw.DICT_KIND_PARAMS)
	PersistentDict = DictKind(raw.DICT_KIND_PERSISTENT)
	WindowDict     = DictKind(raw.DICT_KIND_WINDOW)
)

// DictKind is the kind of the dict.
func (d *Dict) DictKind() DictKind {
	defer runtime.KeepAlive(d)
	return DictKind(raw.DictKindOf(d.p))
}
