/** Keys and tokens of a development installation. */
@NullMarked
package io.solidus.dev.sandbox.secrets;

import org.jspecify.annotations.NullMarked;
