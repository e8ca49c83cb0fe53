/**
 * Which shard owns which serial numbers: the authority's signed shard maps, and how a range is
 * split while payments go on.
 */
@NullMarked
package io.solidus.authority.shard.range;

import org.jspecify.annotations.NullMarked;
