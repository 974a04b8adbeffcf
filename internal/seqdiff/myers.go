package seqdiff

// middle returns a point that a shortest edit script of the region goes through,
// after E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986),
// section 4b: a search from the beginning and one from the end meet there. The
// region is not empty, and its ends differ.
//
// When the script has more than limit edits, ok is false, and the point is the
// one that the search from the beginning got furthest to, which is neither end.
func (al *aligner) middle(r region, limit int) (x, y int, ok bool) {
	a, b := al.a[r.a0:r.a1], al.b[r.b0:r.b1]
	n, m := len(a), len(b)
	delta := n - m
	rounds := min((n+m+1)/2, (limit+1)/2)
	f, g := al.rows(rounds)
	f[rounds+1], g[rounds+1] = 0, 0
	for d := 0; d <= rounds; d++ {
		// Diagonal k of the search from the beginning holds x-y = k, that of the
		// search from the end, which counts from there, is delta-k.
		for k := -d + 2*max(0, d-m); k <= d-2*max(0, d-n); k += 2 {
			x := furthest(f, rounds, k, d)
			y := x - k
			for x < n && y < m && a[x] == b[y] {
				x, y = x+1, y+1
			}
			f[rounds+1+k] = x
			if other := delta - k; delta&1 != 0 && other > -d && other < d && x+g[rounds+1+other] >= n {
				return r.a0 + x, r.b0 + y, true
			}
		}
		for k := -d + 2*max(0, d-m); k <= d-2*max(0, d-n); k += 2 {
			x := furthest(g, rounds, k, d)
			y := x - k
			for x < n && y < m && a[n-1-x] == b[m-1-y] {
				x, y = x+1, y+1
			}
			g[rounds+1+k] = x
			if other := delta - k; delta&1 == 0 && other >= -d && other <= d && x+f[rounds+1+other] >= n {
				return r.a1 - x, r.b1 - y, true
			}
		}
	}
	x, y = al.leader(f, rounds, n, m)
	return r.a0 + x, r.b0 + y, false
}

// rows returns a row of furthest points for each search, for diagonals from
// -rounds-1 to rounds+1.
func (al *aligner) rows(rounds int) (f, g []int) {
	size := 2*rounds + 3
	if cap(al.forward) < size {
		al.forward, al.back = make([]int, size), make([]int, size)
	}
	f, g = al.forward[:size], al.back[:size]
	for i := range f {
		f[i], g[i] = -1, -1
	}
	return f, g
}

// furthest returns where diagonal k is entered with d edits: by removing an
// element, which leads from diagonal k-1, or adding one, from k+1.
func furthest(row []int, rounds, k, d int) int {
	at := rounds + 1 + k
	if d == 0 {
		return 0
	}
	if k == -d || k != d && row[at-1] < row[at+1] {
		return max(row[at+1], row[at-1]+1)
	}
	return row[at-1] + 1
}

// leader returns the point where the most of both sequences lies behind the
// search.
func (al *aligner) leader(row []int, rounds, n, m int) (x, y int) {
	best := -1
	for i, at := range row {
		k := i - rounds - 1
		if at < 0 || at > n || at-k < 0 || at-k > m {
			continue
		}
		if sum := 2*at - k; sum > best {
			best, x, y = sum, at, at-k
		}
	}
	return x, y
}
