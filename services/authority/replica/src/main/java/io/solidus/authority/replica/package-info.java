/**
 * Copies of the mailbox's tables at one authority. It countersigns each list of tables once, and
 * answers private queries. It has no key share, no note key and no database.
 */
@NullMarked
package io.solidus.authority.replica;

import org.jspecify.annotations.NullMarked;
