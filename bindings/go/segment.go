package tensordict

import (
	"tensordict/raw"
)

// A Segment is a dict in named memory that all processes of the user can open, also Python.
type Segment struct {
	sharedHandle[raw.Segment]
}

func newSegment(p *raw.Segment) *Segment {
	s := new(Segment)
	s.hold(p, raw.SegmentRelease)
	return s
}

// SegmentOptions may be nil.
type SegmentOptions struct {
	Keep       bool // the name stays when the owner closes the segment
	LargePages bool
	Snapshots  int  // buffers for Snapshot: 0, or 2 to 8
	Replace    bool // replace a segment of this name without a living owner
}

// CreateSegment copies a dict into a new segment. A process that ends without Close leaves the name: PruneSegments.
func CreateSegment(name string, d *Dict, options *SegmentOptions) (*Segment, error) {
	return give(newSegment, func(c *call, out **raw.Segment) raw.Status {
		o := one[raw.SegmentOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Keep, o.LargePages, o.Snapshots = flag(options.Keep), flag(options.LargePages), int32(options.Snapshots)
			o.ReplaceDead = flag(options.Replace)
		}
		return raw.SegmentCreate(c.str(name), d.raw0(), o, out, c.err)
	})
}

// OpenSegment opens a segment to be read. WaitForSegment waits until there is one of this name.
func OpenSegment(name string) (*Segment, error) {
	return give(newSegment, func(c *call, out **raw.Segment) raw.Status {
		return raw.SegmentOpen(c.str(name), nil, out, c.err)
	})
}

// Dict shows the memory; only its creator may write there.
func (s *Segment) Dict() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.SegmentDict(s.inUse(c), out, c.err) })
}

// Update copies values into the memory, which other processes see.
func (s *Segment) Update(src *Dict) error {
	return do(func(c *call) raw.Status { return raw.SegmentUpdate(s.inUse(c), src.raw0(), c.err) })
}

// Snapshot is the newest complete state, which no update changes while one of its tensors lives.
func (s *Segment) Snapshot() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.SegmentSnapshot(s.inUse(c), out, c.err) })
}

// Version counts beginnings and ends of updates: odd during an update.
func (s *Segment) Version() uint64 {
	return look(&s.sharedHandle, raw.SegmentVersion)
}

// Path is the file that Python opens.
func (s *Segment) Path() string {
	return look(&s.sharedHandle, func(p *raw.Segment) string { return text(raw.SegmentPath(p)) })
}

// Bytes is the size of the segment.
func (s *Segment) Bytes() int64 {
	return look(&s.sharedHandle, raw.SegmentNbytes)
}

// UnlinkSegment removes a name; who has the segment open can still use it.
func UnlinkSegment(name string) error {
	return do(func(c *call) raw.Status { return raw.SegmentUnlink(c.str(name), c.err) })
}

// ListSegments lists segments, channels and maps whose names begin with prefix, as JSON.
func ListSegments(prefix string) (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.SegmentList(c.str(prefix), out, c.err) })
}

// PruneSegments removes the names that killed processes left, and returns how many.
func PruneSegments(prefix string) (int64, error) {
	return give(same, func(c *call, out *int64) raw.Status { return raw.SegmentPrune(c.str(prefix), out, c.err) })
}

// SendSegment sends a copy of a dict through a Unix socket.
func SendSegment(d *Dict, socket int) error {
	return do(func(c *call) raw.Status { return raw.SegmentSend(d.raw0(), int32(socket), c.err) })
}

// ReceiveSegment receives it; a negative timeout waits without limit.
func ReceiveSegment(socket int, timeoutMs int64) (*Segment, error) {
	return give(newSegment, func(c *call, out **raw.Segment) raw.Status {
		return raw.SegmentReceive(int32(socket), timeoutMs, out, c.err)
	})
}

// ExportSegment copies a dict into sealed memory without a name, and returns its descriptor: the caller sends it to
// another process and closes it.
func ExportSegment(d *Dict) (fd int, err error) {
	return give(func(fd int32) int { return int(fd) }, func(c *call, out *int32) raw.Status {
		return raw.SegmentExport(d.raw0(), out, c.err)
	})
}

// ImportSegment opens what ExportSegment made in another process; the caller closes the descriptor at any time after.
func ImportSegment(fd int) (*Segment, error) {
	return give(newSegment, func(c *call, out **raw.Segment) raw.Status {
		return raw.SegmentImport(int32(fd), out, c.err)
	})
}
