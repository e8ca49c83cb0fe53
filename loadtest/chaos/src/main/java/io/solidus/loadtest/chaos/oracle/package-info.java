/** Checks the invariants at the end of a run, over databases, sign-logs and signatures. */
@NullMarked
package io.solidus.loadtest.chaos.oracle;

import org.jspecify.annotations.NullMarked;
