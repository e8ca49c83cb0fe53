package io.solidus.prover;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.RecoverBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Verifies the cryptography of requests: points, key signature, shown signatures, proof, in the
 * order of their cost. The result is OK or the code of the first rule that is violated.
 */
public final class Verifier implements AutoCloseable {
  /** The largest number of transfers in one call of {@link #verifyTransfers}. */
  public static final int MAX_BATCH = 256;

  private final NativeHandle handle;

  private Verifier(NativeHandle handle) {
    this.handle = handle;
  }

  /**
   * Opens a verifier.
   *
   * @throws NativeException when the committee's keys do not belong together
   */
  public static Verifier open(KeySet keys, Committee committee) {
    if (!committee.network().equals(keys.network())) {
      throw new NativeException(
          NativeErrorCode.KEYS_NETWORK, "the committee is of another network than the keys");
    }
    return new Verifier(
        new NativeHandle(
            NativeRequest.of(Operation.VERIFIER_OPEN)
                .u64(keys.id())
                .committee(committee)
                .send()
                .u64()));
  }

  /** Verifies a regulated transfer against the limits of a policy and the root of a checkpoint. */
  public NativeErrorCode verifyTransfer(
      TransferStatement statement, Evidence evidence, Limits limits, FieldElement root) {
    NativeRequest request =
        transfer(NativeRequest.of(Operation.VERIFY_TRANSFER).u64(handle.id()), statement, evidence);
    return verdict(limits.write(request).field(root));
  }

  public NativeErrorCode verifyUnregulated(TransferStatement statement, Evidence evidence) {
    return verdict(
        transfer(
            NativeRequest.of(Operation.VERIFY_UNREGULATED).u64(handle.id()), statement, evidence));
  }

  /**
   * Verifies many transfers of the network's family, at a fraction of the cost of one by one. Each
   * gets the same result as alone. One call uses one processor, so a validator collects a batch per
   * processor. An invalid transfer costs some of the gain, so validators batch sources that send
   * many of them separately.
   *
   * @param transfers at most {@link #MAX_BATCH}
   */
  public List<NativeErrorCode> verifyTransfers(List<TransferBatchItem> transfers) {
    if (transfers.size() > MAX_BATCH) {
      throw new IllegalArgumentException("a batch has at most " + MAX_BATCH + " transfers");
    }
    NativeRequest request =
        NativeRequest.of(Operation.VERIFY_TRANSFERS).u64(handle.id()).u32(transfers.size());
    for (TransferBatchItem transfer : transfers) {
      request.sized(transfer.encoded());
    }
    NativeReply reply = request.send();
    return NativeReply.repeat(transfers.size(), () -> NativeErrorCode.of(reply.u32()));
  }

  public NativeErrorCode verifyRegister(RegisterRequest request) {
    return verdict(register(NativeRequest.of(Operation.VERIFY_REGISTER).u64(handle.id()), request));
  }

  /** Returns the fixed layout of VERIFY_REGISTER, which tools outside this process use too. */
  public static byte[] encoded(RegisterRequest request) {
    return register(NativeRequest.detached(), request).take();
  }

  private static NativeRequest register(NativeRequest out, RegisterRequest request) {
    return out.field(request.statement().apk().value())
        .coin(request.statement().coin())
        .u32(request.circuitVersion())
        .keyPoint(request.rk())
        .sized(request.proof())
        .sized(request.rkSignature());
  }

  /**
   * Verifies a recover and every request below it.
   *
   * @param core as the caller computed it; the library refuses the call when it has another one
   * @param terms of the transfers below, in their order
   */
  public NativeErrorCode verifyRecover(
      RecoverRequest request, TxCore core, List<RecoverTerms> terms) {
    return verdict(
        recover(
            NativeRequest.of(Operation.VERIFY_RECOVER).u64(handle.id()).bytes(core.bytes()),
            request,
            terms));
  }

  private static NativeRequest recover(
      NativeRequest out, RecoverRequest request, List<RecoverTerms> terms) {
    out.u8(request.below().size() + 1);
    Iterator<RecoverTerms> next = terms.iterator();
    for (RequestBelow below : request.below()) {
      switch (below) {
        case TransferBelow transfer -> {
          out.u8(transfer.statement().family().code());
          RecoverTerms under = next.next();
          under
              .limits()
              .write(transfer(out, transfer.statement(), transfer.evidence()))
              .field(under.root());
        }
        case RecoverBelow recover -> recover(out, recover.statement(), recover.evidence());
      }
    }
    return recover(out, request.statement(), request.evidence());
  }

  private static NativeRequest recover(
      NativeRequest out, RecoverStatement statement, RecoverEvidence evidence) {
    out.u8(Family.RECOVER.code()).u8(statement.first()).u8(statement.second());
    for (int j = 0; j < statement.next().size(); j++) {
      out.field(statement.next().get(j).value()).field(statement.returned().get(j));
    }
    out.u8(statement.credits());
    statement.outputs().forEach(out::coin);
    return out.bytes(statement.context().bytes())
        .u32(evidence.circuitVersion())
        .keyPoint(evidence.rk())
        .sized(evidence.proof())
        .sized(evidence.rkSignature());
  }

  /**
   * What the library would reserve for a recover: core, D, serial numbers and the cores below. For
   * tests that compare it with {@link ResolvedRecover}.
   */
  static ResolvedRecover reservation(
      NetworkId network, RecoverRequest request, List<RecoverTerms> terms) {
    NativeReply reply =
        recover(NativeRequest.of(Operation.RECOVER_RESERVATION, network), request, terms).send();
    TxCore core = TxCore.of(reply.bytes(Digest32.BYTES));
    InputDigest d = new InputDigest(reply.field());
    List<SerialNumber> serials =
        NativeReply.repeat(reply.u8(), () -> new SerialNumber(reply.field()));
    List<TxCore> below =
        NativeReply.repeat(reply.u8(), () -> TxCore.of(reply.bytes(Digest32.BYTES)));
    return new ResolvedRecover(
        core, d, serials, Set.copyOf(below), false, false, request.statement().outputs());
  }

  /** Verifies a mint. The approvals are not checked here. */
  public NativeErrorCode verifyMint(MintRequest request) {
    return verdict(mint(NativeRequest.of(Operation.VERIFY_MINT).u64(handle.id()), request));
  }

  /** Returns the fixed layout of VERIFY_MINT, which tools outside this process use too. */
  public static byte[] encoded(MintRequest request) {
    return mint(NativeRequest.detached(), request).take();
  }

  private static NativeRequest mint(NativeRequest out, MintRequest request) {
    return out.bytes(request.statement().mintId().bytes())
        .u64(request.statement().value().minor())
        .coin(request.statement().coin())
        .u32(request.circuitVersion())
        .sized(request.proof());
  }

  static NativeRequest transfer(NativeRequest out, TransferStatement statement, Evidence evidence) {
    out.u8(statement.family().code()).u8(statement.serials().size());
    for (SerialNumber serial : statement.serials()) {
      out.field(serial.value());
    }
    out.u8(statement.outputs().size());
    for (BlindedCoin output : statement.outputs()) {
      out.coin(output);
    }
    out.u32(statement.period().yyyymm())
        .u64(statement.withdrawn().minor())
        .bytes(statement.context().bytes());
    out.u32(evidence.circuitVersion()).keyPoint(evidence.rk());
    out.u8(evidence.shows().size());
    evidence.shows().forEach(out::shown);
    return out.sized(evidence.proof()).sized(evidence.rkSignature());
  }

  private static NativeErrorCode verdict(NativeRequest request) {
    return NativeErrorCode.of(request.send().u32());
  }

  @Override
  public void close() {
    handle.close();
  }
}
