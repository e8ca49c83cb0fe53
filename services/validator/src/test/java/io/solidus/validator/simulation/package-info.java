/**
 * Deterministic simulation of the spending protocol: the production order of work, {@link io.solidus.validator.spend.SpendPipeline}, in a
 * world whose clock, network, databases, disks and signatures are stand-ins that fail as a seed says. One number replays one world.
 *
 * <p>Reading order: {@link io.solidus.validator.simulation.World}, {@link io.solidus.validator.simulation.Authority},
 * {@link io.solidus.validator.simulation.BatchRun}, {@link io.solidus.validator.simulation.Oracle}.
 */
@org.jspecify.annotations.NullMarked
package io.solidus.validator.simulation;
