package tensordict

import (
	"errors"
	"reflect"
	"testing"
)

func TestQuery(t *testing.T) {
	noLeak(t)
	q := must[*Query](t)(NewQuery(&QueryOptions{IndexKey: K("at", "index"), HashType: "td.xxh3", Exact: true}, K("x")))
	defer q.Close()
	rows := must[*Tensor](t)(FromSlice([]float32{1, 2, 3, 4, 1, 2}, 3, 2))
	defer rows.Close()
	td := must[*Dict](t)(New(3))
	defer td.Close()
	if err := q.Run(td); !errors.Is(err, ErrKey) {
		t.Error(err)
	}
	check(t, td.Set(rows, "x"))
	check(t, q.Run(td))
	index := must[*Tensor](t)(td.Get("at", "index"))
	defer index.Close()
	if got := must[[]int64](t)(ToSlice[int64](index)); !reflect.DeepEqual(got, []int64{0, 1, 0}) || q.Len() != 2 {
		t.Error(got, q.Len())
	}
	state := must[*Dict](t)(q.State())
	defer state.Close()
	check(t, q.Clear())
	missing := must[*Tensor](t)(q.LookUp(td))
	defer missing.Close()
	if got := must[[]int64](t)(ToSlice[int64](missing)); !reflect.DeepEqual(got, []int64{-1, -1, -1}) {
		t.Error(got)
	}
	check(t, q.LoadState(state))
	found := must[*Tensor](t)(q.Contains(td))
	defer found.Close()
	if got := must[[]bool](t)(ToSlice[bool](found)); !reflect.DeepEqual(got, []bool{true, true, true}) {
		t.Error(got)
	}
}
