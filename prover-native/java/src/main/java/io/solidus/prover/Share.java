package io.solidus.prover;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkId;
import java.util.Arrays;

/**
 * One authority's part of the signing key. The scalars live in the library and are cleared on close. There is no way to sign anything but
 * a blinded coin under its D, and none to get the scalars back.
 */
public final class Share implements AutoCloseable {
  private final Handle handle;
  private final int index;

  private Share(Handle handle, int index) {
    this.handle = handle;
    this.index = index;
  }

  /** Takes the share over: both arrays are cleared, whatever happens. */
  public static Share open(byte[] x32, byte[] y32, int index) {
    try {
      Handle handle = new Handle(Call.of(Operation.SHARE_OPEN).u32(index).sized(x32).sized(y32).send().u64());
      return new Share(handle, index);
    } finally {
      Arrays.fill(x32, (byte) 0);
      Arrays.fill(y32, (byte) 0);
    }
  }

  public int index() {
    return index;
  }

  /** Whether this is the share behind a member's public keys. */
  public boolean matches(CommitteeMember member) {
    return Call.of(Operation.SHARE_MATCHES).u64(handle.id()).member(member).send().flag();
  }

  /** The partial signature; the same for the same arguments. */
  public G1Point sign(NetworkId network, BlindedCoin coin, InputDigest d) {
    return Call.of(Operation.SHARE_SIGN).u64(handle.id()).text(network.value()).coin(coin).field(d.value()).send().g1();
  }

  public G1Point sign(Suite suite, BlindedCoin coin, InputDigest d) {
    return sign(suite.network(), coin, d);
  }

  @Override
  public void close() {
    handle.close();
  }

  @Override
  public String toString() {
    return "Share[" + index + "]";
  }
}
