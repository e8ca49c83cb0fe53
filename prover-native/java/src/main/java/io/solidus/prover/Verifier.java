package io.solidus.prover;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferStatement;
import java.util.List;

/**
 * Checks the cryptography of requests: points, key signature, shown signatures, proof, from cheap
 * to expensive. The answer is OK or the code of the first rule that does not hold.
 */
public final class Verifier implements AutoCloseable {
  /** Transfers per call of {@link #verifyTransfers}. */
  public static final int MAX_BATCH = 256;

  private final Handle handle;

  private Verifier(Handle handle) {
    this.handle = handle;
  }

  /**
   * @throws NativeException when the committee's keys do not belong together
   */
  public static Verifier open(KeySet keys, Committee committee) {
    if (!committee.network().equals(keys.network())) {
      throw new NativeException(
          NativeErrorCode.KEYS_NETWORK, "the committee is of another network than the keys");
    }
    return new Verifier(
        new Handle(
            Call.of(Operation.VERIFIER_OPEN).u64(keys.id()).committee(committee).send().u64()));
  }

  /** A regulated transfer against the limits and the root of one policy and checkpoint. */
  public NativeErrorCode verifyTransfer(
      TransferStatement statement, Evidence evidence, Limits limits, FieldElement root) {
    Call call = transfer(Call.of(Operation.VERIFY_TRANSFER).u64(handle.id()), statement, evidence);
    return verdict(limits.write(call).field(root));
  }

  public NativeErrorCode verifyUnregulated(TransferStatement statement, Evidence evidence) {
    return verdict(
        transfer(Call.of(Operation.VERIFY_UNREGULATED).u64(handle.id()), statement, evidence));
  }

  /**
   * Many transfers of the network's family at a fraction of the cost of one by one. Each gets the
   * verdict it would get alone. One call uses one processor: a validator collects a batch per
   * processor. A wrong transfer among them costs some of the gain, so sources that send many of
   * them are kept apart.
   *
   * @param transfers at most {@link #MAX_BATCH}
   */
  public List<NativeErrorCode> verifyTransfers(List<TransferCheck> transfers) {
    if (transfers.size() > MAX_BATCH) {
      throw new IllegalArgumentException("a batch has at most " + MAX_BATCH + " transfers");
    }
    Call call = Call.of(Operation.VERIFY_TRANSFERS).u64(handle.id()).u32(transfers.size());
    for (TransferCheck check : transfers) {
      call.sized(check.encoded());
    }
    Reply reply = call.send();
    return Reply.repeat(transfers.size(), () -> NativeErrorCode.of(reply.u32()));
  }

  public NativeErrorCode verifyRegister(RegisterRequest request) {
    return verdict(register(Call.of(Operation.VERIFY_REGISTER).u64(handle.id()), request));
  }

  /**
   * What the library is asked about a registration: the fixed layout of VERIFY_REGISTER, for tools
   * outside this process.
   */
  public static byte[] encoded(RegisterRequest request) {
    return register(Call.detached(), request).take();
  }

  private static Call register(Call call, RegisterRequest request) {
    return call.field(request.statement().apk().value())
        .coin(request.statement().coin())
        .u32(request.circuitVersion())
        .point(request.rk())
        .sized(request.proof())
        .sized(request.rkSignature());
  }

  /** The approvals are not looked at. */
  public NativeErrorCode verifyMint(MintRequest request) {
    return verdict(mint(Call.of(Operation.VERIFY_MINT).u64(handle.id()), request));
  }

  /**
   * What the library is asked about a mint: the fixed layout of VERIFY_MINT, for tools outside this
   * process.
   */
  public static byte[] encoded(MintRequest request) {
    return mint(Call.detached(), request).take();
  }

  private static Call mint(Call call, MintRequest request) {
    return call.bytes(request.statement().mintId().bytes())
        .u64(request.statement().value().minor())
        .coin(request.statement().coin())
        .u32(request.circuitVersion())
        .sized(request.proof());
  }

  static Call transfer(Call call, TransferStatement statement, Evidence evidence) {
    call.u8(statement.family().code()).u8(statement.serials().size());
    for (SerialNumber serial : statement.serials()) {
      call.field(serial.value());
    }
    call.u8(statement.outputs().size());
    for (BlindedCoin output : statement.outputs()) {
      call.coin(output);
    }
    call.u32(statement.period().yyyymm())
        .u64(statement.withdrawn().minor())
        .bytes(statement.context().bytes());
    call.u32(evidence.circuitVersion()).point(evidence.rk());
    call.u8(evidence.shows().size());
    evidence.shows().forEach(call::shown);
    return call.sized(evidence.proof()).sized(evidence.rkSignature());
  }

  private static NativeErrorCode verdict(Call call) {
    return NativeErrorCode.of(call.send().u32());
  }

  @Override
  public void close() {
    handle.close();
  }
}
