/** Secrets in files. */
@NullMarked
package io.solidus.platform.secrets;

import org.jspecify.annotations.NullMarked;
