/** Reading, comparing and sealing of identities. */
@NullMarked
package io.solidus.operator.registration.person;

import org.jspecify.annotations.NullMarked;
