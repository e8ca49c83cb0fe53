/** Whether a registration is worth a case: its proof and its key signature. */
@NullMarked
package io.solidus.operator.registration.evidence;

import org.jspecify.annotations.NullMarked;
