package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// Lock forbids adding, replacing and removing entries.
func (d *Dict) Lock() error {
	return do(func(c *call) raw.Status {
		return raw.DictLock_(d.p, c.err)
	})
}

// Unlock allows it again.
func (d *Dict) Unlock() error {
	return do(func(c *call) raw.Status {
		return raw.DictUnlock_(d.p, c.err)
	})
}

// ShareMemory moves all tensors into memory that forked processes share.
func (d *Dict) ShareMemory() error {
	return do(func(c *call) raw.Status {
		return raw.DictShareMemory_(d.p, c.err)
	})
}

// IsLocked tells whether Lock holds.
func (d *Dict) IsLocked() bool {
	defer runtime.KeepAlive(d)
	return truth(raw.DictIsLocked(d.p))
}

// IsShared tells whether other processes see writes to all tensors.
func (d *Dict) IsShared() bool {
	defer runtime.KeepAlive(d)
	return truth(raw.DictIsShared(d.p))
}
