package io.solidus.loadtest.chaos.load;

import io.solidus.loadtest.chaos.ChaosOptions;
import io.solidus.protocol.PartialSignature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * Wallets that pay each other as long as they are let. Each has a thread and one transfer at a
 * time; when payments are to stop, what is under way goes on until it is finished or the deadline
 * has passed.
 */
public final class Traffic implements AutoCloseable {

  private static final long START_MINOR = 1_000_000;
  private static final int MAX_PAID = 200;
  private static final int MAX_WITHDRAWN = 50;
  private static final double WITHDRAWS = 0.08;
  private static final int MAX_CLAIMS = 2;

  private final Realm realm;
  private final Book book;
  private final Collector collector;
  private final History history;
  private final List<Integer> everybody;
  private final int quorum;
  private final long thinkMillis;
  private final List<Wallet> wallets = new ArrayList<>();
  private final List<Equivocator> equivocators = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean stopping;
  private volatile boolean tooLate;

  /**
   * @param thinkMillis mean pause of a wallet between two transfers
   */
  public Traffic(Realm realm, Book book, Collector collector, History history, Plan plan) {
    this.realm = realm;
    this.book = book;
    this.collector = collector;
    this.history = history;
    this.everybody = IntStream.rangeClosed(1, realm.committee().n()).boxed().toList();
    this.quorum = realm.committee().quorum();
    this.thinkMillis = plan.crowd().thinkMillis();
    for (int i = 0; i < plan.crowd().honest(); i++) {
      wallets.add(new Wallet(realm, book, new Draws(plan.seed(), "wallet " + i), START_MINOR));
    }
    for (int i = 0; i < plan.crowd().equivocators(); i++) {
      equivocators.add(
          new Equivocator(
              realm, book, collector, new Draws(plan.seed(), "equivocator " + i), wallets));
    }
  }

  /** How much traffic there is. */
  public record Plan(long seed, ChaosOptions.Crowd crowd) {}

  public void start() {
    for (int i = 0; i < wallets.size(); i++) {
      Wallet wallet = wallets.get(i);
      run("wallet-" + i, () -> pay(wallet));
    }
    for (int i = 0; i < equivocators.size(); i++) {
      Equivocator equivocator = equivocators.get(i);
      run("equivocator-" + i, () -> equivocator.run(() -> stopping, () -> tooLate));
    }
  }

  /**
   * No new transfers; waits until what is under way is finished, or nothing more can be expected.
   */
  public void finish(Duration limit) throws InterruptedException {
    stopping = true;
    long end = System.nanoTime() + limit.toNanos();
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
    }
    tooLate = true;
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable first = failure.get();
    if (first != null) {
      throw new IllegalStateException("a wallet failed", first);
    }
  }

  /**
   * What all wallets say they have: balances, received coins, and what dishonest ones locked. After
   * the end.
   */
  public long worthMinor() {
    return wallets.stream().mapToLong(Wallet::worth).sum()
        + equivocators.stream().mapToLong(Equivocator::worthMinor).sum();
  }

  /** How many times a wallet signed two transfers of the same coin. */
  public long equivocations() {
    return equivocators.stream().mapToLong(Equivocator::attempts).sum();
  }

  /** Dishonest transfers that nobody could settle in time. */
  public long unsettled() {
    return equivocators.stream().mapToLong(Equivocator::unsettled).sum();
  }

  @Override
  public void close() {
    stopping = true;
    tooLate = true;
    threads.forEach(Thread::interrupt);
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private void run(String name, Work work) {
    threads.add(
        Thread.ofPlatform()
            .name(name)
            .daemon()
            .start(() -> {
              try {
                work.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
              }
            }));
  }

  private void pay(Wallet wallet) throws InterruptedException {
    while (!stopping) {
      Transfer transfer = wallet.draft(intent(wallet));
      book.drafted(transfer);
      history.invoke(transfer);
      if (!carryOut(transfer)) {
        return;
      }
      Thread.sleep(wallet.draws().between(thinkMillis / 2, thinkMillis + thinkMillis / 2));
    }
  }

  private Wallet.Intent intent(Wallet wallet) {
    Draws draws = wallet.draws();
    List<OwnedCoin> coins = wallet.coins();
    List<OwnedCoin> claims = coins.subList(0, Math.min(MAX_CLAIMS, coins.size()));
    Wallet recipient = draws.of(wallets);
    long withdrawn = draws.chance(WITHDRAWS) ? draws.between(1, MAX_WITHDRAWN) : 0;
    return new Wallet.Intent(recipient, draws.between(1, MAX_PAID), withdrawn, List.copyOf(claims));
  }

  /** Returns false when the transfer did not finish. */
  private boolean carryOut(Transfer transfer) throws InterruptedException {
    Collector.Result result =
        collector.collect(
            transfer,
            everybody,
            soFar ->
                soFar.signed().size() >= quorum
                    || soFar.refusals().size() > everybody.size() - quorum,
            () -> tooLate);
    result
        .refusals()
        .forEach((authority, code) -> history.refused(transfer, authority, code.code()));
    if (result.signed().size() >= quorum) {
      Map<Integer, PartialSignature> signed = result.signed();
      transfer.payer().finish(transfer, transfer.signatures(signed));
      history.end(transfer, Operation.Outcome.OK);
      return true;
    }
    if (result.refusals().size() > everybody.size() - quorum) {
      history.end(transfer, Operation.Outcome.FAIL);
    }
    return false;
  }
}
