/** A validator authority: shards that keep the spent set, and the one signer that holds the authority's key share. */
@NullMarked
package io.solidus.validator;

import org.jspecify.annotations.NullMarked;
