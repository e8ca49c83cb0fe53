/** Caches of bounded size. */
@NullMarked
package io.solidus.platform.cache;

import org.jspecify.annotations.NullMarked;
