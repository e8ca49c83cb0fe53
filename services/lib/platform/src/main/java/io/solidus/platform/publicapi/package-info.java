/** What all public APIs have in common: browsers of other origins, and the end of a version. */
@NullMarked
package io.solidus.platform.publicapi;

import org.jspecify.annotations.NullMarked;
