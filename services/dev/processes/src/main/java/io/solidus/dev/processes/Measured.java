package io.solidus.dev.processes;

/**
 * What one timer or counter of a process says.
 *
 * @param total seconds of a timer, units of anything else
 */
public record Measured(long count, double total) {}
