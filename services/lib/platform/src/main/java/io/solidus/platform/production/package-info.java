/** What the production profile refuses. */
@NullMarked
package io.solidus.platform.production;

import org.jspecify.annotations.NullMarked;
