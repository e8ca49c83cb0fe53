package io.solidus.wallet.session;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Family;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TxCore;
import io.solidus.prover.MintPlan;
import io.solidus.prover.MintWitness;
import io.solidus.prover.PreparedMint;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.MintStatus;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.keys.OutputSecrets;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PendingMint;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.proving.ProofCheck;
import io.solidus.wallet.transfer.BlindedOutputs;
import java.util.List;
import java.util.Optional;

/** Mints: turns a funding recorded by the issuer into a coin. */
public final class MintService {
  private final WalletSession session;
  private final MailboxClient mailbox;

  public MintService(WalletSession session, MailboxClient mailbox) {
    this.session = session;
    this.mailbox = mailbox;
  }

  private record Prepared(
      MintStatement statement, MintPlan plan, PreparedMint mint, OutputSecrets secrets)
      implements AutoCloseable {
    @Override
    public void close() {
      secrets.close();
    }

    BlindedOutputs outputs(NetworkId network) {
      return new BlindedOutputs(
          Outputs.of(network, statement),
          List.of(new BlindedOutputs.Opening(mint.message(), secrets.b())));
    }
  }

  /**
   * Requests a coin against a funding. Two approvers must agree before {@link #collect} can fetch
   * it. The same arguments request the same mint again.
   *
   * @param ordinal distinguishes several mints of one funding
   * @throws ProtocolException the issuer's refusal, after which the wallet forgets the mint if the
   *     issuer does not have it
   * @throws WalletException {@code mint-pending} when the same mint was requested with another
   *     value
   */
  public MintId request(String fundingId, String accessToken, Amount value, int ordinal) {
    MintId id = session.keys().mintId(fundingId, ordinal);
    PendingMint pending =
        find(id).orElseGet(() -> prepare(id, fundingId, accessToken, value, ordinal));
    if (!pending.request().statement().value().equals(value)) {
      throw new WalletException(
          WalletError.MINT_PENDING,
          "this mint of the funding was already requested with another value");
    }
    try {
      session
          .issuance()
          .requestMint(
              pending.request().statement().core(session.network()),
              fundingId,
              accessToken,
              pending.request());
    } catch (ProtocolException e) {
      if (!e.code().retryable() && isUnknown(id)) {
        session.store().update(edit -> edit.mints.remove(pending));
      }
      throw e;
    }
    return id;
  }

  /** Whether the issuer says that it has no such mint: an earlier request may have reached it. */
  private boolean isUnknown(MintId id) {
    try {
      MintStatus unused = session.issuance().mint(id);
      return false;
    } catch (ProtocolException e) {
      return e.code() == RejectionCode.NOT_FOUND;
    } catch (WalletException e) {
      return false;
    }
  }

  /**
   * The minted coin; empty while approvals are missing.
   *
   * @throws WalletException {@code mint-refused}, after which the wallet forgets the mint; {@code
   *     mint-pending} when this wallet did not request the mint
   */
  public Optional<ReceivedCoin> collect(MintId id) {
    PendingMint pending =
        find(id)
            .orElseThrow(() ->
                new WalletException(
                    WalletError.MINT_PENDING, "this wallet has not requested this mint"));
    MintStatus state = session.issuance().mint(id);
    if (state.refused()) {
      session.store().update(edit -> edit.mints.remove(pending));
      throw new WalletException(WalletError.MINT_REFUSED, "the issuer has refused this mint");
    }
    return state.approved() ? Optional.of(submit(pending, state.approvals())) : Optional.empty();
  }

  public List<MintId> pending() {
    return session.store().state().mints().stream()
        .map(mint -> mint.request().statement().mintId())
        .toList();
  }

  private PendingMint prepare(
      MintId id, String fundingId, String accessToken, Amount value, int ordinal) {
    session.options().progress().at(Progress.Step.PROVING);
    try (Prepared prepared = prepared(id, value)) {
      TxCore core = prepared.statement().core(session.network());
      byte[] proof = session.proofs().proveMint(new MintWitness(core, prepared.plan()));
      MintRequest request =
          new MintRequest(
              prepared.statement(), session.circuitVersion(Family.MINT), proof, List.of());
      ProofCheck.requireOk(session.platform().proofCheck().verifyMint(request));
      PendingMint pending = new PendingMint(fundingId, accessToken, ordinal, request);
      session.store().update(edit -> edit.mints.add(pending));
      return pending;
    }
  }

  private ReceivedCoin submit(PendingMint pending, List<MintApproval> approvals) {
    MintRequest requested = pending.request();
    MintRequest request =
        new MintRequest(
            requested.statement(), requested.circuitVersion(), requested.proof(), approvals);
    TxCore core = request.statement().core(session.network());
    session.options().progress().at(Progress.Step.SENDING);
    SignedReply reply = session.gateway().submitMint(core, request);
    try (Prepared prepared =
        prepared(requested.statement().mintId(), requested.statement().value())) {
      Signature signature =
          session.collector().collect(core, prepared.outputs(session.network()), reply).getFirst();
      ReceivedCoin received = accept(pending, prepared, signature);
      mailbox.deliver();
      return received;
    }
  }

  private ReceivedCoin accept(PendingMint pending, Prepared prepared, Signature signature) {
    long now = session.options().clock().millis();
    Coin minted = prepared.mint().coin();
    OwnedCoin coin = new OwnedCoin(minted.origin(), minted.value(), minted.rho(), signature);
    ReceivedCoin received = new ReceivedCoin(Origin.MINT, coin.value(), coin.rho(), now, "");
    session
        .store()
        .update(edit -> {
          edit.mints.remove(pending);
          if (!edit.hasSeen(coin.rho())) {
            edit.accept(coin, received);
            mailbox.keepCopy(edit, coin, received);
          }
        });
    return received;
  }

  private Prepared prepared(MintId id, Amount value) {
    InputDigest d = InputDigest.mint(session.network(), id, value);
    OutputSecrets secrets = session.keys().mint(id);
    MintPlan plan =
        new MintPlan(session.factory().apk(), value, d, secrets.seed(), secrets.s(), secrets.b());
    PreparedMint mint = session.platform().suite().prepareMint(plan);
    return new Prepared(new MintStatement(id, value, mint.blinded()), plan, mint, secrets);
  }

  private Optional<PendingMint> find(MintId id) {
    WalletState state = session.store().state();
    return state.mints().stream()
        .filter(mint -> mint.request().statement().mintId().equals(id))
        .findFirst();
  }
}
