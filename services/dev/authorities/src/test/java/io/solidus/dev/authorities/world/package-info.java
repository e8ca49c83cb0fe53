/**
 * A small world around the code under test: PostgreSQL, keys, a sanction authority, wallets and one
 * authority's processes.
 */
@NullMarked
package io.solidus.dev.authorities.world;

import org.jspecify.annotations.NullMarked;
