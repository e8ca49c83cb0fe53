/** What has to hold when a run ends: the invariants, over databases, sign-logs and signatures. */
@NullMarked
package io.solidus.loadtest.chaos.oracle;

import org.jspecify.annotations.NullMarked;
