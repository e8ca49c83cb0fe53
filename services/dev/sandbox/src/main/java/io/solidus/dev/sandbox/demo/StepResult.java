package io.solidus.dev.sandbox.demo;

/**
 * The outcome of one step of the story.
 *
 * @param name the step's stable name
 * @param ok whether it really happened
 * @param millis how long it took
 * @param detail what proves it, or why it failed
 */
public record StepResult(String name, boolean ok, long millis, String detail) {}
