/** Asking the sanctions service about persons; no answer means that a case waits. */
@NullMarked
package io.solidus.operator.registration.screening;

import org.jspecify.annotations.NullMarked;
