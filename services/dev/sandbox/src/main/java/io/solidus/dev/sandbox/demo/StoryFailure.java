package io.solidus.dev.sandbox.demo;

/** A step did not happen as it must; the message says what was seen. */
public final class StoryFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoryFailure(String message) {
    super(message);
  }

  /** Throws with the message when the condition does not hold. */
  public static void unless(boolean condition, String message) {
    if (!condition) {
      throw new StoryFailure(message);
    }
  }
}
