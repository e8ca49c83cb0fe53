package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.simulation.Transfer.Coin;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** A committee, its wallets and their enemies, all of it drawn from one seed. */
final class World {

  /**
   * How a world is made, besides its seed.
   *
   * @param tooManyByzantine f+1 of them, all of which sign anything
   * @param stolenToken whether an intruder may speak to a signer as a shard does
   */
  record Setup(
      Set<Mutation> mutations,
      Pipelines pipelines,
      boolean tooManyByzantine,
      boolean stolenToken,
      boolean tracing) {

    static Setup production() {
      return new Setup(EnumSet.noneOf(Mutation.class), Pipelines.production(), false, true, false);
    }

    static Setup without(Mutation first, Mutation... more) {
      return new Setup(EnumSet.of(first, more), Pipelines.production(), false, true, false);
    }

    Setup with(Pipelines other) {
      return new Setup(mutations, other, tooManyByzantine, stolenToken, tracing);
    }

    Setup withTooManyByzantine() {
      return new Setup(mutations, pipelines, true, stolenToken, tracing);
    }

    Setup withoutStolenToken() {
      return new Setup(mutations, pipelines, tooManyByzantine, false, tracing);
    }

    Setup traced() {
      return new Setup(mutations, pipelines, tooManyByzantine, stolenToken, true);
    }
  }

  /**
   * In ticks. Then machines come back, the network loses nothing more, and there is time to finish.
   */
  static final int FAULTS_END = 500;

  /** Who could not pay until now pays nothing new. */
  static final int LAST_PAYMENT = 3000;

  private static final int END = 6000;
  private static final int SETTLED = 200;

  private final Setup setup;
  private final Dice dice;
  private final Agenda agenda;
  private final Oracle oracle;
  private final Rules rules;
  private final List<Peer> peers = new ArrayList<>();
  private final List<Authority> authorities = new ArrayList<>();
  private final List<Byzantine> byzantine = new ArrayList<>();
  private final BitSet byzantineIndexes = new BitSet();
  private final List<RangeMap> gatewayMaps = new ArrayList<>();
  private final List<CorrectWallet> wallets = new ArrayList<>();
  private final Intruders intruders;
  private final long[] partitionedUntil;
  private final double loss;
  private final long[] happenings = new long[Happening.values().length];

  World(long seed, Setup setup) {
    this.setup = setup;
    this.dice = new Dice(seed);
    this.agenda = new Agenda(setup.tracing());
    this.oracle = new Oracle(this);
    int f = dice.chance(0.05) ? 2 : 1;
    this.rules = new Rules(this, f, policies());
    this.loss = dice.pick(List.of(0.0, 0.02, 0.1, 0.25));
    this.partitionedUntil = new long[3 * f + 2];
    establish(f);
    this.intruders = new Intruders(this, intrudersCoins());
    int correct = dice.between(2, 3);
    for (int i = 0; i < correct; i++) {
      wallets.add(new CorrectWallet(this, i, issued(i), dice.between(1, 2)));
    }
    Chaos chaos = new Chaos(this);
    chaos.begin();
    if (byzantine.size() < f && dice.chance(0.5)) {
      chaos.breakStorage(dice.pick(authorities));
    }
    intruders.begin();
  }

  private List<Rules.Policy> policies() {
    List<Rules.Policy> policies = new ArrayList<>();
    policies.add(new Rules.Policy(-1000, 50));
    if (dice.chance(0.6)) {
      policies.add(new Rules.Policy(dice.between(20, 300), dice.pick(List.of(10L, 50L, 80L))));
    }
    return policies;
  }

  private void establish(int f) {
    int n = 3 * f + 1;
    int dishonest = setup.tooManyByzantine() ? f + 1 : dice.below(f + 1);
    while (byzantineIndexes.cardinality() < dishonest) {
      byzantineIndexes.set(dice.between(1, n));
    }
    boolean signsAll = setup.tooManyByzantine() || dice.chance(0.4);
    for (int index = 1; index <= n; index++) {
      Peer peer = isByzantine(index) ? traitor(index, signsAll) : correct(index);
      peers.add(peer);
      gatewayMaps.add(peer instanceof Authority authority ? authority.map() : RangeMap.even(1));
    }
  }

  private Byzantine traitor(int index, boolean signsAll) {
    Byzantine peer = new Byzantine(this, index, signsAll);
    byzantine.add(peer);
    return peer;
  }

  private Authority correct(int index) {
    long[] delays = {0, dice.between(0, 30)};
    Authority authority = new Authority(this, index, dice.between(1, 3), dice.chance(0.5), delays);
    authorities.add(authority);
    return authority;
  }

  private List<Coin> intrudersCoins() {
    List<Coin> coins = new ArrayList<>();
    if (dice.chance(0.8)) {
      for (int i = 0; i < 4; i++) {
        coins.add(issued(-1));
      }
    }
    return coins;
  }

  private Coin issued(int owner) {
    Coin coin = Transfer.issued(dice.next(), dice.between(20, 100), owner);
    oracle.issue(coin);
    return coin;
  }

  /** Runs to the end; throws a {@link Violation} when a promise is broken. */
  void run() {
    while (agenda.now() < END && !settled() && agenda.step()) {
      // the next event
    }
    requireFinished();
    oracle.finish();
  }

  private boolean settled() {
    return agenda.now() > FAULTS_END + SETTLED && wallets.stream().allMatch(CorrectWallet::idle);
  }

  private void requireFinished() {
    for (CorrectWallet wallet : wallets) {
      Request pending = wallet.pending();
      if (pending != null && canFinish(pending)) {
        throw new Violation(Violation.Kind.NOT_FINISHED, pending.transfer().name());
      }
      if (pending != null) {
        saw(Happening.LEFT_TO_RECOVERY);
      }
    }
  }

  /**
   * A core that no policy in force allows any more is finished when f+1 correct authorities signed
   * it in time. With fewer it stays where it is: that balance waits for the recovery of protocol
   * section 6.
   */
  private boolean canFinish(Request pending) {
    long signed =
        authorities.stream()
            .filter(authority -> !authority.storageBroken())
            .filter(authority -> authority.database().tables().answered(pending.transfer().core()))
            .count();
    return rules.provable(pending.transfer(), rules.newest()) || signed >= rules.f() + 1;
  }

  // ---- what everybody in this world uses ----

  Dice dice() {
    return dice;
  }

  Agenda agenda() {
    return agenda;
  }

  Oracle oracle() {
    return oracle;
  }

  Rules rules() {
    return rules;
  }

  Pipelines pipelines() {
    return setup.pipelines();
  }

  Intruders intruders() {
    return intruders;
  }

  /** By index, from 1: element 0 is authority 1. */
  List<Peer> peers() {
    return peers;
  }

  List<Authority> authorities() {
    return authorities;
  }

  List<Byzantine> byzantine() {
    return byzantine;
  }

  boolean isByzantine(int index) {
    return byzantineIndexes.get(index);
  }

  List<CorrectWallet> wallets() {
    return wallets;
  }

  boolean mutated(Mutation mutation) {
    return setup.mutations().contains(mutation);
  }

  boolean tokenStolen() {
    return setup.stolenToken();
  }

  void saw(Happening happening) {
    happenings[happening.ordinal()]++;
  }

  /** By the ordinal of {@link Happening}. */
  long[] happenings() {
    return happenings;
  }

  void note(Supplier<String> text) {
    agenda.note(text);
  }

  /** Whether a small fault happens here; none does after the faults' end. */
  boolean fault(double probability) {
    return agenda.now() < FAULTS_END && dice.chance(probability);
  }

  BitSet everybody() {
    BitSet all = new BitSet();
    all.set(1, peers.size() + 1);
    return all;
  }

  /** A message between the world outside and one authority, in either direction. */
  void network(int authority, Runnable arrive) {
    boolean faulty = agenda.now() < FAULTS_END;
    boolean lost = faulty && (agenda.now() < partitionedUntil[authority] || dice.chance(loss));
    int slow = faulty && dice.chance(0.1) ? 60 : 5;
    if (!lost) {
      agenda.in(dice.between(0, slow), arrive);
    }
    if (faulty && dice.chance(0.04)) {
      agenda.in(dice.between(0, 100), arrive);
    }
  }

  void partition(int authority, int ticks) {
    partitionedUntil[authority] = agenda.now() + ticks;
  }

  RangeMap gatewayMap(int authority) {
    return gatewayMaps.get(authority - 1);
  }

  void refreshGatewayMap(int authority) {
    if (peers.get(authority - 1) instanceof Authority correct) {
      gatewayMaps.set(authority - 1, correct.map());
    }
  }

  /** The payee finds the coin in her mailbox some time later. */
  void deliver(Transfer transfer) {
    Coin coin = transfer.outputs().getFirst();
    if (coin.owner() >= 0) {
      agenda.in(dice.between(0, 50), () -> wallets.get(coin.owner()).receive(coin));
    }
  }
}
