/**
 * The order of work on spend requests, without a database, a network or a clock. Everything outside
 * is a port. The shard runs it in production; the deterministic simulation runs it against faulty
 * ports.
 */
@org.jspecify.annotations.NullMarked
package io.solidus.authority.spend;
