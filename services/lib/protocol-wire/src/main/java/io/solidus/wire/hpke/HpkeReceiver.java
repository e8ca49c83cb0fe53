package io.solidus.wire.hpke;

import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.hpke.HPKEContext;

/** The receiving side of one context. Not thread-safe, because messages are numbered. */
public final class HpkeReceiver {
  private final HPKEContext context;

  HpkeReceiver(HPKEContext context) {
    this.context = context;
  }

  /**
   * Opens the next message.
   *
   * @throws HpkeException when the message cannot be opened for any reason
   */
  public byte[] open(byte[] aad, byte[] ciphertext) {
    if (ciphertext.length < Hpke.TAG_BYTES) {
      throw new HpkeException("the message cannot be opened");
    }
    try {
      return context.open(aad, ciphertext);
    } catch (InvalidCipherTextException | RuntimeException e) {
      throw new HpkeException("the message cannot be opened");
    }
  }

  /** Returns a secret that both sides know, bound to this context and the label. */
  public byte[] export(byte[] label, int length) {
    return context.export(label, length);
  }
}
