/**
 * TLS certificates that are renewed while a process runs: what is taken, what is refused, what is
 * shown.
 */
@NullMarked
package io.solidus.platform.tls;

import org.jspecify.annotations.NullMarked;
