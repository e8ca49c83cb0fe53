// Package statementtest holds what the tests of the statements share beyond package circuittest: random values, links to any
// messages, the comparison of plain checks with circuits, and the mutation score. Only tests import it.
package statementtest
