package io.solidus.protocol;

import java.util.List;

/**
 * An authority's signature, with its note key, over a core and the points that it answered with.
 *
 * <p>A partial signature proves only (D, period, all c_m), because anybody can move it to another
 * blinding k. A vote names the core, so it also proves what the authority checked and reserved.
 */
@Spec("V-19")
public final class Vote extends FixedBytes {
  public static final int BYTES = Ed25519PublicKey.SIGNATURE_BYTES;

  /** The zero byte keeps a vote apart from a note, whose text has no control character but LF. */
  private static final String DOMAIN = "solidus/vote/v1\0";

  /**
   * @param bytes 64 bytes
   */
  public Vote(byte[] bytes) {
    super(bytes, BYTES, "a vote");
  }

  /** Signs with the authority's note key. The same arguments give the same vote. */
  public static Vote sign(
      Ed25519PrivateKey noteKey, TxCore core, int shareEpoch, List<G1Point> points) {
    return new Vote(noteKey.sign(message(core, shareEpoch, points)));
  }

  /** Returns whether this vote is by the owner of {@code noteKey}. */
  public boolean isBy(Ed25519PublicKey noteKey, TxCore core, int shareEpoch, List<G1Point> points) {
    return noteKey.verify(message(core, shareEpoch, points), bytes);
  }

  /**
   * Returns the signed bytes: "solidus/vote/v1" || 0 || core || epoch u32 || number of points u8 ||
   * points. The core contains the network and the family.
   */
  public static byte[] message(TxCore core, int shareEpoch, List<G1Point> points) {
    Transcript message =
        new Transcript(DOMAIN).bytes(core.bytes()).u32(shareEpoch).u8(points.size());
    points.forEach(point -> message.bytes(point.bytes()));
    return message.toBytes();
  }
}
