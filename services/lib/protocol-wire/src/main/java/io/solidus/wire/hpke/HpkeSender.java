package io.solidus.wire.hpke;

import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.hpke.HPKEContextWithEncapsulation;

/** The sending side of one context. Not thread-safe, because messages are numbered. */
public final class HpkeSender {
  private final HPKEContextWithEncapsulation context;

  HpkeSender(HPKEContextWithEncapsulation context) {
    this.context = context;
  }

  /** The 32 bytes from which the receiver makes the same context. */
  public byte[] encapsulatedKey() {
    return context.getEncapsulation().clone();
  }

  /** Seals the next message. */
  public byte[] seal(byte[] aad, byte[] plaintext) {
    try {
      return context.seal(aad, plaintext);
    } catch (InvalidCipherTextException e) {
      throw new IllegalStateException("sealing cannot fail", e);
    }
  }

  /** Returns a secret that both sides know, bound to this context and the label. */
  public byte[] export(byte[] label, int length) {
    return context.export(label, length);
  }
}
