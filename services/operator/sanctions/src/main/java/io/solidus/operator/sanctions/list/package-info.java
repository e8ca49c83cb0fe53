/** Imports published sanctions lists: hardened parsers, versioned storage, admin API. */
@NullMarked
package io.solidus.operator.sanctions.list;

import org.jspecify.annotations.NullMarked;
