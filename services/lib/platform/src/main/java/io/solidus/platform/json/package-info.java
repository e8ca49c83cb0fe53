/** Strict reading of JSON. */
@NullMarked
package io.solidus.platform.json;

import org.jspecify.annotations.NullMarked;
