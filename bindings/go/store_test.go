package tensordict

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"
)

func ints(t *testing.T, values ...int64) *Tensor {
	t.Helper()
	return must[*Tensor](t)(FromSlice(values)).closing(t)
}

func TestStore(t *testing.T) {
	store := must[*Store](t)(NewStore(&StoreOptions{Capacity: 8}))
	defer store.Close()
	rows := withX(t, 1, 2, 3)
	defer rows.Close()
	check(t, store.Set(ints(t, 5, 0, 2), rows))
	got := must[*Dict](t)(store.Get(ints(t, 2, 5)))
	defer got.Close()
	expect(t, got, "x", 3, 1)
	if _, err := store.Get(ints(t, 1)); !errors.Is(err, ErrIndex) {
		t.Error(err)
	}
	if err := store.Set(ints(t, 8, 9, 10), rows); !errors.Is(err, ErrNoSpace) || store.Len() != 3 {
		t.Error(err, store.Len())
	}
	sample, index, err := store.Sample(3, true, nil)
	check(t, err)
	defer sample.Close()
	defer index.Close()
	all := must[[]int64](t)(ToSlice[int64](index))
	slices.Sort(all)
	if !reflect.DeepEqual(all, []int64{0, 2, 5}) {
		t.Error(all)
	}
	if options := must[StoreOptions](t)(store.Options()); options.Capacity != 8 {
		t.Error(options)
	}
}

func TestRowMap(t *testing.T) {
	query := must[*Query](t)(NewQuery(nil, K("x")))
	defer query.Close()
	store := must[*Store](t)(NewStore(nil))
	defer store.Close()
	rows := must[*RowMap](t)(NewRowMap(query, store))
	defer rows.Close()
	keys, values := withX(t, 1, 2), withX(t, 10, 20)
	defer keys.Close()
	defer values.Close()
	check(t, rows.Set(keys, values))
	asked := withX(t, 2, 1)
	defer asked.Close()
	got := must[*Dict](t)(rows.Get(asked))
	defer got.Close()
	expect(t, got, "x", 20, 10)
	unknown := withX(t, 7)
	defer unknown.Close()
	if _, err := rows.Get(unknown); !errors.Is(err, ErrIndex) || rows.Len() != 2 {
		t.Error(err)
	}
}

// A table is a map of Go for queries.
type table struct {
	indices map[int64]int64
	fail    error
}

func (m *table) LookUp(hashes, indices []int64) error {
	for i, hash := range hashes {
		index, there := m.indices[hash]
		if !there {
			index = -1
		}
		indices[i] = index
	}
	return m.fail
}

func (m *table) Insert(hashes, indices []int64) error {
	for i, hash := range hashes {
		indices[i] = int64(len(m.indices))
		m.indices[hash] = indices[i]
	}
	return nil
}

func (m *table) Size() (size, next int64, err error) {
	return int64(len(m.indices)), int64(len(m.indices)), nil
}

func (m *table) Erase(hashes []int64) error {
	maps.DeleteFunc(m.indices, func(hash, _ int64) bool { return slices.Contains(hashes, hash) })
	return nil
}

func TestMapOfTheCaller(t *testing.T) {
	noLeak(t)
	own := &table{indices: map[int64]int64{}}
	query := must[*Query](t)(NewQueryWithMap(own, nil, K("x")))
	defer query.Close()
	rows := withX(t, 3, 4, 3)
	defer rows.Close()
	check(t, query.Run(rows))
	index := must[*Tensor](t)(rows.Get("_index"))
	defer index.Close()
	if got := must[[]int64](t)(ToSlice[int64](index)); !reflect.DeepEqual(got, []int64{0, 1, 0}) || len(own.indices) != 2 {
		t.Error(got, own.indices)
	}
	own.fail = errors.New("the database is gone")
	if err := query.Run(rows); !errors.Is(err, own.fail) {
		t.Error(err)
	}
	if err := query.Clear(); !errors.Is(err, ErrUnsupported) {
		t.Error(err)
	}
}

func TestMapInSharedMemory(t *testing.T) {
	writer := must[*Query](t)(NewQuery(nil, K("x")))
	defer writer.Close()
	rows := withX(t, 1, 2)
	defer rows.Close()
	check(t, writer.Run(rows))
	check(t, writer.ShareMap(uniqueName(t), nil))
	reader := must[*Query](t)(NewQuery(nil, K("x")))
	defer reader.Close()
	check(t, reader.Attach(uniqueName(t), MapRead))
	if reader.Len() != 2 {
		t.Error(reader.Len())
	}
	more := withX(t, 9)
	defer more.Close()
	found := must[*Dict](t)(reader.Call(more, &QueryCall{NoExtend: true, FoundKey: K("known"), Target: TargetCopy}))
	defer found.Close()
	known := must[*Tensor](t)(found.Get("known"))
	defer known.Close()
	if got := must[[]bool](t)(ToSlice[bool](known)); got[0] || more.Has("_index") {
		t.Error(got)
	}
}

func TestHashState(t *testing.T) {
	first := must[*Hash](t)(NewHash("td.random_projection", `{"n_components": 4}`))
	defer first.Close()
	rows := must[*Tensor](t)(Randn(nil, Float32, 3, 5)).closing(t)
	hashes := must[*Tensor](t)(first.Of(rows)).closing(t)
	var saved bytes.Buffer
	check(t, first.Save(&saved))
	second := must[*Hash](t)(NewHash("td.random_projection", `{"n_components": 4}`))
	defer second.Close()
	check(t, second.Load(bytes.NewReader(saved.Bytes())))
	again := must[*Tensor](t)(second.Of(rows)).closing(t)
	if equal, difference, err := hashes.Equal(again, nil); err != nil || !equal {
		t.Error(difference, err)
	}
	if err := second.Load(bytes.NewReader(saved.Bytes()[:4])); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
}
