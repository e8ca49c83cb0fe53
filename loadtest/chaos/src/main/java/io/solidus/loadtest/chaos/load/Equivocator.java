package io.solidus.loadtest.chaos.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A dishonest holder: signs two transfers of the same compliance coin and sends each to a part of
 * the committee, at the same time, then both to everybody. At most one may become money; often none
 * does, and then the coin is locked for ever and a new holder takes over.
 */
final class Equivocator {

  private static final long START_MINOR = 10_000;
  private static final long PAUSE_MILLIS = 1500;

  private final Realm realm;
  private final Book book;
  private final Collector collector;
  private final Draws draws;
  private final List<Wallet> victims;
  private final List<Integer> everybody;
  private final List<Wallet> used = new ArrayList<>();
  private final AtomicLong attempts = new AtomicLong();
  private final AtomicLong unsettled = new AtomicLong();

  Equivocator(Realm realm, Book book, Collector collector, Draws draws, List<Wallet> victims) {
    this.realm = realm;
    this.book = book;
    this.collector = collector;
    this.draws = draws;
    this.victims = victims;
    this.everybody = IntStream.rangeClosed(1, realm.committee().n()).boxed().toList();
  }

  void run(BooleanSupplier stopping, BooleanSupplier tooLate) throws InterruptedException {
    Wallet wallet = fresh();
    while (!stopping.getAsBoolean()) {
      if (!cheat(wallet, tooLate)) {
        wallet = fresh();
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  long attempts() {
    return attempts.get();
  }

  /** Transfers of which some authority never said what it thinks. */
  long unsettled() {
    return unsettled.get();
  }

  /** Locked balances count: nobody gained them. */
  long worthMinor() {
    return used.stream().mapToLong(Wallet::worth).sum();
  }

  private Wallet fresh() {
    Wallet wallet = new Wallet(realm, book, draws, START_MINOR);
    used.add(wallet);
    return wallet;
  }

  /** Returns whether one of the two became money, so that the wallet can go on. */
  private boolean cheat(Wallet wallet, BooleanSupplier tooLate) throws InterruptedException {
    Transfer one = draft(wallet);
    Transfer other = draft(wallet);
    attempts.incrementAndGet();
    List<Integer> split = new ArrayList<>(everybody);
    draws.shuffle(split);
    int cut = draws.below(everybody.size() + 1);
    Thread first =
        Thread.ofPlatform().daemon().start(() -> sendOnce(one, split.subList(0, cut), tooLate));
    sendOnce(other, split.subList(cut, split.size()), tooLate);
    first.join();
    return settle(wallet, one, tooLate) | settle(wallet, other, tooLate);
  }

  private Transfer draft(Wallet wallet) {
    Transfer transfer =
        wallet.draft(new Wallet.Intent(draws.of(victims), draws.between(1, 100), 0, List.of()));
    book.drafted(transfer);
    return transfer;
  }

  /** Until each of them has said something final. */
  private void sendOnce(Transfer transfer, List<Integer> authorities, BooleanSupplier tooLate) {
    try {
      answers(transfer, authorities, tooLate);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Collector.Result answers(
      Transfer transfer, List<Integer> authorities, BooleanSupplier tooLate)
      throws InterruptedException {
    return collector.collect(
        transfer,
        authorities,
        soFar -> soFar.signed().size() + soFar.refusals().size() == authorities.size(),
        tooLate);
  }

  /** Asks everybody, so that it is known for good whether this transfer is money. */
  private boolean settle(Wallet wallet, Transfer transfer, BooleanSupplier tooLate)
      throws InterruptedException {
    Collector.Result result = answers(transfer, everybody, tooLate);
    if (result.signed().size() + result.refusals().size() < everybody.size()) {
      unsettled.incrementAndGet();
    }
    if (result.signed().size() < realm.committee().quorum()) {
      return false;
    }
    wallet.finish(transfer, transfer.signatures(result.signed()));
    return true;
  }
}
