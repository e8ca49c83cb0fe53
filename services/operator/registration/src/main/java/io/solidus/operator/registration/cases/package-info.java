/** The life of a case: taken in, screened, decided, attested. */
@NullMarked
package io.solidus.operator.registration.cases;

import org.jspecify.annotations.NullMarked;
