package io.solidus.authority.spend;

/** The value of an {@link Outcome} that has nothing to say but that the work was done. */
public enum Ok {
  OK
}
