package io.solidus.wallet.session;

import io.solidus.protocol.Attestation;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.Signature;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.TxCore;
import io.solidus.prover.PreparedRegister;
import io.solidus.prover.RegisterPlan;
import io.solidus.prover.RegisterWitness;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.Applicant;
import io.solidus.wallet.gateway.CaseStatus;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.keys.OutputSecrets;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.model.PendingRegistration;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.RegistrationStatus;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.proving.ProofCheck;
import io.solidus.wallet.transfer.BlindedOutputs;
import java.util.List;
import java.util.Optional;

/**
 * Registration: gets the first compliance coin. Its statement is a function of the seed, so every
 * attempt requests the same coin.
 */
public final class Registrar {
  private final WalletSession session;
  private final MailboxClient mailbox;

  public Registrar(WalletSession session, MailboxClient mailbox) {
    this.session = session;
    this.mailbox = mailbox;
  }

  /** The first compliance coin and what its signing needs; the caller closes the secrets. */
  private record First(
      RegisterStatement statement,
      PreparedRegister prepared,
      RegisterPlan plan,
      OutputSecrets secrets)
      implements AutoCloseable {
    @Override
    public void close() {
      secrets.close();
    }

    BlindedOutputs outputs(NetworkId network) {
      return new BlindedOutputs(
          Outputs.of(network, statement),
          List.of(new BlindedOutputs.Opening(prepared.message(), secrets.b())));
    }
  }

  /** Opens a registration case, or continues the open one. */
  public RegistrationStatus register(Applicant applicant) {
    WalletState state = session.store().state();
    if (state.compliance() != null) {
      return RegistrationStatus.of(RegistrationStatus.Stage.REGISTERED);
    }
    PendingRegistration pending = state.registration();
    if (pending == null) {
      RegisterRequest request = request();
      pending = new PendingRegistration(request, null);
      PendingRegistration stored = pending;
      session.store().update(edit -> edit.registration = stored);
    }
    if (pending.caseId() == null) {
      TxCore core = pending.request().statement().core(session.network());
      remember(pending, session.registration().open(core, applicant, pending.request()));
    }
    return collect();
  }

  /** Reads the status of the case, and fetches the compliance coin once it is approved. */
  public RegistrationStatus collect() {
    WalletState state = session.store().state();
    PendingRegistration pending = state.registration();
    if (state.compliance() != null) {
      return RegistrationStatus.of(RegistrationStatus.Stage.REGISTERED);
    }
    RegistrationCase opened = pending == null ? null : pending.caseId();
    if (pending == null || opened == null) {
      return RegistrationStatus.of(RegistrationStatus.Stage.NONE);
    }
    CaseStatus status = session.registration().status(opened);
    if (status.refused()) {
      session.store().update(edit -> edit.registration = null);
      return new RegistrationStatus(RegistrationStatus.Stage.REFUSED, status.reason());
    }
    String note = status.attestationNote();
    return status.approved() && note != null && sign(pending.request(), opened, note)
        ? RegistrationStatus.of(RegistrationStatus.Stage.REGISTERED)
        : RegistrationStatus.of(RegistrationStatus.Stage.PENDING);
  }

  /**
   * After a restore, the first compliance coin with its signature from the mailbox; empty when the
   * mailbox does not contain it.
   */
  public Optional<SignedComplianceCoin> recognise(List<Signature> candidates) {
    try (First first = first()) {
      return candidates.stream()
          .filter(s ->
              session
                  .platform()
                  .suite()
                  .verify(session.platform().committee(), first.prepared().message(), s))
          .findFirst()
          .map(s -> new SignedComplianceCoin(first.prepared().cc(), s));
    }
  }

  /** The first compliance coin of this seed. */
  public ComplianceCoin firstCoin() {
    try (First first = first()) {
      return first.prepared().cc();
    }
  }

  /**
   * After a restore during a registration, continues the newest case that is not refused and does
   * not attest another registration.
   *
   * @param cases in the order in which they were opened
   */
  public void resume(List<RegistrationCase> cases) {
    cases.reversed().stream()
        .filter(this::mayBeOwn)
        .findFirst()
        .ifPresent(opened -> {
          PendingRegistration pending = new PendingRegistration(request(), opened);
          session.store().update(edit -> edit.registration = pending);
        });
  }

  /** True also for a case whose status is unavailable now: the wallet itself tagged it. */
  private boolean mayBeOwn(RegistrationCase opened) {
    CaseStatus status;
    try {
      status = session.registration().status(opened);
    } catch (ProtocolException e) {
      return e.code().retryable();
    } catch (WalletException e) {
      return e.error() == WalletError.GATEWAY_UNREACHABLE;
    }
    String note = status.attestationNote();
    return !status.refused() && (note == null || attestsThisWallet(note));
  }

  private boolean attestsThisWallet(String note) {
    try (First first = first()) {
      TxCore core = first.statement().core(session.network());
      return Attestation.parse(session.network(), SignedNote.parse(note).text())
          .registerCore()
          .equals(core);
    } catch (ProtocolException e) {
      return false;
    }
  }

  private void remember(PendingRegistration pending, RegistrationCase opened) {
    session
        .store()
        .update(edit -> {
          edit.registration = pending.withCase(opened);
          mailbox.keepCopy(edit, new Parcel.Registering(opened, session.keys().caseTag(opened)));
        });
    mailbox.deliver();
  }

  /** False while the approval has not reached the authorities. */
  private boolean sign(RegisterRequest request, RegistrationCase opened, String note) {
    TxCore core = request.statement().core(session.network());
    try (First first = first()) {
      SignedReply reply = session.gateway().signRegistration(core, request, note);
      Signature signature =
          session.collector().collect(core, first.outputs(session.network()), reply).getFirst();
      session
          .store()
          .update(edit -> {
            edit.compliance = new SignedComplianceCoin(first.prepared().cc(), signature);
            edit.registration = null;
            edit.registered = opened;
            mailbox.keepCopy(edit, new Parcel.Registered(signature));
          });
    } catch (ProtocolException e) {
      if (e.code().retryable()) {
        return false;
      }
      throw e;
    }
    mailbox.deliver();
    return true;
  }

  private RegisterRequest request() {
    session.options().progress().at(Progress.Step.PROVING);
    try (First first = first();
        KeyScalar alpha = session.scalars().nextKey()) {
      TxCore core = first.statement().core(session.network());
      byte[] proof = session.proofs().proveRegister(new RegisterWitness(core, first.plan(), alpha));
      KeyPoint rk = session.platform().suite().randomisedKey(session.factory().publicKey(), alpha);
      byte[] signature =
          session.platform().suite().signCore(session.keys().spendKey(), alpha, core);
      RegisterRequest request =
          new RegisterRequest(
              first.statement(), session.circuitVersion(Family.REGISTER), rk, proof, signature);
      ProofCheck.requireOk(session.platform().proofCheck().verifyRegister(request));
      return request;
    }
  }

  private First first() {
    InputDigest d = InputDigest.register(session.network(), session.factory().apk());
    OutputSecrets secrets = session.keys().registration();
    RegisterPlan plan =
        new RegisterPlan(
            session.keys().nullifierKey(),
            session.factory().publicKey(),
            d,
            secrets.seed(),
            secrets.s(),
            secrets.b());
    PreparedRegister prepared = session.platform().suite().prepareRegister(plan);
    return new First(
        new RegisterStatement(session.factory().apk(), prepared.coin()), prepared, plan, secrets);
  }
}
