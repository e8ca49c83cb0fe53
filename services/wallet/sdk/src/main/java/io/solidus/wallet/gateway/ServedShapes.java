package io.solidus.wallet.gateway;

/** The file of shapes that a gateway serves. Nothing in it is verified yet. */
public final class ServedShapes {
  private final byte[] content;
  private final byte[] signatureFile;

  ServedShapes(byte[] content, byte[] signatureFile) {
    this.content = content;
    this.signatureFile = signatureFile;
  }

  /** The bytes of the file. */
  public byte[] content() {
    return content.clone();
  }

  /** The bytes of the file with the signature. */
  public byte[] signatureFile() {
    return signatureFile.clone();
  }
}
