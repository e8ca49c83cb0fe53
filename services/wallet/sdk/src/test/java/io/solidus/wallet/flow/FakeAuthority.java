package io.solidus.wallet.flow;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.Share;
import io.solidus.wallet.proving.ProofCheck;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One validator in memory, in the order of the protocol's section 5: answered before, rules, proof,
 * reserve the lead serial, then the others, sign. Real cryptography.
 */
final class FakeAuthority {
  private final int index;
  private final Share share;
  private final FakeRules rules;
  private final ProofCheck check;
  private final Map<SerialNumber, TxCore> reserved = new HashMap<>();
  private final Map<SerialNumber, TransferRequest> stored = new HashMap<>();
  private final Map<TxCore, PartialSignature> signed = new HashMap<>();
  private boolean up = true;
  private boolean lies;

  FakeAuthority(int index, Share share, FakeRules rules, ProofCheck check) {
    this.check = check;
    this.index = index;
    this.share = share;
    this.rules = rules;
  }

  int index() {
    return index;
  }

  /** Out of reach when false. */
  void up(boolean reachable) {
    up = reachable;
  }

  boolean isUp() {
    return up;
  }

  /** Answers with points that are no signature of its own. */
  void lies(boolean on) {
    lies = on;
  }

  PartialSignature submit(TransferRequest request) {
    TransferStatement statement = request.statement();
    TxCore core = statement.core(TestKeys.NETWORK);
    if (!signed.containsKey(core)) {
      request.requireContext(TestKeys.NETWORK);
      requireRules(request);
      requireUnconflicted(statement, core);
      requireVerifies(statement, request.evidence());
      statement.serials().forEach(serial -> reserved.put(serial, core));
      stored.put(statement.leadSerial(), request);
      signed.put(core, sign(statement.outputs(), statement.inputDigest(TestKeys.NETWORK)));
    }
    return signed.get(core);
  }

  /** Takes a transfer in and reserves its serials, and dies before it signs. */
  void reserveOnly(TransferRequest request) {
    TxCore core = request.statement().core(TestKeys.NETWORK);
    requireUnconflicted(request.statement(), core);
    request.statement().serials().forEach(serial -> reserved.put(serial, core));
    stored.put(request.statement().leadSerial(), request);
  }

  PartialSignature sign(List<BlindedCoin> outputs, InputDigest d) {
    List<G1Point> points =
        outputs.stream().map(coin -> share.sign(TestKeys.NETWORK, coin, d)).toList();
    return new PartialSignature(index, 0, lies ? swapped(outputs, d) : points);
  }

  Optional<TransferRequest> stored(SerialNumber lead) {
    return Optional.ofNullable(stored.get(lead));
  }

  boolean hasSigned(TxCore core) {
    return signed.containsKey(core);
  }

  private void requireRules(TransferRequest request) {
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
    if (!request.statement().period().equals(rules.policy().period())) {
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
        check.verifyTransfer(
            statement, evidence, rules.limits(evidence.policyVersion()), rules.tree().root());
    if (verdict != NativeErrorCode.OK) {
      throw new ProtocolException(RejectionCode.PROOF_INVALID, verdict.toString());
    }
  }

  /** Its own share's answer to another question: on the curve, in the subgroup, and wrong. */
  private List<G1Point> swapped(List<BlindedCoin> outputs, InputDigest d) {
    InputDigest other =
        new InputDigest(FieldElement.of(d.value().toBigInteger().add(BigInteger.ONE)));
    return outputs.stream().map(coin -> share.sign(TestKeys.NETWORK, coin, other)).toList();
  }
}
