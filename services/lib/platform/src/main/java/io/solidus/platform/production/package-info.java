/** The rules of the production profile. */
@NullMarked
package io.solidus.platform.production;

import org.jspecify.annotations.NullMarked;
