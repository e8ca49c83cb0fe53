/**
 * The JSON shapes of the REST API: the camelCase names of the protobuf messages, byte strings as
 * base64url without padding, amounts as integers of minor units. Plain records, so that any JSON
 * library can bind them; {@code toDomain} checks everything and throws {@link
 * io.solidus.protocol.ProtocolException}.
 */
@NullMarked
package io.solidus.wire.json;

import org.jspecify.annotations.NullMarked;
