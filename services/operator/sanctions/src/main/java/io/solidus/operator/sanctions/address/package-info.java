/** Sanctioned addresses and the proposals that change them. */
@NullMarked
package io.solidus.operator.sanctions.address;

import org.jspecify.annotations.NullMarked;
