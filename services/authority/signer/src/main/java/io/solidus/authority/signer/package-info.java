/**
 * The only process of an authority that holds its key share. It signs what it checked itself, and
 * nothing else.
 */
@NullMarked
package io.solidus.authority.signer;

import org.jspecify.annotations.NullMarked;
