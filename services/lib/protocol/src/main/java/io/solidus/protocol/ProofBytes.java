package io.solidus.protocol;

/** Lengths of proofs and of signatures by a randomised key. */
public final class ProofBytes {
  /** A Groth16 proof over BW6-761 in gnark's raw form, without commitments. */
  public static final int PROOF = 772;

  /** A Schnorr signature over G1: R (96 bytes), z (32 bytes). */
  public static final int RK_SIGNATURE = 128;

  private ProofBytes() {}

  static byte[] proof(byte[] value) {
    return Bytes.fixed(value, PROOF, "a proof");
  }

  static byte[] rkSignature(byte[] value) {
    return Bytes.fixed(value, RK_SIGNATURE, "an rk signature");
  }

  static void requireVersion(int circuitVersion) {
    if (circuitVersion < 0) {
      throw ProtocolException.malformed("a circuit version is not negative");
    }
  }
}
