package io.solidus.wallet.transfer;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Period;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.PlanInput;
import io.solidus.prover.PreparedTransfer;
import io.solidus.prover.Suite;
import io.solidus.prover.TransferPlan;
import io.solidus.wallet.keys.TransferSecrets;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.model.Memo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes transfers of one wallet, and makes the same ones again from what was stored with them. */
public final class TransferFactory {
  /** A draw fits with probability about one half, so this many in a row never fail. */
  private static final int MAX_DRAWS = 256;

  private final NetworkId network;
  private final Suite suite;
  private final WalletKeys keys;
  private final MemoCipher memos;
  private final G1Point publicKey;
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

  public G1Point publicKey() {
    return publicKey;
  }

  public SerialNumber serial(FieldElement rho) {
    return suite.serial(serialKey, rho);
  }

  /**
   * A new transfer out of {@code cc}.
   *
   * @param memo what it does; its counter, which no other transfer out of this coin was made with,
   *     is moved on here to the first draw whose outputs the circuits accept
   * @param payoutBlock sealed payout instruction, or zeros
   */
  public TransferDraft draft(ComplianceCoin cc, Memo memo, Period period, byte[] payoutBlock) {
    SerialNumber lead = serial(cc.rho());
    for (int draw = 0; draw < MAX_DRAWS; draw++) {
      Memo counted = memo.withCounter(memo.counter() + draw);
      Attachments attachments = new Attachments(payoutBlock, memos.seal(lead, counted));
      try {
        return prepare(cc, counted, period, attachments, attachments.context(network));
      } catch (NativeException e) {
        if (e.code() != NativeErrorCode.RETRY_SEED) {
          throw e;
        }
      }
    }
    throw new IllegalStateException("no draw of randomness fits the circuit's bound");
  }

  /**
   * The openings of a stored request that spends {@code cc}, or empty when this wallet did not make
   * it out of that coin.
   */
  public Optional<TransferDraft> reopen(ComplianceCoin cc, TransferRequest request) {
    TransferStatement statement = request.statement();
    SerialNumber lead = serial(cc.rho());
    if (statement.family() != Family.TRANSFER || !statement.leadSerial().equals(lead)) {
      return Optional.empty();
    }
    Digest32 context = request.attachments().context(network);
    Optional<Memo> memo = memos.open(lead, request.attachments().memoBlock());
    if (memo.isEmpty() || !context.equals(statement.context())) {
      return Optional.empty();
    }
    try {
      TransferDraft draft =
          prepare(cc, memo.get(), statement.period(), request.attachments(), context);
      if (draft.statement().equals(statement)) {
        return Optional.of(draft);
      }
      draft.close();
      return Optional.empty();
    } catch (NativeException e) {
      return Optional.empty();
    }
  }

  private TransferDraft prepare(
      ComplianceCoin cc, Memo memo, Period period, Attachments attachments, Digest32 context) {
    SerialNumber lead = serial(cc.rho());
    TransferSecrets secrets = keys.transfer(lead, memo.counter(), context);
    try {
      List<PlanInput> inputs = inputs(memo, secrets);
      List<SerialNumber> serials = new ArrayList<>(List.of(lead));
      inputs.forEach(input -> serials.add(serial(input.rho())));
      InputDigest d =
          InputDigest.transfer(network, Family.TRANSFER, serials, memo.withdrawn(), context);
      TransferPlan plan =
          new TransferPlan(
              keys.nullifierKey(),
              publicKey,
              cc,
              inputs,
              memo.recipient().apk(),
              memo.paid(),
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
              Family.TRANSFER, serials, prepared.outputs(), period, memo.withdrawn(), context);
      return new TransferDraft(statement, attachments, memo, plan, prepared, secrets);
    } catch (RuntimeException e) {
      secrets.close();
      throw e;
    }
  }

  /** The claimed coins, then zero-value dummies up to two. */
  private static List<PlanInput> inputs(Memo memo, TransferSecrets secrets) {
    List<PlanInput> inputs = new ArrayList<>();
    memo.inputs().forEach(input -> inputs.add(new PlanInput(input.value(), input.rho(), false)));
    for (int i = inputs.size(); i < Memo.MAX_INPUTS; i++) {
      inputs.add(new PlanInput(Amount.ZERO, secrets.dummyRhos().get(i), true));
    }
    return inputs;
  }
}
