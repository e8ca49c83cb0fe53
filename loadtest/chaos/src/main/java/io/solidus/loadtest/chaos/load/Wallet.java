package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.Period;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.PlanInput;
import io.solidus.prover.PreparedTransfer;
import io.solidus.prover.Suite;
import io.solidus.prover.TransferPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A wallet with real keys and coins. One thread pays from it; other threads put coins into its
 * inbox.
 */
public final class Wallet {

  private static final int INPUTS = 2;

  /**
   * A payment to make.
   *
   * @param claims received coins that are added to the balance, at most two
   */
  public record Intent(Wallet recipient, long paid, long withdrawn, List<OwnedCoin> claims) {}

  private final TestNetwork network;
  private final SeededRandom random;
  private final FieldElement nk;
  private final KeyScalar spendKey;
  private final KeyPoint pkAuth;
  private final Apk apk;
  private final FieldElement serialKey;
  private final Queue<OwnedCoin> inbox = new ConcurrentLinkedQueue<>();
  private final List<OwnedCoin> pocket = new ArrayList<>();
  private volatile SignedComplianceCoin account;

  /** Creates a wallet whose first compliance coin holds {@code minor}. */
  public Wallet(TestNetwork network, CoinLedger ledger, SeededRandom random, long minor) {
    this.network = network;
    this.random = random;
    this.nk = random.field();
    this.spendKey = random.keyScalar();
    Suite suite = network.suite();
    this.pkAuth = suite.publicKey(spendKey);
    this.apk = suite.apk(nk, pkAuth);
    this.serialKey = suite.serialKey(nk, pkAuth);
    this.account = first(minor);
    ledger.issued(serial(account.coin().rho()), minor);
  }

  private SignedComplianceCoin first(long minor) {
    ComplianceCoin coin =
        new ComplianceCoin(
            apk, random.field(), Period.NONE, Amount.ZERO, 0, Amount.of(minor), FieldElement.ZERO);
    FieldElement message = network.suite().complianceMessage(coin);
    return new SignedComplianceCoin(coin, message, network.issue(message, random));
  }

  Apk apk() {
    return apk;
  }

  public SeededRandom random() {
    return random;
  }

  KeyScalar spendKey() {
    return spendKey;
  }

  KeyPoint pkAuth() {
    return pkAuth;
  }

  SerialNumber serial(FieldElement rho) {
    return network.suite().serial(serialKey, rho);
  }

  long balance() {
    return account.coin().held().minor();
  }

  /** Puts a coin into the inbox; called by other wallets. */
  void give(OwnedCoin coin) {
    inbox.add(coin);
  }

  /** The received coins, verified, which can be claimed. */
  public List<OwnedCoin> coins() {
    for (OwnedCoin coin = inbox.poll(); coin != null; coin = inbox.poll()) {
      if (!network.suite().verify(network.committee(), coin.message(), coin.signature())) {
        throw new IllegalStateException("a received coin has no valid signature");
      }
      pocket.add(coin);
    }
    return List.copyOf(pocket);
  }

  /** The balance and all received coins; after the wallet's thread has ended. */
  public long worth() {
    return balance() + coins().stream().mapToLong(coin -> coin.coin().value().minor()).sum();
  }

  public Transfer draft(Intent intent) {
    List<PlanInput> inputs = new ArrayList<>();
    intent
        .claims()
        .forEach(claimed -> {
          Coin coin = claimed.coin();
          inputs.add(PlanInput.coin(coin.value(), coin.origin(), coin.rho()));
        });
    while (inputs.size() < INPUTS) {
      inputs.add(PlanInput.dummy(random.field()));
    }
    List<SerialNumber> serials = new ArrayList<>(List.of(serial(account.coin().rho())));
    inputs.forEach(input -> serials.add(serial(input.rho())));
    Attachments attachments = random.attachments();
    Digest32 context = attachments.context(network.keys().network());
    Amount withdrawn = Amount.of(intent.withdrawn());
    InputDigest d =
        InputDigest.transfer(
            network.keys().network(), Family.TRANSFER, serials, withdrawn, context);
    Period period = network.rules().policy().period();
    TransferPlan plan =
        new TransferPlan(
            nk,
            pkAuth,
            account.coin(),
            inputs,
            false,
            intent.recipient().apk(),
            Amount.of(intent.paid()),
            withdrawn,
            period,
            d,
            random.field(),
            List.of(random.field(), random.field()),
            List.of(random.scalar(), random.scalar()),
            random.field());
    PreparedTransfer prepared = network.suite().prepareTransfer(plan);
    TransferStatement statement =
        new TransferStatement(
            Family.TRANSFER, serials, prepared.outputs(), period, withdrawn, context);
    return new Transfer(network, this, intent, account, plan, prepared, statement, attachments);
  }

  /** Replaces the spent coins by those that the transfer made. */
  public void finish(Transfer transfer, List<Signature> signatures) {
    PreparedTransfer prepared = transfer.prepared();
    Coin paid = prepared.recipientCoin();
    pocket.removeAll(transfer.intent().claims());
    account = new SignedComplianceCoin(prepared.next(), prepared.nextMessage(), signatures.get(1));
    transfer.recipient().give(new OwnedCoin(paid, prepared.recipientMessage(), signatures.get(0)));
  }
}
