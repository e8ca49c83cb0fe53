package io.solidus.wallet.gateway;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.wallet.error.WalletException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The key manifest that a gateway serves. Nothing in it is verified yet. */
public final class ServedManifest {
  private final byte[] content;
  private final byte[] signatureFile;

  ServedManifest(byte[] content, byte[] signatureFile) {
    this.content = content;
    this.signatureFile = signatureFile;
  }

  public Digest32 digest() {
    return Digest32.sha256(content);
  }

  /** The bytes of the manifest. */
  public byte[] content() {
    return content.clone();
  }

  /** The bytes of the file with the signature. */
  public byte[] signatureFile() {
    return signatureFile.clone();
  }

  /**
   * Whether this is a later manifest of the same network's key: the pinned key signed it, and it
   * names the earlier manifest as that of a former committee.
   *
   * @throws WalletException {@code gateway-misbehaved} when the pinned key signed something else
   */
  public boolean follows(Digest32 earlier, Ed25519PublicKey manifestKey) {
    return manifestKey.verify(content, signature())
        && ReplyJson.read(
            "the key manifest",
            ReplyJson.parse(content),
            manifest ->
                manifest.has("former")
                    && ReplyJson.each(
                            manifest, "former", one -> ReplyJson.text(one, "manifestSha256"))
                        .contains(earlier.hex()));
  }

  private byte[] signature() {
    try {
      return HexFormat.of().parseHex(new String(signatureFile, StandardCharsets.US_ASCII).strip());
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }
}
