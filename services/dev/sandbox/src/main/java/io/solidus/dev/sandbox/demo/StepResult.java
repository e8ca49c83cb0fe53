package io.solidus.dev.sandbox.demo;

/**
 * The outcome of one step of the story.
 *
 * @param name the step's stable name
 * @param ok whether it succeeded
 * @param millis its duration
 * @param detail the proof of success, or the reason of the failure
 */
public record StepResult(String name, boolean ok, long millis, String detail) {}
