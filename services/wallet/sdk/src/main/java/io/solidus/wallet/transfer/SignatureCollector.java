package io.solidus.wallet.transfer;

import io.solidus.protocol.Committee;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeException;
import io.solidus.prover.Suite;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.SignedReply;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns a gateway's reply into verified signatures. The gateway's combination saves the wallet
 * work. If it does not verify, the wallet verifies and combines the partial signatures itself.
 */
public final class SignatureCollector {
  private final Committee committee;
  private final Suite suite;
  private final InstantSource clock;

  public SignatureCollector(Committee committee, Suite suite, InstantSource clock) {
    this.committee = committee;
    this.suite = suite;
    this.clock = clock;
  }

  /**
   * One verified signature per output.
   *
   * @throws ProtocolException no-quorum when the combined signature is invalid and fewer than 2f+1
   *     answers are complete
   */
  public List<Signature> collect(TxCore core, BlindedOutputs blinded, SignedReply reply) {
    List<Signature> signatures = new ArrayList<>();
    @Nullable List<PartialSignature> checked = null;
    for (int j = 0; j < blinded.openings().size(); j++) {
      BlindedOutputs.Opening opening = blinded.openings().get(j);
      Optional<Signature> combined = fromCombined(blinded.outputs(), j, opening, reply);
      if (combined.isPresent()) {
        signatures.add(combined.get());
        continue;
      }
      if (checked == null) {
        checked = checked(core, blinded.outputs(), reply.partials());
      }
      signatures.add(fromPartials(blinded.outputs(), j, opening, checked));
    }
    return signatures;
  }

  /**
   * The verified signature of one output.
   *
   * @throws ProtocolException as {@link #collect(TxCore, BlindedOutputs, SignedReply)}
   */
  public Signature collect(
      TxCore core, Outputs outputs, int index, BlindedOutputs.Opening opening, SignedReply reply) {
    return fromCombined(outputs, index, opening, reply)
        .orElseGet(
            () -> fromPartials(outputs, index, opening, checked(core, outputs, reply.partials())));
  }

  /** The complete answers among {@code partials}, at most one for each authority. */
  public List<PartialSignature> checked(
      TxCore core, Outputs outputs, List<PartialSignature> partials) {
    Set<Integer> authorities = new HashSet<>();
    return partials.stream()
        .filter(partial -> suite.checkPartial(committee, core, outputs, partial, clock.instant()))
        .filter(partial -> authorities.add(partial.authority()))
        .toList();
  }

  private Optional<Signature> fromCombined(
      Outputs outputs, int index, BlindedOutputs.Opening opening, SignedReply reply) {
    if (reply.combined().size() != outputs.coins().size()) {
      return Optional.empty();
    }
    try {
      return Optional.of(unblind(outputs, index, opening, reply.combined().get(index)))
          .filter(signature -> verifies(opening, signature));
    } catch (NativeException e) {
      return Optional.empty();
    }
  }

  private Signature fromPartials(
      Outputs outputs, int index, BlindedOutputs.Opening opening, List<PartialSignature> checked) {
    List<PartialSignature> quorum =
        committee
            .combinable(checked)
            .orElseThrow(() ->
                new ProtocolException(
                    RejectionCode.NO_QUORUM,
                    checked.size()
                        + " authorities have signed so far; "
                        + committee.quorum()
                        + " with shares of one epoch are needed"));
    Map<Integer, G1Point> points = new TreeMap<>();
    quorum.forEach(p -> points.put(p.authority(), p.points().get(index)));
    Signature signature = unblind(outputs, index, opening, suite.combine(committee, points));
    if (!verifies(opening, signature)) {
      throw new WalletException(
          WalletError.SIGNATURE_UNVERIFIED,
          "checked partial signatures do not combine to a valid one");
    }
    return signature;
  }

  private Signature unblind(
      Outputs outputs, int index, BlindedOutputs.Opening opening, G1Point combined) {
    return suite.unblind(committee, outputs, index, combined, opening.blinding());
  }

  private boolean verifies(BlindedOutputs.Opening opening, Signature signature) {
    return suite.verify(committee, opening.message(), signature);
  }
}
