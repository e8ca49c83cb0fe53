/**
 * What shards and signer of one authority have in common: its database, its keys and how its
 * processes know each other.
 */
@NullMarked
package io.solidus.authority.common;

import org.jspecify.annotations.NullMarked;
