package tensordict

import (
	"errors"
	"fmt"

	"tensordict/raw"
)

// A Status says what kind of failure an Error is. It is what errors.Is compares:
//
//	if errors.Is(err, tensordict.ErrKey) { ... }
type Status int32

// The statuses, and with them the errors, of the library.
const (
	ErrArgument    = Status(raw.ERR_ARGUMENT)    // a closed object, an unknown constant, text that is not UTF-8
	ErrKey         = Status(raw.ERR_KEY)         // no such key, or the path runs through a tensor
	ErrShape       = Status(raw.ERR_SHAPE)       // shapes do not fit each other, or the batch size
	ErrDType       = Status(raw.ERR_DTYPE)       // a dtype that this operation does not take
	ErrDevice      = Status(raw.ERR_DEVICE)      // no such device, or data that is not where it must be
	ErrIndex       = Status(raw.ERR_INDEX)       // an index or a dim out of range
	ErrLocked      = Status(raw.ERR_LOCKED)      // a change of a locked dict, or a write to read-only memory
	ErrUnsupported = Status(raw.ERR_UNSUPPORTED) // valid, but not offered here
	ErrVersion     = Status(raw.ERR_VERSION)     // made by, or for, another version; or the library is not there
	ErrIO          = Status(raw.ERR_IO)          // the operating system refused
	ErrNoSpace     = Status(raw.ERR_NOSPACE)     // no space on the device or in shared memory
	ErrCorrupt     = Status(raw.ERR_CORRUPT)     // a file or a segment contradicts itself
	ErrPlugin      = Status(raw.ERR_PLUGIN)      // a plugin failed or broke its contract
	ErrCallback    = Status(raw.ERR_CALLBACK)    // a function of the caller failed: see Unwrap
	ErrTimeout     = Status(raw.ERR_TIMEOUT)     // the time is over
	ErrClosed      = Status(raw.ERR_CLOSED)      // a channel, message, file or scope that has ended
	ErrTorch       = Status(raw.ERR_TORCH)       // LibTorch failed
	ErrOutOfMemory = Status(raw.ERR_OOM)         // out of memory
	ErrInternal    = Status(raw.ERR_INTERNAL)    // a bug in the library
	ErrNotFound    = Status(raw.ERR_NOT_FOUND)   // no such file, segment, operator, plugin or type
	ErrExists      = Status(raw.ERR_EXISTS)      // the name is taken
	ErrCancelled   = Status(raw.ERR_CANCELLED)   // the wait was ended
	ErrBusy        = Status(raw.ERR_BUSY)        // another goroutine is using the same dict, or a process the same entries
)

// String is the name of the status in C, for instance TD_ERR_KEY.
func (s Status) String() string {
	return text(raw.StatusName(raw.Status(s)))
}

// Error makes a status an error, as a target of errors.Is.
func (s Status) Error() string {
	return s.String()
}

// An Error is what the library says of a failure.
type Error struct {
	Status  Status
	Message string // what was wrong, where, and what to do
	Key     string // the key that it is about, like ("next", "obs"), or empty
	Where   string // the file, segment, operator or plugin that it is about, or empty
	Hint    string // what to do about it, or empty
	Cause   error  // what it follows from: an *Error, or what a function of the caller returned; or nil
}

func (e *Error) Error() string {
	return e.Message
}

// Is compares with a Status.
func (e *Error) Is(target error) bool {
	status, ok := target.(Status)
	return ok && status == e.Status
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	return e.Cause
}

// check turns what a call left behind into an error; a panic of a callback goes on here.
func (c *call) check(status raw.Status) error {
	if status == raw.OK {
		return nil
	}
	if c.failed != nil {
		return c.failed
	}
	err := *c.err
	*c.err = nil
	if err == nil {
		return missing(Status(status))
	}
	defer raw.ErrorRelease(err)
	made := read(err)
	var p *panicked
	if errors.As(made, &p) {
		panic(p.value)
	}
	return made
}

// missing is the error for a function that could not be called at all.
func missing(status Status) error {
	reason := "the loaded libtensordict is older than this package and lacks the function; install a newer one"
	if err := raw.LoadError(); err != nil {
		reason = err.Error()
	} else if status != ErrVersion {
		reason = status.String()
	}
	return &Error{Status: status, Message: reason, Hint: reason}
}

// Load tells whether the library was found, and what to install if not. Nothing needs to be called before other
// functions; without the library, they fail with the same text.
func Load() error {
	if raw.LoadError() == nil {
		return nil
	}
	return missing(ErrVersion)
}

func read(err *raw.Error) error {
	if own := goError(err); own != nil {
		return own
	}
	made := &Error{
		Status:  Status(raw.ErrorCode(err)),
		Message: text(raw.ErrorMessage(err)),
		Key:     text(raw.ErrorKey(err)),
		Where:   text(raw.ErrorWhere(err)),
		Hint:    text(raw.ErrorHint(err)),
	}
	if cause := raw.ErrorCause(err); cause != nil {
		made.Cause = read(cause)
	}
	return made
}

// panicked carries a panic of a callback through the library, whose frames it must not unwind.
type panicked struct {
	value any
}

func (p *panicked) Error() string {
	return fmt.Sprint("panic: ", p.value)
}

func statusOf(err error) raw.Status {
	var ours *Error
	if errors.As(err, &ours) {
		return raw.Status(ours.Status)
	}
	var status Status
	if errors.As(err, &status) {
		return raw.Status(status)
	}
	return raw.ERR_CALLBACK
}

func argument(format string, args ...any) error {
	return &Error{Status: ErrArgument, Message: fmt.Sprintf(format, args...)}
}
