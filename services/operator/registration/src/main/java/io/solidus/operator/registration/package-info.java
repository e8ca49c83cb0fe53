/** Registers each person once and attests the registration to the compliance issuers. */
@NullMarked
package io.solidus.operator.registration;

import org.jspecify.annotations.NullMarked;
