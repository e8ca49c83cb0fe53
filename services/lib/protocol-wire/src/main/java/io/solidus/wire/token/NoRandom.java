package io.solidus.wire.token;

import java.security.SecureRandom;

/** For calls that draw nothing. */
final class NoRandom extends SecureRandom {
  static final NoRandom INSTANCE = new NoRandom();
  private static final long serialVersionUID = 1L;

  private NoRandom() {}

  @Override
  public void nextBytes(byte[] bytes) {
    throw new IllegalStateException("nothing is drawn here");
  }
}
