package statement

import (
	"testing"

	"solidus.io/prover/hash"
	"solidus.io/prover/suite"
)

// conflict is three statements of one owner over the same inputs, worth 100: (50, 50, 0), (50, 0, 50) and (0, 50, 50). Coins of 50
// at one place are the same coin in two statements. Every member has signed every output of every statement; a test decides
// whose signatures the owner gets.
type conflict struct {
	*world
	statements [3]Transfer
	coins      [3][3]*conflictCoin // by statement and place
	partials   [3][3][4]suite.G1   // and by member
	bases      func(i, j int) (*suite.Outputs, int)
}

type conflictCoin struct {
	value     uint64
	hm, cm, b suite.Field
}

func (w *world) conflictCoin(t *testing.T, value uint64) *conflictCoin {
	t.Helper()
	c := &conflictCoin{value: value, b: random(t)}
	h := w.network.Hasher()
	c.hm = h.Coin(hash.OriginPayment, value, random(t), random(t))
	c.cm = h.Commit(random(t), c.hm)
	return c
}

// ownCommitment is how bases once were: they depended on D and the coin's own commitment.
func (x *conflict) ownCommitment(i, j int) (*suite.Outputs, int) {
	return &suite.Outputs{D: x.statements[i].InputDigest(x.network), Cms: []suite.Field{x.coins[i][j].cm}}, 0
}

func (x *conflict) allOutputs(i, j int) (*suite.Outputs, int) {
	return x.statements[i].Bases(x.network), j
}

func newConflict(t *testing.T, w *world) *conflict {
	t.Helper()
	x := &conflict{world: w}
	serials := []suite.Field{random(t), random(t), random(t)}
	var fifty [3]*conflictCoin
	for j := range fifty {
		fifty[j] = w.conflictCoin(t, 50)
	}
	for i := range x.statements {
		s := &x.statements[i]
		s.Family, s.Serials, s.Period = FamilyTransfer, serials, 202611
		x.coins[i] = fifty
		x.coins[i][2-i] = w.conflictCoin(t, 0)
		for _, c := range x.coins[i] {
			s.Outputs = append(s.Outputs, BlindedCoin{Cm: c.cm, K: w.point(t)})
		}
	}
	return x
}

// sign makes all partial signatures under bases of this rule.
func (x *conflict) sign(t *testing.T, bases func(i, j int) (*suite.Outputs, int)) {
	t.Helper()
	x.bases = bases
	for i := range x.coins {
		for j, c := range x.coins[i] {
			o, at := bases(i, j)
			k, err := x.scheme.Blind(o, at, &c.hm, &c.b)
			must(t, err)
			for m, share := range x.shares {
				x.partials[i][j][m], err = x.scheme.Sign(share, o, at, &k)
				must(t, err)
			}
		}
	}
}

// offers are the statements with this coin that a member's signatures are there for: an honest member signs one statement, and the
// last member, who is dishonest, signs all.
func (x *conflict) offers(c *conflictCoin, j, member int, honest [3]int) (statements []int) {
	for i := range x.coins {
		if x.coins[i][j] == c && (member == len(honest) || honest[member] == i) {
			statements = append(statements, i)
		}
	}
	return statements
}

// completed returns a statement under whose base the owner gets a signature on the coin at place j, whatever partial signatures it
// combines.
func (x *conflict) completed(t *testing.T, c *conflictCoin, j int, honest [3]int) (statement int, ok bool) {
	t.Helper()
	for without := range len(x.shares) {
		choices := [][]suite.Partial{nil}
		for member := range x.shares {
			if member == without {
				continue
			}
			var longer [][]suite.Partial
			for _, i := range x.offers(c, j, member, honest) {
				for _, choice := range choices {
					p := suite.Partial{Index: member + 1, Point: x.partials[i][j][member]}
					longer = append(longer, append(choice[:len(choice):len(choice)], p))
				}
			}
			choices = longer
		}
		for _, choice := range choices {
			combined, err := x.scheme.Combine(x.committee, choice)
			must(t, err)
			for i := range x.coins {
				if x.coins[i][j] != c {
					continue
				}
				o, at := x.bases(i, j)
				sig, err := x.scheme.Unblind(x.committee, o, at, &combined, &c.b)
				must(t, err)
				if x.scheme.Verify(x.committee, &c.hm, &sig) == nil {
					return i, true
				}
			}
		}
	}
	return 0, false
}

// made is the money of all completed coins, and the statements that they belong to.
func (x *conflict) made(t *testing.T, honest [3]int) (money uint64, of map[int]bool) {
	t.Helper()
	of = map[int]bool{}
	seen := map[*conflictCoin]bool{}
	for i := range x.coins {
		for j, c := range x.coins[i] {
			if seen[c] {
				continue
			}
			seen[c] = true
			if statement, ok := x.completed(t, c, j, honest); ok {
				money += c.value
				of[statement] = true
			}
		}
	}
	return money, of
}

// Conflicting statements of one D may share outputs, but no base. Whatever honest members sign, one statement each, and whatever a
// dishonest member adds, the coins that come out belong to one statement.
//
//spec:id E-15
func TestConflictingStatementsOfOneDCompleteOneAtMost(t *testing.T) {
	x := newConflict(t, newWorld(t, Regulated))
	if a, b := x.statements[0].InputDigest(x.network), x.statements[1].InputDigest(x.network); !a.Equal(&b) {
		t.Fatal("the statements have different inputs")
	}
	x.sign(t, x.allOutputs)
	for n := range 27 {
		honest := [3]int{n % 3, n / 3 % 3, n / 9}
		money, of := x.made(t, honest)
		together := honest[0] == honest[1] || honest[0] == honest[2] || honest[1] == honest[2]
		switch {
		case !together && (money != 0 || len(of) != 0):
			t.Errorf("members sign %v: %d out of 100", honest, money)
		case together && (money != 100 || len(of) != 1):
			t.Errorf("members sign %v: %d out of 100, of the statements %v", honest, money, of)
		}
	}
}

// The same statements under bases of a coin's own commitment: one honest signature for each statement makes 150 out of 100.
//
//spec:id E-15
func TestBasesOfOneCommitmentWouldMakeMoney(t *testing.T) {
	x := newConflict(t, newWorld(t, Regulated))
	x.sign(t, x.ownCommitment)
	if money, _ := x.made(t, [3]int{0, 1, 2}); money != 150 {
		t.Errorf("%d out of 100: the attack no longer applies", money)
	}
}
