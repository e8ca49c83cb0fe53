package io.solidus.wallet.flow;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialHeldException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.Share;
import io.solidus.wallet.proving.ProofCheck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A validator in memory with real signatures. It follows the order of section 5 of the protocol:
 * answer a signed core again, check rules and conflicts, verify the proof, reserve the serial
 * numbers, sign.
 */
final class FakeAuthority {
  private final TestNetwork network;
  private final int index;
  private final Share share;
  private final FakeRules rules;
  private final Supplier<ProofCheck> check;
  private final Map<SerialNumber, TxCore> reserved = new HashMap<>();
  private final Map<SerialNumber, TransferRequest> stored = new HashMap<>();
  private final Map<TxCore, PartialSignature> signed = new HashMap<>();
  private final Map<TxCore, RecoverRequest> recovers = new HashMap<>();
  private boolean up = true;
  private boolean lies;

  FakeAuthority(TestNetwork network, Share share, FakeRules rules, Supplier<ProofCheck> check) {
    this.network = network;
    this.check = check;
    this.index = share.index();
    this.share = share;
    this.rules = rules;
  }

  int index() {
    return index;
  }

  /** Sets whether the authority answers. */
  void up(boolean reachable) {
    up = reachable;
  }

  boolean isUp() {
    return up;
  }

  /** Sets whether the authority answers with invalid partial signatures. */
  void lies(boolean on) {
    lies = on;
  }

  /** What an authority stores. */
  record Stored(
      int index,
      Map<SerialNumber, TxCore> reserved,
      Map<SerialNumber, TransferRequest> requests,
      Map<TxCore, PartialSignature> signed,
      Map<TxCore, RecoverRequest> recovers) {}

  Stored stored() {
    return new Stored(
        index, Map.copyOf(reserved), Map.copyOf(stored), Map.copyOf(signed), Map.copyOf(recovers));
  }

  void restore(Stored other) {
    reserved.clear();
    reserved.putAll(other.reserved());
    stored.clear();
    stored.putAll(other.requests());
    signed.clear();
    signed.putAll(other.signed());
    recovers.clear();
    recovers.putAll(other.recovers());
  }

  PartialSignature submit(TransferRequest request) {
    TransferStatement statement = request.statement();
    TxCore core = statement.core(TestCommittee.NETWORK);
    if (!signed.containsKey(core)) {
      request.requireContext(TestCommittee.NETWORK);
      requireRules(request);
      requireUnconflicted(statement, core);
      requireVerifies(statement, request.evidence());
      statement.serials().forEach(serial -> reserved.put(serial, core));
      stored.put(statement.leadSerial(), request);
      signed.put(core, sign(core, Outputs.of(TestCommittee.NETWORK, statement)));
    }
    return signed.get(core);
  }

  /** Reserves serial number by serial number, as X-26 says, then signs. */
  PartialSignature submit(RecoverRequest request) {
    reserveOnly(request);
    ResolvedRecover resolved = request.resolve(TestCommittee.NETWORK);
    return signed.computeIfAbsent(resolved.core(), core -> sign(core, resolved.signed()));
  }

  /** As {@link #submit(RecoverRequest)} before the signature. */
  void reserveOnly(RecoverRequest request) {
    request.requireContext(TestCommittee.NETWORK);
    ResolvedRecover resolved = request.resolve(TestCommittee.NETWORK);
    for (SerialNumber serial : resolved.serials()) {
      TxCore holder = reserved.putIfAbsent(serial, resolved.core());
      if (holder != null && !holder.equals(resolved.core()) && !resolved.below().contains(holder)) {
        throw new SerialHeldException(serial, holder);
      }
      recovers.put(resolved.core(), request);
    }
  }

  /** From now on a core that nobody knows holds the serial number here, in truth or not. */
  void holdsForAnother(SerialNumber serial) {
    reserved.put(serial, new TxCore(Digest32.sha256(serial.bytes())));
  }

  /** From now on it shows recovers so. */
  void showsRecovers(UnaryOperator<RecoverRequest> lie) {
    recovers.replaceAll((core, request) -> lie.apply(request));
  }

  /** From now on it shows transfers so. */
  void showsTransfers(UnaryOperator<TransferRequest> lie) {
    stored.replaceAll((lead, request) -> lie.apply(request));
  }

  /** The recovers with this lead. */
  Stream<RecoverRequest> recovers(SerialNumber lead) {
    return recovers.values().stream()
        .filter(one -> one.resolve(TestCommittee.NETWORK).serials().getFirst().equals(lead));
  }

  /** Stores a transfer and reserves its serial numbers without signing, as after a crash. */
  void reserveOnly(TransferRequest request) {
    TxCore core = request.statement().core(TestCommittee.NETWORK);
    requireUnconflicted(request.statement(), core);
    request.statement().serials().forEach(serial -> reserved.put(serial, core));
    stored.put(request.statement().leadSerial(), request);
  }

  PartialSignature sign(TxCore core, Outputs outputs) {
    return network.committee.voted(index, core, points(lies ? onAnotherDigest(outputs) : outputs));
  }

  private List<G1Point> points(Outputs outputs) {
    return IntStream.range(0, outputs.coins().size())
        .mapToObj(j -> share.sign(TestCommittee.NETWORK, outputs, j))
        .toList();
  }

  Optional<TransferRequest> stored(SerialNumber lead) {
    return Optional.ofNullable(stored.get(lead));
  }

  Optional<TxCore> holder(SerialNumber serial) {
    return Optional.ofNullable(reserved.get(serial));
  }

  boolean hasSigned(TxCore core) {
    return signed.containsKey(core);
  }

  private void requireRules(TransferRequest request) {
    network.keys.transfers().require(request.statement().family());
    if (network.keys.kind() == NetworkKind.UNREGULATED) {
      return;
    }
    Evidence evidence = request.evidence();
    if (evidence.policyVersion() < rules.oldestAcceptedPolicy()) {
      throw new ProtocolException(RejectionCode.STALE_POLICY, "the policy was superseded");
    }
    if (evidence.policyVersion() > rules.policy().version()) {
      throw new ProtocolException(RejectionCode.UNKNOWN_POLICY, "the policy is not known here yet");
    }
    if (evidence.checkpointVersion() != rules.checkpoint().version()) {
      throw new ProtocolException(RejectionCode.STALE_CHECKPOINT, "the checkpoint was superseded");
    }
    if (!rules.accepts(request.statement().period())) {
      throw new ProtocolException(RejectionCode.STALE_PERIOD, "the period is over");
    }
  }

  private void requireUnconflicted(TransferStatement statement, TxCore core) {
    if (statement.serials().stream()
        .map(reserved::get)
        .anyMatch(holder -> holder != null && !holder.equals(core))) {
      throw new ProtocolException(
          RejectionCode.SERIAL_CONFLICT, "a serial number belongs to another transfer");
    }
  }

  private void requireVerifies(TransferStatement statement, Evidence evidence) {
    NativeErrorCode verdict =
        network.keys.kind() == NetworkKind.UNREGULATED
            ? check.get().verifyUnregulated(statement, evidence)
            : check
                .get()
                .verifyTransfer(
                    statement,
                    evidence,
                    rules.limits(evidence.policyVersion()),
                    rules.tree().root());
    if (verdict != NativeErrorCode.OK) {
      throw new ProtocolException(RejectionCode.PROOF_INVALID, verdict.toString());
    }
  }

  /** The outputs under another input digest: valid points, but invalid signatures. */
  private static Outputs onAnotherDigest(Outputs outputs) {
    InputDigest other = new InputDigest(FieldElement.reduce(new byte[] {1}));
    return new Outputs(other, outputs.period(), outputs.coins());
  }
}
