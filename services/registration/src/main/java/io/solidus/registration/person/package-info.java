/** Who registers: reading, comparing and sealing identities. */
@NullMarked
package io.solidus.registration.person;

import org.jspecify.annotations.NullMarked;
