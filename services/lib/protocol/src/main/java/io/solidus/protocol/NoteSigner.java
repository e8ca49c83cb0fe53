package io.solidus.protocol;

/** Signs notes under one name. */
public final class NoteSigner {
  private final Ed25519PrivateKey key;
  private final NoteKey publicKey;

  public NoteSigner(String name, Ed25519PrivateKey key) {
    this.key = key;
    this.publicKey = new NoteKey(name, key.publicKey());
  }

  /**
   * Makes a signer of a seed.
   *
   * @param seed 32 bytes; the caller overwrites them
   */
  public static NoteSigner fromSeed(String name, byte[] seed) {
    return new NoteSigner(name, Ed25519PrivateKey.fromSeed(seed));
  }

  public NoteKey publicKey() {
    return publicKey;
  }

  /** Returns the signature line for a note's text. */
  public NoteSignature sign(String text) {
    return new NoteSignature(publicKey.name(), publicKey.hash(), key.sign(Bytes.utf8(text)));
  }

  /** Returns a signature over bytes that cannot be a note's text: they hold a zero byte. */
  byte[] signBytes(byte[] message) {
    return key.sign(message);
  }

  @Override
  public String toString() {
    return "NoteSigner[" + publicKey.name() + "]";
  }
}
