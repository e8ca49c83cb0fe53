/** The network that a service serves, and its verified keys. */
@NullMarked
package io.solidus.networkkeys;

import org.jspecify.annotations.NullMarked;
