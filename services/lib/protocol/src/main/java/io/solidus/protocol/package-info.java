/**
 * The protocol's domain: values, statements and the pure rules over them. It uses the JDK only: no
 * Spring, no SQL, no wire format.
 *
 * <p>Every constructor checks its bounds and throws {@link io.solidus.protocol.ProtocolException}
 * with a stable code, so a value that exists is well formed. Only curve membership is not checked
 * here, because it needs the native library.
 */
@NullMarked
package io.solidus.protocol;

import org.jspecify.annotations.NullMarked;
