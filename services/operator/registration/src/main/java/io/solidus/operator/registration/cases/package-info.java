/** Submission, screening, decision and attestation of cases. */
@NullMarked
package io.solidus.operator.registration.cases;

import org.jspecify.annotations.NullMarked;
