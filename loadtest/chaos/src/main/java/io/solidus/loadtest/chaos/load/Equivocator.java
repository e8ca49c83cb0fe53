package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.PartialSignature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A dishonest wallet: it signs two transfers of the same compliance coin and sends each to a part
 * of the committee at the same time, then both to every authority. At most one may be certified.
 * Often none is; then the coin is locked for good and a new wallet replaces it.
 */
final class Equivocator {

  private static final long START_MINOR = 10_000;
  private static final long PAUSE_MILLIS = 1500;

  private final TestNetwork network;
  private final CoinLedger ledger;
  private final SigningClient client;
  private final SeededRandom random;
  private final List<Wallet> victims;
  private final List<Integer> allAuthorities;
  private final List<Wallet> used = new ArrayList<>();
  private final AtomicLong attempts = new AtomicLong();
  private final AtomicLong unsettled = new AtomicLong();

  Equivocator(
      TestNetwork network,
      CoinLedger ledger,
      SigningClient client,
      SeededRandom random,
      List<Wallet> victims) {
    this.network = network;
    this.ledger = ledger;
    this.client = client;
    this.random = random;
    this.victims = victims;
    this.allAuthorities = IntStream.rangeClosed(1, network.committee().n()).boxed().toList();
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

  /** The number of transfers without a final answer of some authority. */
  long unsettled() {
    return unsettled.get();
  }

  /** The money of these wallets, locked balances included. */
  long worthMinor() {
    return used.stream().mapToLong(Wallet::worth).sum();
  }

  private Wallet fresh() {
    Wallet wallet = new Wallet(network, ledger, random, START_MINOR);
    used.add(wallet);
    return wallet;
  }

  /** Spends a coin twice; returns whether one of the two transfers was certified. */
  private boolean cheat(Wallet wallet, BooleanSupplier tooLate) throws InterruptedException {
    Transfer one = draft(wallet);
    Transfer other = draft(wallet);
    attempts.incrementAndGet();
    List<Integer> split = new ArrayList<>(allAuthorities);
    random.shuffle(split);
    int cut = random.below(allAuthorities.size() + 1);
    Thread first =
        Thread.ofPlatform().daemon().start(() -> sendOnce(one, split.subList(0, cut), tooLate));
    sendOnce(other, split.subList(cut, split.size()), tooLate);
    first.join();
    boolean oneCertified = settle(wallet, one, tooLate);
    boolean otherCertified = settle(wallet, other, tooLate);
    return oneCertified || otherCertified;
  }

  private Transfer draft(Wallet wallet) {
    Transfer transfer =
        wallet.draft(new Wallet.Intent(random.of(victims), random.between(1, 100), 0, List.of()));
    ledger.drafted(transfer);
    return transfer;
  }

  /** Sends a transfer until each authority has given a final answer. */
  private void sendOnce(Transfer transfer, List<Integer> authorities, BooleanSupplier tooLate) {
    try {
      answers(transfer, authorities, tooLate);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private SigningClient.Result answers(
      Transfer transfer, List<Integer> authorities, BooleanSupplier tooLate)
      throws InterruptedException {
    return client.collect(
        transfer,
        authorities,
        soFar -> soFar.signed().size() + soFar.refusals().size() == authorities.size(),
        tooLate);
  }

  /** Asks every authority, so that it is known whether the transfer is certified. */
  private boolean settle(Wallet wallet, Transfer transfer, BooleanSupplier tooLate)
      throws InterruptedException {
    SigningClient.Result result = answers(transfer, allAuthorities, tooLate);
    if (result.signed().size() + result.refusals().size() < allAuthorities.size()) {
      unsettled.incrementAndGet();
    }
    Map<Integer, PartialSignature> signed = result.ofOneEpoch();
    if (signed.size() < network.committee().quorum()) {
      return false;
    }
    wallet.finish(transfer, transfer.signatures(signed));
    return true;
  }
}
