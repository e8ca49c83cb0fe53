/** Which shard owns which serial numbers: the authority's signed shard maps, and how a range is split while payments go on. */
@NullMarked
package io.solidus.validator.range;

import org.jspecify.annotations.NullMarked;
