/** The operators' API. */
@NullMarked
package io.solidus.operator.registration.admin;

import org.jspecify.annotations.NullMarked;
