package tensordict

import "tensordict/raw"

// A WarningFunc gets a warning of LibTorch with the file and line of its origin. It must not panic, and runs while an
// operator runs.
type WarningFunc func(text, where string)

// SetWarningFunc sets the function that gets LibTorch's warnings, for the whole process; nil drops them, as it is at first.
func SetWarningFunc(fn WarningFunc) error {
	return do(func(c *call) raw.Status {
		if fn == nil {
			return raw.SetWarningCallback(nil, c.err)
		}
		f := one[raw.WarningFunction](c)
		f.StructSize, f.Fn, f.Destroy, f.Userdata = structSize(f), warnFunction, destroyFunction, userdata(fn)
		return raw.SetWarningCallback(f, c.err)
	})
}
