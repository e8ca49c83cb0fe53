/**
 * The order of work on spends, without a database, a network or a clock: what the shard runs in
 * production and what the deterministic simulation runs against faulty stand-ins. Everything
 * outside is a port.
 */
@org.jspecify.annotations.NullMarked
package io.solidus.authority.spend;
