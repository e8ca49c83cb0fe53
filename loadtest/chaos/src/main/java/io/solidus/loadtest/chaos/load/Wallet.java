package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
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
 * A holder with real keys and real coins. One thread pays from it; anybody may put coins into its
 * inbox.
 */
public final class Wallet {

  private static final int INPUTS = 2;

  /**
   * What a payment is meant to be.
   *
   * @param claims received coins that are added to the balance, at most two
   */
  public record Intent(Wallet recipient, long paid, long withdrawn, List<OwnedCoin> claims) {}

  private final Realm realm;
  private final Draws draws;
  private final FieldElement nk;
  private final Scalar spendKey;
  private final G1Point pkAuth;
  private final Apk apk;
  private final FieldElement serialKey;
  private final Queue<OwnedCoin> inbox = new ConcurrentLinkedQueue<>();
  private final List<OwnedCoin> pocket = new ArrayList<>();
  private volatile Account account;

  /** With a first compliance coin that holds {@code minor}. */
  public Wallet(Realm realm, Book book, Draws draws, long minor) {
    this.realm = realm;
    this.draws = draws;
    this.nk = draws.field();
    this.spendKey = draws.scalar();
    Suite suite = realm.suite();
    this.pkAuth = suite.publicKey(spendKey);
    this.apk = suite.apk(nk, pkAuth);
    this.serialKey = suite.serialKey(nk, pkAuth);
    this.account = Draws.admissible(() -> first(minor));
    book.issued(serial(account.coin().rho()), minor);
  }

  private Account first(long minor) {
    ComplianceCoin coin =
        new ComplianceCoin(
            apk, draws.field(), new Period(0), Amount.ZERO, 0, Amount.of(minor), FieldElement.ZERO);
    FieldElement message = realm.suite().complianceMessage(coin);
    return new Account(coin, message, realm.issue(message, draws));
  }

  Apk apk() {
    return apk;
  }

  public Draws draws() {
    return draws;
  }

  Scalar spendKey() {
    return spendKey;
  }

  G1Point pkAuth() {
    return pkAuth;
  }

  SerialNumber serial(FieldElement rho) {
    return realm.suite().serial(serialKey, rho);
  }

  long balance() {
    return account.coin().held().minor();
  }

  /** Anybody's: a coin that was paid to this wallet. */
  void give(OwnedCoin coin) {
    inbox.add(coin);
  }

  /** Verified coins that can be claimed. */
  public List<OwnedCoin> coins() {
    for (OwnedCoin coin = inbox.poll(); coin != null; coin = inbox.poll()) {
      if (!realm.suite().verify(realm.committee(), coin.message(), coin.signature())) {
        throw new IllegalStateException("a coin was handed over that is no money");
      }
      pocket.add(coin);
    }
    return List.copyOf(pocket);
  }

  /** The balance with everything received; after its thread has ended. */
  public long worth() {
    return balance() + coins().stream().mapToLong(coin -> coin.coin().value().minor()).sum();
  }

  public Transfer draft(Intent intent) {
    List<PlanInput> inputs = new ArrayList<>();
    intent
        .claims()
        .forEach(coin -> inputs.add(new PlanInput(coin.coin().value(), coin.coin().rho(), false)));
    while (inputs.size() < INPUTS) {
      inputs.add(PlanInput.dummy(draws.field()));
    }
    List<SerialNumber> serials = new ArrayList<>(List.of(serial(account.coin().rho())));
    inputs.forEach(input -> serials.add(serial(input.rho())));
    Attachments attachments = Attachments.withoutPayout(draws.bytes(Attachments.MEMO_BYTES));
    Digest32 context = attachments.context(realm.keys().network());
    Amount withdrawn = Amount.of(intent.withdrawn());
    InputDigest d =
        InputDigest.transfer(realm.keys().network(), Family.TRANSFER, serials, withdrawn, context);
    Period period = realm.rules().policy().period();
    return Draws.admissible(() -> {
      TransferPlan plan =
          new TransferPlan(
              nk,
              pkAuth,
              account.coin(),
              inputs,
              intent.recipient().apk(),
              Amount.of(intent.paid()),
              withdrawn,
              period,
              d,
              draws.field(),
              List.of(draws.field(), draws.field()),
              List.of(draws.scalar(), draws.scalar()),
              draws.field());
      PreparedTransfer prepared = realm.suite().prepareTransfer(plan);
      TransferStatement statement =
          new TransferStatement(
              Family.TRANSFER, serials, prepared.outputs(), period, withdrawn, context);
      return new Transfer(realm, this, intent, account, plan, prepared, statement, attachments);
    });
  }

  /** Moves on: what the transfer spent is gone, what it made is there. */
  public void finish(Transfer transfer, List<Signature> signatures) {
    PreparedTransfer prepared = transfer.prepared();
    Coin paid = prepared.recipientCoin();
    pocket.removeAll(transfer.intent().claims());
    account = new Account(prepared.next(), prepared.nextMessage(), signatures.get(1));
    transfer.recipient().give(new OwnedCoin(paid, prepared.recipientMessage(), signatures.get(0)));
  }
}
