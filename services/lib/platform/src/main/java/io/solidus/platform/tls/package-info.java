/** Renewal of TLS certificates while a process runs. */
@NullMarked
package io.solidus.platform.tls;

import org.jspecify.annotations.NullMarked;
