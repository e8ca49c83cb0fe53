package io.solidus.dev.processes;

/**
 * The value of one timer or counter of a process.
 *
 * @param total seconds of a timer, units of any other meter
 */
public record Measurement(long count, double total) {}
