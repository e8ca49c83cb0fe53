/**
 * Conversion between the domain and its wire formats. Other packages use neither protobuf messages
 * nor JSON shapes of requests.
 */
@NullMarked
package io.solidus.wire;

import org.jspecify.annotations.NullMarked;
