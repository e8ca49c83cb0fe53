/**
 * The only process of an authority that holds its key share. It signs only what it has checked
 * itself.
 */
@NullMarked
package io.solidus.authority.signer;

import org.jspecify.annotations.NullMarked;
