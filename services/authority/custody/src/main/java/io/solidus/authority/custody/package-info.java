/**
 * Keeps a key share encrypted under a key that never leaves a PKCS#11 token: specification, page 7,
 * "Custody".
 */
@NullMarked
package io.solidus.authority.custody;

import org.jspecify.annotations.NullMarked;
