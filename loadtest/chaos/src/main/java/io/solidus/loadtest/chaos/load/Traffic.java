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
 * Wallets that pay each other. Each has a thread and one transfer at a time. After the stop,
 * transfers under way continue until they finish or the time limit ends.
 */
public final class Traffic implements AutoCloseable {

  private static final long START_MINOR = 1_000_000;
  private static final int MAX_PAID = 200;
  private static final int MAX_WITHDRAWN = 50;
  private static final double WITHDRAWS = 0.08;
  private static final int MAX_CLAIMS = 2;

  private final CoinLedger ledger;
  private final SigningClient client;
  private final History history;
  private final List<Integer> authorities;
  private final int quorum;
  private final long thinkMillis;
  private final List<Wallet> wallets = new ArrayList<>();
  private final List<Equivocator> equivocators = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean stopping;
  private volatile boolean tooLate;

  /** Creates the wallets; {@link #start} starts them. */
  public Traffic(
      TestNetwork network, CoinLedger ledger, SigningClient client, History history, Plan plan) {
    this.ledger = ledger;
    this.client = client;
    this.history = history;
    this.authorities = IntStream.rangeClosed(1, network.committee().n()).boxed().toList();
    this.quorum = network.committee().quorum();
    this.thinkMillis = plan.crowd().thinkMillis();
    for (int i = 0; i < plan.crowd().honest(); i++) {
      wallets.add(
          new Wallet(network, ledger, new SeededRandom(plan.seed(), "wallet " + i), START_MINOR));
    }
    for (int i = 0; i < plan.crowd().equivocators(); i++) {
      equivocators.add(
          new Equivocator(
              network, ledger, client, new SeededRandom(plan.seed(), "equivocator " + i), wallets));
    }
  }

  /** The seed and the wallets. */
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

  /** Begins no new transfers, and waits for those under way. */
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
   * The money of all wallets after the end: balances, received coins, and locked coins of dishonest
   * wallets.
   */
  public long worthMinor() {
    return wallets.stream().mapToLong(Wallet::worth).sum()
        + equivocators.stream().mapToLong(Equivocator::worthMinor).sum();
  }

  /** The number of coins that a wallet spent in two transfers. */
  public long equivocations() {
    return equivocators.stream().mapToLong(Equivocator::attempts).sum();
  }

  /** The number of dishonest transfers without a final answer of every authority. */
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
      ledger.drafted(transfer);
      history.invoke(transfer);
      if (!carryOut(transfer)) {
        return;
      }
      Thread.sleep(wallet.random().between(thinkMillis / 2, thinkMillis + thinkMillis / 2));
    }
  }

  private Wallet.Intent intent(Wallet wallet) {
    SeededRandom random = wallet.random();
    List<OwnedCoin> coins = wallet.coins();
    List<OwnedCoin> claims = coins.subList(0, Math.min(MAX_CLAIMS, coins.size()));
    Wallet recipient = random.of(wallets);
    long withdrawn = random.chance(WITHDRAWS) ? random.between(1, MAX_WITHDRAWN) : 0;
    return new Wallet.Intent(
        recipient, random.between(1, MAX_PAID), withdrawn, List.copyOf(claims));
  }

  /** Sends a transfer; returns whether it finished. */
  private boolean carryOut(Transfer transfer) throws InterruptedException {
    SigningClient.Result result =
        client.collect(
            transfer,
            authorities,
            soFar ->
                soFar.ofOneEpoch().size() >= quorum
                    || soFar.refusals().size() > authorities.size() - quorum,
            () -> tooLate);
    result
        .refusals()
        .forEach((authority, code) -> history.refused(transfer, authority, code.code()));
    Map<Integer, PartialSignature> signed = result.ofOneEpoch();
    if (signed.size() >= quorum) {
      transfer.payer().finish(transfer, transfer.signatures(signed));
      history.end(transfer, Operation.Outcome.OK);
      return true;
    }
    if (result.refusals().size() > authorities.size() - quorum) {
      history.end(transfer, Operation.Outcome.FAIL);
    }
    return false;
  }
}
