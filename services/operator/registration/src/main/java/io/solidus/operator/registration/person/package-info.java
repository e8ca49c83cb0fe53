/** Who registers: reading, comparing and sealing identities. */
@NullMarked
package io.solidus.operator.registration.person;

import org.jspecify.annotations.NullMarked;
