package io.solidus.protocol;

import java.util.List;
import java.util.stream.Stream;

/** Lengths of proofs and of signatures by a randomised key. */
public final class ProofBytes {
  /** A Groth16 proof over BLS12-381, uncompressed: A (96 bytes), B (192), C (96). */
  private static final int GROTH16 = 384;

  /** A Schnorr signature over Jubjub: R (64 bytes), z (32 bytes). */
  public static final int RK_SIGNATURE = 96;

  private static final List<Integer> TRANSFER_LENGTHS =
      Stream.of(Family.values()).filter(Family::isTransfer).map(Family::proofBytes).toList();

  private ProofBytes() {}

  /**
   * The length of a proof with a number of linked points: Groth16, a, T, a response per point, the
   * response of the openings (protocol, E-05).
   */
  static int length(int links) {
    return GROTH16 + FieldElement.BYTES + G1Point.BYTES + (links + 1) * FieldElement.BYTES;
  }

  static byte[] proof(byte[] value, Family family) {
    return Bytes.fixed(value, family.proofBytes(), "a proof");
  }

  /** Copies the proof of a transfer whose family is not known yet. */
  static byte[] transferProof(byte[] value) {
    if (value == null || !TRANSFER_LENGTHS.contains(value.length)) {
      throw ProtocolException.malformed("a transfer's proof has a wrong length");
    }
    return value.clone();
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
