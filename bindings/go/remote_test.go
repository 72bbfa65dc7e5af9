package tensordict

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"
)

// skipped says so even where the tests are run without -v.
func skipped(t *testing.T, why string) {
	t.Helper()
	fmt.Fprintf(os.Stderr, "%s: SKIPPED, NOTHING WAS TESTED: %s\n", t.Name(), why)
	t.Skip(why)
}

// socketFolder is a short path: longer ones than 107 bytes are not those of sockets.
func socketFolder(t *testing.T) string {
	t.Helper()
	if !HasFeature("redis") {
		skipped(t, "the library was built without libhiredis")
	}
	folder := must[string](t)(os.MkdirTemp("", "td"))
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// remoteServer starts a server of the test's own, and returns its URL without an id.
func remoteServer(t *testing.T) string {
	t.Helper()
	folder := socketFolder(t)
	program, err := exec.LookPath("redis-server")
	if err != nil {
		program, err = exec.LookPath("valkey-server")
	}
	if err != nil {
		skipped(t, "there is neither redis-server nor valkey-server")
	}
	server := exec.Command(program, "--port", "0", "--unixsocket", "s", "--save", "")
	server.Dir = folder
	check(t, server.Start())
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	socket := filepath.Join(folder, "s")
	for range 1000 {
		if connection, err := net.Dial("unix", socket); err == nil {
			connection.Close()
			return "unix://" + socket
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the server does not answer")
	return ""
}

func fails(t *testing.T, err error, status Status) {
	t.Helper()
	if !errors.Is(err, status) {
		t.Errorf("%v, not %v", err, status)
	}
}

func TestRemoteDictIsShared(t *testing.T) {
	noLeak(t)
	server := remoteServer(t)
	url := server + "?id=replay"
	_, err := OpenRemote(url, nil)
	fails(t, err, ErrNotFound)
	mine := must[*Dict](t)(CreateRemote(url, &RemoteOptions{BatchSize: []int64{3}}))
	defer mine.Close()
	_, err = CreateRemote(url, nil)
	fails(t, err, ErrExists)
	all, part := withX(t, 1, 2, 3), withX(t, 7, 8)
	defer all.Close()
	defer part.Close()
	check(t, mine.Update(all, nil))

	theirs := must[*Dict](t)(OpenRemote(url, &RemoteOptions{Mode: ReadWrite, Timeout: 20 * time.Second}))
	defer theirs.Close()
	if theirs.DictKind() != PersistentDict || !reflect.DeepEqual(theirs.BatchSize(), []int64{3}) {
		t.Error(theirs)
	}
	check(t, theirs.SetAt(part, Slice(1, 3)))
	expect(t, mine, "x", 1, 7, 8)

	reader := must[*Dict](t)(OpenRemote(url, nil))
	defer reader.Close()
	if reader.IsHDF5Writable() || !theirs.IsHDF5Writable() {
		t.Error("who may write?")
	}
	fails(t, reader.SetAt(part, Slice(1, 3)), ErrLocked)
	check(t, reader.CloseHDF5())
	_, err = reader.Get("x")
	fails(t, err, ErrClosed)
}

func TestRemoteDictsAreListedAndRemoved(t *testing.T) {
	noLeak(t)
	server := remoteServer(t)
	wait := &RemoteOptions{Timeout: 20 * time.Second}
	for _, id := range []string{"b", "a%20b"} {
		must[*Dict](t)(CreateRemote(server+"?id="+id, wait)).Close()
	}
	if ids := must[[]string](t)(ListRemote(server, wait)); !reflect.DeepEqual(ids, []string{"a b", "b"}) {
		t.Error(ids)
	}
	for _, id := range []string{"b", "a%20b"} {
		check(t, RemoveRemote(server+"?id="+id, wait))
		fails(t, RemoveRemote(server+"?id="+id, nil), ErrNotFound)
	}
	if ids := must[[]string](t)(ListRemote(server, nil)); ids == nil || len(ids) > 0 {
		t.Error(ids)
	}
}

func TestRemoteUpdateIf(t *testing.T) {
	noLeak(t)
	url := remoteServer(t) + "?id=x"
	mine := must[*Dict](t)(CreateRemote(url, &RemoteOptions{BatchSize: []int64{2}}))
	defer mine.Close()
	theirs := must[*Dict](t)(OpenRemote(url, &RemoteOptions{Mode: ReadWrite}))
	defer theirs.Close()
	one, two := withX(t, 1, 1), withX(t, 2, 2)
	defer one.Close()
	defer two.Close()
	version := must[int64](t)(mine.RemoteVersion())
	check(t, theirs.RemoteUpdateIf(one, version))
	fails(t, mine.RemoteUpdateIf(two, version), ErrBusy)
	expect(t, mine, "x", 1, 1)
	next := must[int64](t)(mine.RemoteVersion())
	if next <= version {
		t.Error(version, next)
	}
	check(t, mine.RemoteUpdateIf(two, next))
	expect(t, theirs, "x", 2, 2)
	fails(t, one.RemoteUpdateIf(two, 0), ErrUnsupported)
	_, err := one.RemoteVersion()
	fails(t, err, ErrUnsupported)
}

// addOne adds one to what the dict has, if nobody else changes it meanwhile.
func addOne(counter *Dict) error {
	version, err := counter.RemoteVersion()
	if err != nil {
		return err
	}
	more, err := counter.Add(1)
	if err != nil {
		return err
	}
	defer more.Close()
	return counter.RemoteUpdateIf(more, version)
}

// addTimes adds one n times through a handle of its own.
func addTimes(url string, n int) error {
	counter, err := OpenRemote(url, &RemoteOptions{Mode: ReadWrite})
	if err != nil {
		return err
	}
	defer counter.Close()
	for n > 0 {
		switch err := addOne(counter); {
		case err == nil:
			n--
		case !errors.Is(err, ErrBusy):
			return err
		}
	}
	return nil
}

func TestConcurrentRemoteUpdatesAreNotLost(t *testing.T) {
	noLeak(t)
	url := remoteServer(t) + "?id=counter"
	counter := must[*Dict](t)(CreateRemote(url, &RemoteOptions{BatchSize: []int64{1}}))
	defer counter.Close()
	zero := withX(t, 0)
	defer zero.Close()
	check(t, counter.Update(zero, nil))
	var group sync.WaitGroup
	for range 3 {
		group.Add(1)
		go func() {
			defer group.Done()
			if err := addTimes(url, 5); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	expect(t, counter, "x", 15)
}

func TestRemoteErrors(t *testing.T) {
	noLeak(t)
	url := "unix://" + filepath.Join(socketFolder(t), "s")
	_, err := OpenRemote(url+"?id=x", nil)
	fails(t, err, ErrClosed)
	silent := must[net.Listener](t)(net.Listen("unix", url[len("unix://"):]))
	defer silent.Close()
	for _, timeout := range []time.Duration{time.Microsecond, 20 * time.Millisecond} {
		_, err = OpenRemote(url+"?id=x", &RemoteOptions{Timeout: timeout})
		fails(t, err, ErrTimeout)
		_, err = ListRemote(url, &RemoteOptions{Timeout: timeout})
		fails(t, err, ErrTimeout)
	}
	for _, options := range []RemoteOptions{{Mode: CopyOnWrite}, {Timeout: -1}, {Timeout: -time.Hour}} {
		_, err = OpenRemote(url+"?id=x", &options)
		fails(t, err, ErrArgument)
	}
	for _, bad := range []string{"", "http://x?id=y", url} {
		_, err = CreateRemote(bad, nil)
		fails(t, err, ErrArgument)
	}
	_, err = CreateRemote(url+"?id=x", &RemoteOptions{BatchSize: []int64{-1}})
	fails(t, err, ErrShape)
}
