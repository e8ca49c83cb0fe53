package io.solidus.prover;

import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Outputs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One authority's share of the signing key. The scalars are in the native library, which overwrites
 * them on close. A share signs only blinded coins under their D, and its scalars cannot be read.
 */
public final class Share implements AutoCloseable {
  /** The largest number of requests in one call of {@link #signAll}. */
  public static final int MAX_REQUESTS = 256;

  private final NativeHandle handle;
  private final int index;

  private Share(NativeHandle handle, int index) {
    this.handle = handle;
    this.index = index;
  }

  /** Opens a share. Both arrays are overwritten, also on failure. */
  public static Share open(byte[] x32, byte[] y32, int index) {
    try {
      NativeHandle handle =
          new NativeHandle(
              NativeRequest.of(Operation.SHARE_OPEN).u32(index).sized(x32).sized(y32).send().u64());
      return new Share(handle, index);
    } finally {
      Arrays.fill(x32, (byte) 0);
      Arrays.fill(y32, (byte) 0);
    }
  }

  public int index() {
    return index;
  }

  /** Returns whether a member's public keys belong to this share. */
  public boolean matches(CommitteeMember member) {
    return NativeRequest.of(Operation.SHARE_MATCHES).u64(handle.id()).member(member).send().flag();
  }

  /** Returns the partial signature on one output, which is the same for the same arguments. */
  public G1Point sign(NetworkId network, Outputs outputs, int index) {
    return NativeRequest.of(Operation.SHARE_SIGN)
        .u64(handle.id())
        .text(network.value())
        .output(outputs, index)
        .point(outputs.coins().get(index).k())
        .send()
        .g1();
  }

  public G1Point sign(Suite suite, Outputs outputs, int index) {
    return sign(suite.network(), outputs, index);
  }

  /**
   * Signs the outputs of many statements, at about half the cost of {@link #sign} one by one. The
   * signatures are the same, byte for byte. Each request has its own result, so an unusable point
   * fails only its own request. One call uses one processor.
   *
   * @param requests at most {@link #MAX_REQUESTS}
   * @throws NativeException UNKNOWN_HANDLE when the share is closed
   */
  public List<SignedOutputs> signAll(NetworkId network, List<Outputs> requests) {
    if (requests.size() > MAX_REQUESTS) {
      throw new IllegalArgumentException("at most " + MAX_REQUESTS + " requests");
    }
    NativeRequest call =
        NativeRequest.of(Operation.SHARE_SIGN_ALL)
            .u64(handle.id())
            .text(network.value())
            .u32(requests.size());
    for (Outputs request : requests) {
      NativeRequest item = NativeRequest.detached().u8(request.coins().size());
      request.coins().forEach(item::coin);
      call.sized(item.field(request.d().value()).u32(request.period().yyyymm()).take());
    }
    NativeReply reply = call.send();
    List<SignedOutputs> signed = new ArrayList<>(requests.size());
    for (Outputs request : requests) {
      NativeErrorCode code = NativeErrorCode.of(reply.u32());
      int count = code == NativeErrorCode.OK ? request.coins().size() : 0;
      signed.add(new SignedOutputs(code, NativeReply.repeat(count, reply::g1)));
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
