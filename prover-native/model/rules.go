package model

import "fmt"

// Rule is a rule that a world can be run without.
type Rule int

// The rules, with the ids of the specification.
const (
	// Everything leaves no rule out.
	Everything Rule = iota

	// OneCore: an authority signs a core only where it holds the serial numbers for it (V-09).
	OneCore
	// BurnLead: a recover names the lead serial number.
	BurnLead
	// BurnSuccessors: a recover names the successor's serial number of every core below it.
	BurnSuccessors
	// BurnReturned: a recover names the serial number of the coin that a recover below it returned.
	BurnReturned
	// NameCredited: a recover names the serial numbers of the coins that it credits.
	NameCredited
	// DistinctSuccessors: no two cores below a recover have one successor's serial number.
	DistinctSuccessors
	// Related: the second core spends the lead, or the successor of a core below the first.
	Related
	// InnerVerified: an authority verifies every request below a recover, shown signatures included.
	InnerVerified
	// CreditOnce: a coin is credited once.
	CreditOnce
	// ReturnedNotCredited: a coin that a recover below returned is not credited.
	ReturnedNotCredited
	// InheritedNotReturned: neither is one that a recover below credited and another returned.
	InheritedNotReturned
	// LargestBurnt: of two branches the larger outflow is burnt.
	LargestBurnt
	// ChainAdds: the outflow of a core and of its successor's add up.
	ChainAdds
	// CoveredOnly: an outflow is left out only where its transfers are counted already.
	CoveredOnly
	// NewestPeriod: the new compliance coin has the newest period.
	NewestPeriod
	// LargestSent: and the largest sum sent in it.
	LargestSent
	// HeldKept: the new balance is at most what was held.
	HeldKept

	// Nesting: a recover may take recovers.
	Nesting
	// MayNotCredit: a coin may be left out, because another core holds it.
	MayNotCredit
	// RefusalShowsHolder: a refusal shows the request that holds the serial number.
	RefusalShowsHolder
	// Saturates: a recover whose outflow exceeds its budget issues nothing.
	Saturates

	// AskFirst: before a new core leaves, signed states show its coin free (W-03).
	AskFirst
	// StateQuorum: a coin counts as free when 2f+1 authorities sign so (W-08).
	StateQuorum
	// Signed: only signed states count (W-09).
	Signed
	// FreshNonce: a state counts only for the nonce that was drawn for it (W-09).
	FreshNonce
	// Floors: a core is given up only when the floors shut it out (W-03).
	Floors
	// HolderPasses: a core that holds its lead serial number passes the windows (V-23).
	HolderPasses

	// WholeHalves: a half of many coins is credited only where none of its coins counts already.
	WholeHalves

	ruleCount
)

var ruleNames = [ruleCount]string{
	"everything", "one-core", "burn-lead", "burn-successors", "burn-returned", "name-credited", "distinct-successors", "related", "inner-verified",
	"credit-once", "returned-not-credited", "inherited-not-returned", "largest-burnt", "chain-adds", "covered-only", "newest-period", "largest-sent",
	"held-kept", "nesting", "may-not-credit", "refusal-shows-holder", "saturates", "ask-first", "state-quorum", "signed", "fresh-nonce", "floors",
	"holder-passes", "whole-halves",
}

func (r Rule) String() string { return ruleNames[r] }

// Kind is the kind of worlds that notice that the rule is missing.
func (r Rule) Kind() Kind {
	switch {
	case r == WholeHalves:
		return Halves
	case r >= AskFirst:
		return LookUps
	case r >= Nesting:
		return Liveness
	}
	return Safety
}

// ParseRule is the rule of a name.
func ParseRule(name string) (Rule, error) {
	for r, n := range ruleNames {
		if n == name {
			return Rule(r), nil
		}
	}
	return 0, fmt.Errorf("no rule %q", name)
}

// Rules are all rules that can be left out.
func Rules() (all []Rule) {
	for r := Everything + 1; r < ruleCount; r++ {
		all = append(all, r)
	}
	return all
}
