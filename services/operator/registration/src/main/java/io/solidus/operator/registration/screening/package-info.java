/** Screening of persons by the sanctions service. Without an answer the case waits. */
@NullMarked
package io.solidus.operator.registration.screening;

import org.jspecify.annotations.NullMarked;
