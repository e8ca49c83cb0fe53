package io.solidus.prover;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One authority's part of the signing key. The scalars live in the library and are cleared on
 * close. There is no way to sign anything but a blinded coin under its D, and none to get the
 * scalars back.
 */
public final class Share implements AutoCloseable {
  /** Orders per call of {@link #signAll}. */
  public static final int MAX_ORDERS = 256;

  private final Handle handle;
  private final int index;

  private Share(Handle handle, int index) {
    this.handle = handle;
    this.index = index;
  }

  /** Takes the share over: both arrays are cleared, whatever happens. */
  public static Share open(byte[] x32, byte[] y32, int index) {
    try {
      Handle handle =
          new Handle(Call.of(Operation.SHARE_OPEN).u32(index).sized(x32).sized(y32).send().u64());
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
    return Call.of(Operation.SHARE_SIGN)
        .u64(handle.id())
        .text(network.value())
        .coin(coin)
        .field(d.value())
        .send()
        .g1();
  }

  public G1Point sign(Suite suite, BlindedCoin coin, InputDigest d) {
    return sign(suite.network(), coin, d);
  }

  /**
   * The partial signatures on the outputs of many statements, at about half the cost of {@link
   * #sign} one by one; the same signatures, byte for byte. Each order has a verdict of its own: an
   * unusable point spoils no other order. One call uses one processor.
   *
   * @param orders at most {@link #MAX_ORDERS}
   * @throws NativeException UNKNOWN_HANDLE when the share is closed
   */
  public List<SignedOrder> signAll(NetworkId network, List<SigningOrder> orders) {
    if (orders.size() > MAX_ORDERS) {
      throw new IllegalArgumentException("at most " + MAX_ORDERS + " orders");
    }
    Call call =
        Call.of(Operation.SHARE_SIGN_ALL).u64(handle.id()).text(network.value()).u32(orders.size());
    for (SigningOrder order : orders) {
      Call item = Call.detached().u8(order.outputs().size());
      order.outputs().forEach(item::coin);
      call.sized(item.field(order.d().value()).take());
    }
    Reply reply = call.send();
    List<SignedOrder> signed = new ArrayList<>(orders.size());
    for (SigningOrder order : orders) {
      NativeErrorCode code = NativeErrorCode.of(reply.u32());
      int count = code == NativeErrorCode.OK ? order.outputs().size() : 0;
      signed.add(new SignedOrder(code, Reply.repeat(count, reply::g1)));
    }
    return List.copyOf(signed);
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
