package io.solidus.wallet.core;

import io.solidus.protocol.Amount;
import io.solidus.protocol.MintId;
import java.util.List;

/**
 * What a page shows of a wallet.
 *
 * @param unredeemed withdrawals whose payout the issuance service has not accepted yet
 * @param registering whether a registration case is open
 * @param mints that wait for the bank
 * @param working the id of the command at work; empty for none
 * @param coins received and not claimed
 * @param history the newest finished transfers, the newest last
 * @param archived how many older ones are in pages
 * @param pages how many pages there are, for {@link CoreHost#history}
 * @param recovers that the account went through, the newest last
 * @param mail how far the wallet has read its mail
 */
public record CoreView(
    String address,
    boolean registered,
    boolean restoring,
    Amount held,
    boolean inFlight,
    int undelivered,
    int unredeemed,
    boolean registering,
    List<Mint> mints,
    String working,
    List<Coin> coins,
    List<Transfer> history,
    int archived,
    int pages,
    List<Recover> recovers,
    Mail mail) {
  public CoreView {
    mints = List.copyOf(mints);
    coins = List.copyOf(coins);
    history = List.copyOf(history);
    recovers = List.copyOf(recovers);
  }

  /** A mint that waits for the bank. */
  public record Mint(MintId id, String funding, Amount value) {}

  /** A coin that was received and is not claimed. */
  public record Coin(Amount value, long atMillis, String text) {}

  /**
   * A finished transfer.
   *
   * @param core of 32 bytes
   * @param payment the application's id; empty for none
   * @param payee empty when nothing was paid
   */
  public record Transfer(
      byte[] core,
      String payment,
      long atMillis,
      Amount paid,
      Amount withdrawn,
      Amount claimed,
      String payee,
      String text) {}

  /**
   * A recover.
   *
   * @param core of 32 bytes
   * @param burnt the largest branch: lost to this wallet, and its payee may have been paid
   * @param lost the value of coins that other cores hold
   */
  public record Recover(byte[] core, long atMillis, Amount burnt, Amount returned, Amount lost) {}

  /**
   * How far the wallet has read its mail.
   *
   * @param privately whether it reads by private queries; otherwise receiving reads all that there
   *     is, and everything else here is 0
   * @param upToMillis up to when it knows what came; 0 before the first private reading
   * @param waiting messages that may be payments and whose bodies it has not got
   * @param overdue such messages that waited longer than a day: reading whole brings them
   * @param nextQueryMillis when the next one is asked for, whether or not one waits
   */
  public record Mail(
      boolean privately, long upToMillis, int waiting, int overdue, long nextQueryMillis) {}

  /** Held and unclaimed. */
  public Amount total() {
    return coins.stream().map(Coin::value).reduce(held, Amount::plus);
  }

  @Override
  public String toString() {
    return "CoreView[redacted]";
  }

  static CoreView read(RecordReader in) {
    return new CoreView(
        in.text(),
        in.flag(),
        in.flag(),
        new Amount(in.u64()),
        in.flag(),
        in.u32(),
        in.u32(),
        in.flag(),
        in.list(one -> new Mint(MintId.of(one.raw(32)), one.text(), new Amount(one.u64()))),
        in.text(),
        in.list(one -> new Coin(new Amount(one.u64()), one.u64(), one.text())),
        in.list(CoreView::transfer),
        in.u32(),
        in.u32(),
        in.list(one ->
            new Recover(
                one.raw(32),
                one.u64(),
                new Amount(one.u64()),
                new Amount(one.u64()),
                new Amount(one.u64()))),
        new Mail(in.flag(), in.u64(), in.u32(), in.u32(), in.u64()));
  }

  static Transfer transfer(RecordReader in) {
    return new Transfer(
        in.raw(32),
        in.text(),
        in.u64(),
        new Amount(in.u64()),
        new Amount(in.u64()),
        new Amount(in.u64()),
        in.text(),
        in.text());
  }
}
