package io.solidus.operator.issuance.evidence;

import io.solidus.protocol.Committee;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferFamilies;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.NativeException;
import io.solidus.prover.NativeExecutor;
import io.solidus.prover.NativeRejections;
import io.solidus.prover.Suite;
import io.solidus.prover.Verifier;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Verifies mints and withdrawals with the native library. */
public final class EvidenceCheck implements AutoCloseable {
  private static final int QUEUE_PER_THREAD = 32;

  private final Suite suite;
  private final TransferFamilies families;
  private final Verifier verifier;
  private final Committee committee;
  private final Duration deadline;
  private final Clock clock;
  private final NativeExecutor executor;

  public EvidenceCheck(
      Suite suite,
      TransferFamilies families,
      Verifier verifier,
      Committee committee,
      int threads,
      Duration deadline,
      Clock clock) {
    this.suite = suite;
    this.families = families;
    this.verifier = verifier;
    this.committee = committee;
    this.deadline = deadline;
    this.clock = clock;
    this.executor = new NativeExecutor("issuance-check", threads, threads * QUEUE_PER_THREAD);
  }

  public NetworkKind kind() {
    return suite.kind();
  }

  /** The transfers of the network. */
  public TransferFamilies families() {
    return families;
  }

  /**
   * Checks the points and the proof of a mint.
   *
   * @throws ProtocolException with the code of the first rule that fails
   */
  public void requireMint(MintRequest request) {
    NativeRejections.requireOk(run(() -> verifier.verifyMint(request)));
  }

  /**
   * Returns the first 2f+1 partial signatures with a valid vote for the transfer's core and valid
   * points, each in an epoch that the committee knows. At least f+1 of these authorities are honest
   * and reserved its serial numbers for this core only, so no other core can show as many votes.
   * The points prove that the authorities' signers answered, because shards hold the key of votes
   * too.
   *
   * @throws ProtocolException signature-invalid when there are fewer
   */
  public List<PartialSignature> requireQuorum(
      TransferStatement statement, List<PartialSignature> partials) {
    requireShape(statement, partials);
    List<PartialSignature> votes =
        committee.votesFor(
            statement.core(suite.network()), partials, committee.n(), clock.instant());
    List<PartialSignature> valid =
        votes.size() < committee.quorum()
            ? votes
            : run(() -> withPoints(Outputs.of(suite.network(), statement), votes));
    if (valid.size() < committee.quorum()) {
      throw new ProtocolException(
          RejectionCode.SIGNATURE_INVALID,
          "a payout needs valid votes and points of "
              + committee.quorum()
              + " authorities for the transfer");
    }
    return valid;
  }

  private List<PartialSignature> withPoints(Outputs outputs, List<PartialSignature> votes) {
    return votes.stream()
        .filter(vote -> suite.checkPoints(committee, outputs, vote))
        .limit(committee.quorum())
        .toList();
  }

  /**
   * Checks the key signature, the shown signatures and the proof of a transfer.
   *
   * @param rules the rules of the versions that the evidence names; null on an unregulated network
   */
  public void requireTransfer(
      TransferStatement statement, Evidence evidence, @Nullable LimitsAndRoot rules) {
    NativeRejections.requireOk(
        run(() ->
            rules == null
                ? verifier.verifyUnregulated(statement, evidence)
                : verifier.verifyTransfer(statement, evidence, rules.limits(), rules.root())));
  }

  private void requireShape(TransferStatement statement, List<PartialSignature> partials) {
    if (partials.size() > committee.n()
        || partials.stream().map(PartialSignature::authority).distinct().count()
            != partials.size()) {
      throw ProtocolException.malformed("there is more than one partial signature of an authority");
    }
    for (PartialSignature partial : partials) {
      committee.member(partial.authority());
      if (partial.points().size() != statement.outputs().size()) {
        throw ProtocolException.malformed("a partial signature must have one point per output");
      }
    }
  }

  private <T> T run(Callable<T> check) {
    try {
      return executor.run(deadline, check);
    } catch (NativeException e) {
      throw NativeRejections.of(e);
    }
  }

  @Override
  public void close() {
    executor.close();
    verifier.close();
  }
}
