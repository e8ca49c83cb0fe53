/** Verification of a registration's proof and key signature. */
@NullMarked
package io.solidus.operator.registration.evidence;

import org.jspecify.annotations.NullMarked;
