package io.solidus.wallet.transfer;

import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.NativeException;
import io.solidus.prover.PlanInput;
import io.solidus.prover.PreparedTransfer;
import io.solidus.prover.Suite;
import io.solidus.prover.TransferPlan;
import io.solidus.wallet.keys.TransferSecrets;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.model.Memo;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the drafts of a wallet's transfers, and recomputes them from stored requests. */
public final class TransferFactory {

  private final NetworkId network;
  private final Suite suite;
  private final WalletKeys keys;
  private final MemoCipher memos;
  private final SecureRandom random = new SecureRandom();
  private final KeyPoint publicKey;
  private final Apk apk;
  private final FieldElement serialKey;

  public TransferFactory(NetworkId network, Suite suite, WalletKeys keys) {
    this.network = network;
    this.suite = suite;
    this.keys = keys;
    this.memos = new MemoCipher(keys);
    this.publicKey = suite.publicKey(keys.spendKey());
    this.apk = suite.apk(keys.nullifierKey(), publicKey);
    this.serialKey = suite.serialKey(keys.nullifierKey(), publicKey);
  }

  public Apk apk() {
    return apk;
  }

  public KeyPoint publicKey() {
    return publicKey;
  }

  public SerialNumber serial(FieldElement rho) {
    return suite.serial(serialKey, rho);
  }

  /**
   * A new transfer out of {@code cc}.
   *
   * @param memo the transfer's content, with a counter that no other transfer of this coin has used
   * @param payoutBlock sealed payout instruction; null when nothing is withdrawn
   */
  public TransferDraft draft(
      ComplianceCoin cc, Memo memo, Period period, byte @Nullable [] payoutBlock) {
    byte[] memoBlock = memos.seal(serial(cc.rho()), memo);
    Attachments attachments =
        payoutBlock == null
            ? Attachments.withoutPayout(memoBlock, random)
            : new Attachments(payoutBlock, memoBlock);
    return prepare(familyOf(memo), cc, memo, period, attachments, attachments.context(network));
  }

  /** The family of a new transfer: a shape where one payee or two coins do not suffice. */
  private static Family familyOf(Memo memo) {
    if (memo.payees().size() > Family.TRANSFER.payments()) {
      return Family.PAY_8;
    }
    return memo.inputs().size() > TransferPlan.inputsOf(Family.TRANSFER)
        ? Family.CLAIM_16
        : Family.TRANSFER;
  }

  /** The memo of a request of this wallet; empty when the wallet did not make it. */
  public Optional<Memo> memo(TransferRequest request) {
    return memos.open(request.statement().leadSerial(), request.attachments().memoBlock());
  }

  /**
   * The draft of a stored request that spends {@code cc}; empty when this wallet did not make the
   * request from that coin.
   */
  public Optional<TransferDraft> reopen(ComplianceCoin cc, TransferRequest request) {
    TransferStatement statement = request.statement();
    SerialNumber lead = serial(cc.rho());
    if (!statement.family().isTransferOf(NetworkKind.REGULATED)
        || !statement.leadSerial().equals(lead)) {
      return Optional.empty();
    }
    Digest32 context = request.attachments().context(network);
    Optional<Memo> memo = memos.open(lead, request.attachments().memoBlock());
    if (memo.isEmpty()
        || !fits(memo.get(), statement.family())
        || !context.equals(statement.context())) {
      return Optional.empty();
    }
    try {
      TransferDraft draft =
          prepare(
              statement.family(),
              cc,
              memo.get(),
              statement.period(),
              request.attachments(),
              context);
      if (draft.statement().equals(statement)) {
        return Optional.of(draft);
      }
      draft.close();
      return Optional.empty();
    } catch (NativeException e) {
      return Optional.empty();
    }
  }

  /** An authority may show a request of this wallet in the clothes of another family. */
  private static boolean fits(Memo memo, Family family) {
    return memo.payees().size() <= family.payments()
        && memo.inputs().size() <= TransferPlan.inputsOf(family);
  }

  private TransferDraft prepare(
      Family family,
      ComplianceCoin cc,
      Memo memo,
      Period period,
      Attachments attachments,
      Digest32 context) {
    SerialNumber lead = serial(cc.rho());
    int claims = TransferPlan.inputsOf(family);
    TransferSecrets secrets =
        keys.transfer(lead, memo.counter(), period, context, claims, family.outputs());
    try {
      List<PlanInput> inputs = inputs(memo, secrets);
      List<SerialNumber> serials = new ArrayList<>(List.of(lead));
      inputs.forEach(input -> serials.add(serial(input.rho())));
      InputDigest d = InputDigest.transfer(network, family, serials, memo.withdrawn(), context);
      TransferPlan plan =
          new TransferPlan(
              keys.nullifierKey(),
              publicKey,
              cc,
              inputs,
              false,
              payments(family, memo),
              memo.withdrawn(),
              period,
              d,
              secrets.seed(),
              secrets.s(),
              secrets.b(),
              secrets.historyRandomness());
      PreparedTransfer prepared = suite.prepareTransfer(plan);
      TransferStatement statement =
          new TransferStatement(
              family, serials, prepared.outputs(), period, memo.withdrawn(), context);
      return new TransferDraft(statement, attachments, memo, plan, prepared, secrets);
    } catch (RuntimeException e) {
      secrets.close();
      throw e;
    }
  }

  /** The payments, then payments of nothing up to the number of the family. */
  private List<TransferPlan.Payment> payments(Family family, Memo memo) {
    List<TransferPlan.Payment> payments = new ArrayList<>();
    memo.payees()
        .forEach(payee -> payments.add(new TransferPlan.Payment(payee.to().apk(), payee.amount())));
    if (payments.size() > family.payments()) {
      throw new IllegalArgumentException("too many payees");
    }
    while (payments.size() < family.payments()) {
      payments.add(TransferPlan.Payment.nothing(apk));
    }
    return payments;
  }

  /** The claimed coins, then zero-value dummies up to the number of the family. */
  private static List<PlanInput> inputs(Memo memo, TransferSecrets secrets) {
    List<PlanInput> inputs = new ArrayList<>();
    memo.inputs()
        .forEach(input -> inputs.add(PlanInput.coin(input.value(), input.origin(), input.rho())));
    if (inputs.size() > secrets.dummyRhos().size()) {
      throw new IllegalArgumentException("too many claimed coins");
    }
    for (int i = inputs.size(); i < secrets.dummyRhos().size(); i++) {
      inputs.add(PlanInput.dummy(secrets.dummyRhos().get(i)));
    }
    return inputs;
  }
}
