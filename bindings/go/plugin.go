package tensordict

import "tensordict/raw"

// A RowHash hashes the bytes of one row, which it must not keep. It may run on several goroutines at once.
type RowHash func(config string, row []byte) (uint64, error)

// RegisterHash makes a hash of Go a type that NewHash and queries find by its name, for the whole process. stable says
// that it gives the same numbers on every platform and in every version.
func RegisterHash(name, version string, stable bool, hash RowHash) error {
	return do(func(c *call) raw.Status {
		info, callbacks := one[raw.TypeInfo](c), one[raw.HashCallbacks](c)
		info.StructSize, callbacks.StructSize = structSize(info), structSize(callbacks)
		info.Id, info.Version = c.str(name), c.str(version)
		info.Flags = raw.PLUGIN_DETERMINISTIC | raw.PLUGIN_THREAD_SAFE
		if stable {
			info.Flags |= raw.PLUGIN_STABLE
		}
		callbacks.HashRows, callbacks.Destroy, callbacks.Userdata = rowsFunction, destroyFunction, userdata(hash)
		return raw.PluginsRegisterHash(info, callbacks, c.err)
	})
}

// UnregisterHash removes such a type; hashes that were made of it go on.
func UnregisterHash(name string) error {
	return do(func(c *call) raw.Status { return raw.PluginsUnregister(raw.PLUGIN_KIND_HASH, c.str(name), c.err) })
}

// LoadPlugin loads a plugin from a file.
func LoadPlugin(file string) error {
	return do(func(c *call) raw.Status { return raw.PluginsLoad(c.str(file), c.err) })
}

// AddPluginPath adds a directory in which plugins are looked for.
func AddPluginPath(directory string) error {
	return do(func(c *call) raw.Status { return raw.PluginsAddPath(c.str(directory), c.err) })
}

// Plugins lists the types as JSON.
func Plugins() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.PluginsList(out, c.err) })
}

// PluginReport tells which files were loaded, and why others were not, as JSON.
func PluginReport() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.PluginsReport(out, c.err) })
}
