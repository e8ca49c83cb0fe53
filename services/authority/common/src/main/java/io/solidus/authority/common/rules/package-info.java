/**
 * The rules in force: policies, sanction checkpoints and heartbeats, verified, stored and kept in
 * memory.
 */
@NullMarked
package io.solidus.authority.common.rules;

import org.jspecify.annotations.NullMarked;
