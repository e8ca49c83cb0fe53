package transfer

// Shape is the size of a transfer: how many received coins it claims, and how many payees it pays. Fewer of either are filled up
// with dummies and with payments of 0 to oneself, which nobody can tell from others.
type Shape struct{ Inputs, Payees int }

// The shapes. Each has a circuit of its own.
var (
	// Single is the shape of family 3, the types of which have no prefix.
	Single = Shape{Inputs: 2, Payees: 1}
	// Claim16 claims up to 16 coins.
	Claim16 = Shape{Inputs: 16, Payees: 1}
	// Pay8 pays up to 8 payees.
	Pay8 = Shape{Inputs: 2, Payees: 8}
)

// The places of the linked points, and of the outputs: the first payment, the next compliance coin, the other payments.
const (
	linkedCompliance = 0
	linkedInputs     = 1
	outputNext       = 1
)

// Outputs is the number of outputs: a coin for each payee, and the next compliance coin.
func (s Shape) Outputs() int { return s.Payees + 1 }

// LinkedPoints is the number of linked points: the shown compliance coin, the shown coins, the outputs.
func (s Shape) LinkedPoints() int { return 1 + s.Inputs + s.Outputs() }

// PublicInputs is the number of public inputs: the serial numbers, the outputs, eleven others, and the link's.
func (s Shape) PublicInputs() int { return 1 + s.Inputs + s.Outputs() + 11 + 2 + s.LinkedPoints() }

// linkedOutputs is the place of the first output among the linked points.
func (s Shape) linkedOutputs() int { return 1 + s.Inputs }

// output is the place of a payment among the outputs.
func (s Shape) output(payee int) int {
	if payee >= outputNext {
		return payee + 1
	}
	return payee
}

// half is the number of inputs whose sum takes the place of one coin in the history entry.
func (s Shape) half() int { return (s.Inputs + 1) / 2 }
