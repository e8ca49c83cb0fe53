/** Tests of the container images, run as in a cluster. */
@NullMarked
package io.solidus.dev.acceptance.images;

import org.jspecify.annotations.NullMarked;
