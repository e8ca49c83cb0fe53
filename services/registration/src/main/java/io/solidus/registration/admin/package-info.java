/** The calls of operators. */
@NullMarked
package io.solidus.registration.admin;

import org.jspecify.annotations.NullMarked;
