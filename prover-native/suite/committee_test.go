package suite

import (
	"testing"

	"solidus.io/prover/fault"
)

func clone(c *Committee) *Committee {
	d := *c
	d.Members = append([]Member(nil), c.Members...)
	return &d
}

//spec:id S-01
func TestDealtCommitteeIsConsistent(t *testing.T) {
	x := newFixture(t, 1)
	must(t, x.committee.Check())
	for i, s := range x.shares {
		must(t, s.Matches(&x.committee.Members[i]))
	}
	if x.committee.N() != 4 || x.committee.Quorum() != 3 {
		t.Fatal("N = 3f+1, quorum = 2f+1")
	}
	for _, f := range []int{0, -1, 101} {
		_, err := x.Deal(f)
		refused(t, err, fault.CommitteeInvalid)
	}
}

//spec:id S-01
func TestTwoSharesSayNothingAboutTheKey(t *testing.T) {
	x := newFixture(t, 1)
	weights, err := lagrange([]int{1, 2}, 0)
	must(t, err)
	if got := combineG2([]G2{x.committee.Members[0].X, x.committee.Members[1].X}, weights); got.Equal(&x.committee.X) {
		t.Fatal("2f shares determine the key: the polynomial's degree is too low")
	}
}

//spec:id S-11
func TestInconsistentCommitteesAreRefused(t *testing.T) {
	x := newFixture(t, 1)
	other := newFixture(t, 1).committee
	g2 := other.X
	for name, change := range map[string]func(*Committee){
		"another X":                   func(c *Committee) { c.X = g2 },
		"another Y":                   func(c *Committee) { c.Y = g2 },
		"another Y1":                  func(c *Committee) { c.Y1 = other.Y1 },
		"Y and Y1 of another key":     func(c *Committee) { c.Y, c.Y1 = other.Y, other.Y1 },
		"member's X":                  func(c *Committee) { c.Members[0].X = g2 },
		"last member's X":             func(c *Committee) { c.Members[3].X = g2 },
		"member's Y":                  func(c *Committee) { c.Members[1].Y = g2 },
		"member's gamma":              func(c *Committee) { c.Members[2].Gamma = other.Y1 },
		"member's Y with its gamma":   func(c *Committee) { c.Members[3].Y, c.Members[3].Gamma = other.Members[3].Y, other.Members[3].Gamma },
		"members swapped":             func(c *Committee) { c.Members[0], c.Members[1] = c.Members[1], c.Members[0] },
		"members' keys swapped":       func(c *Committee) { c.Members[0].X, c.Members[1].X = c.Members[1].X, c.Members[0].X },
		"a member missing":            func(c *Committee) { c.Members = c.Members[:3] },
		"a member too many":           func(c *Committee) { c.Members = append(c.Members, c.Members[3]) },
		"f too small for its members": func(c *Committee) { c.F = 0 },
		"note key twice":              func(c *Committee) { c.Members[1].NoteKey = c.Members[0].NoteKey },
	} {
		t.Run(name, func(t *testing.T) {
			c := clone(x.committee)
			change(c)
			refused(t, c.Check(), fault.CommitteeInvalid)
		})
	}
}

//spec:id S-11
func TestCommitteePointsAreChecked(t *testing.T) {
	x := newFixture(t, 1)
	for want, bad := range badPoints(t) {
		c := clone(x.committee)
		c.Y1 = bad
		refused(t, c.Check(), want)
		c = clone(x.committee)
		c.Members[1].Gamma = bad
		refused(t, c.Check(), want)
	}
	outside := twistPointOutsideSubgroup(t)
	for _, change := range []func(*Committee, G2){
		func(c *Committee, p G2) { c.X = p },
		func(c *Committee, p G2) { c.Y = p },
		func(c *Committee, p G2) { c.Members[0].X = p },
		func(c *Committee, p G2) { c.Members[0].Y = p },
	} {
		c := clone(x.committee)
		change(c, G2{})
		refused(t, c.Check(), fault.IdentityPoint)
		c = clone(x.committee)
		change(c, outside)
		refused(t, c.Check(), fault.PointNotInSubgroup)
	}
}

func TestLagrangeRefusesMeaninglessIndices(t *testing.T) {
	for want, indices := range map[fault.Code][]int{
		fault.IndexOutOfRange: {0, 1, 2},
		fault.DuplicateIndex:  {1, 2, 2},
	} {
		_, err := lagrange(indices, 0)
		refused(t, err, want)
	}
}
