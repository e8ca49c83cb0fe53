package io.solidus.authority.spend;

/** The value of an {@link Outcome} without a result. */
public enum Ok {
  OK
}
