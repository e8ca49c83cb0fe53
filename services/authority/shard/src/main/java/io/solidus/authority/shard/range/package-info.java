/**
 * The ownership of serial numbers: the signed shard maps of the authority, and the split of a range
 * while payments go on.
 */
@NullMarked
package io.solidus.authority.shard.range;

import org.jspecify.annotations.NullMarked;
