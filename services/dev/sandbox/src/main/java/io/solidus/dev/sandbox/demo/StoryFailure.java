package io.solidus.dev.sandbox.demo;

/** A step of the story failed; the message describes what was seen instead. */
public final class StoryFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoryFailure(String message) {
    super(message);
  }

  /** Throws with the message unless the condition holds. */
  public static void unless(boolean condition, String message) {
    if (!condition) {
      throw new StoryFailure(message);
    }
  }
}
