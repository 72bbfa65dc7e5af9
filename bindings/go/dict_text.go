package tensordict

import "tensordict/raw"

// ReprFlags choose what Repr prints, and may be joined with |.
type ReprFlags uint64

// Of each node; of each tensor; and the form as a whole. Without flags, Repr prints what Python prints.
const (
	ReprBatchSize     = ReprFlags(raw.REPR_BATCH_SIZE)
	ReprDevice        = ReprFlags(raw.REPR_DEVICE)
	ReprIsShared      = ReprFlags(raw.REPR_IS_SHARED)
	ReprShape         = ReprFlags(raw.REPR_SHAPE)
	ReprFieldDevice   = ReprFlags(raw.REPR_FIELD_DEVICE)
	ReprDType         = ReprFlags(raw.REPR_DTYPE)
	ReprFieldIsShared = ReprFlags(raw.REPR_FIELD_IS_SHARED)
	ReprGrad          = ReprFlags(raw.REPR_GRAD)
	ReprIsContiguous  = ReprFlags(raw.REPR_IS_CONTIGUOUS)
	ReprIsView        = ReprFlags(raw.REPR_IS_VIEW)
	ReprStorageSize   = ReprFlags(raw.REPR_STORAGE_SIZE)
	ReprPlain         = ReprFlags(raw.REPR_PLAIN)
	ReprUnsorted      = ReprFlags(raw.REPR_UNSORTED)
	ReprCompact       = ReprFlags(raw.REPR_COMPACT)
	ReprNoFields      = ReprFlags(raw.REPR_NO_FIELDS)
)

// Repr is the text that Python prints with the corresponding options.
func (d *Dict) Repr(flags ReprFlags) (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status {
		return raw.DictRepr(d.p, raw.ReprFlags(flags), out, c.err)
	})
}

// ParseDict makes a dict of zeros from a text that Repr or Python printed. device, if not empty, replaces those in it.
func ParseDict(text, device string) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.ParseOptions](c)
		o.StructSize, o.Device = structSize(o), c.optional(device)
		return raw.DictParse(c.str(text), o, out, c.err)
	})
}

// PythonClass is the class that Python gives the dict, where it is a subclass; empty for an ordinary dict.
func (d *Dict) PythonClass() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.DictPythonClass(d.p, out, c.err) })
}

// PythonFields are the fields of that class that are no entries, as JSON.
func (d *Dict) PythonFields() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.DictPythonFields(d.p, out, c.err) })
}

// FromJSON makes a dict of a JSON object: objects become dicts, and all else becomes data.
func FromJSON(json string) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.DictFromJson(c.str(json), out, c.err) })
}

// ListFromJSON makes dicts of a JSON array of objects, for instance of Plugins.
func ListFromJSON(json string) ([]*Dict, error) {
	return give(takeDicts, func(c *call, out **raw.DictList) raw.Status {
		return raw.DictListFromJson(c.str(json), out, c.err)
	})
}
