/**
 * The domain: values, statements and the pure rules over them. JDK only; no Spring, no SQL, no wire
 * format.
 *
 * <p>Every constructor checks its bounds and throws {@link io.solidus.protocol.ProtocolException}
 * with a stable code, so a value that exists is well formed. Curve membership is the one thing not
 * checked here: it needs the native library.
 */
@NullMarked
package io.solidus.protocol;

import org.jspecify.annotations.NullMarked;
