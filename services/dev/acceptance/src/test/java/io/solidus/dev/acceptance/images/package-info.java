/** The container images, run as a cluster would run them. */
@NullMarked
package io.solidus.dev.acceptance.images;

import org.jspecify.annotations.NullMarked;
