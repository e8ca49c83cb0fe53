/**
 * A key share that lies encrypted under a key which never leaves a token: specification, page 7,
 * "Custody".
 */
@NullMarked
package io.solidus.authority.custody;

import org.jspecify.annotations.NullMarked;
