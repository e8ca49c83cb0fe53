/** Signed policies: the limits that validators enforce. */
@NullMarked
package io.solidus.operator.sanctions.policy;

import org.jspecify.annotations.NullMarked;
