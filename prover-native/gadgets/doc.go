// Package gadgets holds the parts that the circuits share. F, the field of the circuits, is the scalar field of BLS12-381. So
// exponents of G1 are elements of F, and so are the coordinates of the points of Jubjub. None of the gadgets uses a commitment,
// and each leaves every wire determined by the inputs.
//
// # Completeness of the addition formulas
//
// The formulas divide without a zero check, and 0/0 would leave a wire free. Jubjub is -x^2 + y^2 = 1 + d x^2 y^2, -1 is a square
// in F and d is not. For two points of the curve d x1 x2 y1 y2 is therefore never 1 or -1 (Bernstein, Lange, eprint 2007/286),
// and no denominator is zero, whatever the points are, the identity included. That a public point is on the curve is the
// VALIDATOR's duty (strict curve, subgroup and identity check before the proof); on other points wires come loose.
//
// # Equations
//
// Rules G-01 to G-09 of docs/spec/04-circuits.md state them.
package gadgets
