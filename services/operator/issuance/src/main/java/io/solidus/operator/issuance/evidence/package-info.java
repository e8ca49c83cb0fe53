/**
 * What is checked before anything is booked: proofs, partial signatures, the rules they were made
 * under.
 */
@NullMarked
package io.solidus.operator.issuance.evidence;

import org.jspecify.annotations.NullMarked;
