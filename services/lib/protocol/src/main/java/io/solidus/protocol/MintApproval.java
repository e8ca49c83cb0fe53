package io.solidus.protocol;

import java.util.Arrays;

/**
 * One approver's signature for a mint. A mint needs two different approvers.
 *
 * @param approver name in the validators' trust configuration, 1 to 64 characters
 * @param signature 64 bytes, Ed25519 over {@link #message}
 */
public record MintApproval(String approver, byte[] signature) {
  public static final int SIGNATURE_BYTES = 64;
  private static final int MAX_NAME = 64;

  public MintApproval {
    if (approver.isEmpty() || approver.length() > MAX_NAME) {
      throw ProtocolException.malformed("an approver's name has 1 to 64 characters");
    }
    signature = Bytes.fixed(signature, SIGNATURE_BYTES, "an approval");
  }

  /**
   * Returns the signed bytes: "solidus/mint-approval/v1\n" || network digest || mint id || value
   * u64 || c_m || k.
   */
  @Spec("F-28")
  public static byte[] message(NetworkId network, MintStatement statement) {
    return new Transcript("solidus/mint-approval/v1\n")
        .bytes(network.digest().bytes())
        .bytes(statement.mintId().bytes())
        .u64(statement.value().minor())
        .bytes(statement.coin().cm().bytes())
        .bytes(statement.coin().k().bytes())
        .toBytes();
  }

  /** Returns whether {@code key} signed this statement. */
  public boolean isBy(Ed25519PublicKey key, NetworkId network, MintStatement statement) {
    return key.verify(message(network, statement), signature);
  }

  @Override
  public byte[] signature() {
    return signature.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MintApproval that
        && approver.equals(that.approver)
        && Arrays.equals(signature, that.signature);
  }

  @Override
  public int hashCode() {
    return 31 * approver.hashCode() + Arrays.hashCode(signature);
  }
}
