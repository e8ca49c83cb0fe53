/** Verification of proofs, votes and published rules before any booking. */
@NullMarked
package io.solidus.operator.issuance.evidence;

import org.jspecify.annotations.NullMarked;
