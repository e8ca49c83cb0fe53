/**
 * Deterministic simulation of the spending protocol: the production order of work, {@link
 * io.solidus.authority.spend.SpendPipeline}, in a world whose clock, network, databases, disks and
 * signatures are simulated and fail as a seed determines. One number replays one world.
 *
 * <p>Reading order: {@link io.solidus.authority.spend.simulation.World}, {@link
 * io.solidus.authority.spend.simulation.Authority}, {@link
 * io.solidus.authority.spend.simulation.BatchRun}, {@link
 * io.solidus.authority.spend.simulation.Oracle}.
 */
@org.jspecify.annotations.NullMarked
package io.solidus.authority.spend.simulation;
