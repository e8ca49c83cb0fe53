package io.solidus.wallet.transfer;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Period;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.NativeException;
import io.solidus.prover.PlanInput;
import io.solidus.prover.PreparedUnregulated;
import io.solidus.prover.Suite;
import io.solidus.prover.UnregulatedPlan;
import io.solidus.wallet.keys.TransferSecrets;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.model.Memo;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the drafts of a wallet's transfers in an unregulated network, and recomputes them from
 * stored requests. The first input is the lead.
 */
@Spec("W-12")
public final class UnregulatedFactory {
  private final NetworkId network;
  private final Suite suite;
  private final WalletKeys keys;
  private final TransferFactory serials;
  private final MemoCipher memos;
  private final SecureRandom random = new SecureRandom();

  /**
   * A factory.
   *
   * @param serials computes the serial numbers of this wallet's coins
   */
  public UnregulatedFactory(
      NetworkId network, Suite suite, WalletKeys keys, TransferFactory serials) {
    this.network = network;
    this.suite = suite;
    this.keys = keys;
    this.serials = serials;
    this.memos = new MemoCipher(keys);
  }

  /**
   * A new transfer.
   *
   * @param memo the transfer's content with one or two inputs, which cover what it pays and
   *     withdraws
   * @param payoutBlock sealed payout instruction; null when nothing is withdrawn
   */
  public UnregulatedDraft draft(Memo memo, byte @Nullable [] payoutBlock) {
    byte[] memoBlock = memos.seal(serials.serial(memo.inputs().getFirst().rho()), memo);
    Attachments attachments =
        payoutBlock == null
            ? Attachments.withoutPayout(memoBlock, random)
            : new Attachments(payoutBlock, memoBlock);
    return prepare(memo, attachments, attachments.context(network));
  }

  /** The draft of a stored request; empty when this wallet did not make the request. */
  public Optional<UnregulatedDraft> reopen(TransferRequest request) {
    TransferStatement statement = request.statement();
    if (statement.family() != Family.TRANSFER_UNREGULATED) {
      return Optional.empty();
    }
    Digest32 context = request.attachments().context(network);
    Optional<Memo> memo = memos.open(statement.leadSerial(), request.attachments().memoBlock());
    if (memo.isEmpty() || !fits(memo.get()) || !context.equals(statement.context())) {
      return Optional.empty();
    }
    try {
      UnregulatedDraft draft = prepare(memo.get(), request.attachments(), context);
      if (draft.statement().equals(statement)) {
        return Optional.of(draft);
      }
      draft.close();
      return Optional.empty();
    } catch (NativeException e) {
      return Optional.empty();
    }
  }

  private static boolean fits(Memo memo) {
    return memo.payees().size() == 1
        && !memo.inputs().isEmpty()
        && memo.inputs().size() <= Family.TRANSFER_UNREGULATED.serials();
  }

  private UnregulatedDraft prepare(Memo memo, Attachments attachments, Digest32 context) {
    SerialNumber lead = serials.serial(memo.inputs().getFirst().rho());
    TransferSecrets secrets = keys.transfer(lead, memo.counter(), Period.NONE, context);
    try {
      List<PlanInput> inputs = inputs(memo, secrets);
      List<SerialNumber> spent = inputs.stream().map(input -> serials.serial(input.rho())).toList();
      InputDigest d =
          InputDigest.transfer(
              network, Family.TRANSFER_UNREGULATED, spent, memo.withdrawn(), context);
      Amount change = memo.claimed().minus(memo.paid()).minus(memo.withdrawn());
      UnregulatedPlan plan =
          new UnregulatedPlan(
              keys.nullifierKey(),
              serials.publicKey(),
              inputs,
              memo.recipient().apk(),
              memo.paid(),
              change,
              memo.withdrawn(),
              Period.NONE,
              d,
              secrets.seed(),
              secrets.s(),
              secrets.b());
      PreparedUnregulated prepared = suite.prepareUnregulated(plan);
      TransferStatement statement =
          new TransferStatement(
              Family.TRANSFER_UNREGULATED,
              spent,
              prepared.outputs(),
              Period.NONE,
              memo.withdrawn(),
              context);
      return new UnregulatedDraft(statement, attachments, memo, plan, prepared, secrets);
    } catch (RuntimeException e) {
      secrets.close();
      throw e;
    }
  }

  /** The coins, then a dummy if there is only one. */
  private static List<PlanInput> inputs(Memo memo, TransferSecrets secrets) {
    List<PlanInput> inputs = new ArrayList<>();
    if (memo.inputs().size() > Family.TRANSFER_UNREGULATED.serials()) {
      throw new IllegalArgumentException("too many claimed coins");
    }
    memo.inputs()
        .forEach(input -> inputs.add(PlanInput.coin(input.value(), input.origin(), input.rho())));
    if (inputs.size() < Family.TRANSFER_UNREGULATED.serials()) {
      inputs.add(PlanInput.dummy(secrets.dummyRhos().getLast()));
    }
    return inputs;
  }
}
