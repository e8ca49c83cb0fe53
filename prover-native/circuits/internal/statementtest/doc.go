// Package statementtest holds what the tests of the statements share beyond package circuittest: random values, wrong
// openings, and the comparison of plain checks with circuits. Only tests import it.
package statementtest
