/**
 * Between the domain and its wire formats. The only place that knows protobuf messages and JSON
 * shapes.
 */
@NullMarked
package io.solidus.wire;

import org.jspecify.annotations.NullMarked;
