package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.simulation.Transfer.Coin;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** A committee, its wallets and its attackers, all determined by one seed. */
final class World {

  /**
   * The configuration of a world, besides its seed.
   *
   * @param tooManyByzantine f+1 Byzantine authorities, all of which sign anything
   * @param stolenToken whether an attacker may call a signer as a shard does
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
   * The end of the faults, in ticks. After it machines restart, the network loses nothing more, and
   * there is time to finish.
   */
  static final int FAULTS_END = 500;

  /** A wallet that has not paid until then starts no new payment. */
  static final int LAST_PAYMENT = 3000;

  private static final int END = 6000;
  private static final int SETTLED = 200;

  private final Setup setup;
  private final SeededRandom random;

  /** Of refreshes, clocks and the newer lies: a world without them is what its seed always gave. */
  private final SeededRandom extra;

  private final EventQueue events;
  private final Oracle oracle;
  private final CommitteeRules rules;
  private final List<AuthorityEndpoint> peers = new ArrayList<>();
  private final List<Authority> authorities = new ArrayList<>();
  private final List<Byzantine> byzantine = new ArrayList<>();
  private final BitSet byzantineIndexes = new BitSet();
  private final List<RangeMap> gatewayMaps = new ArrayList<>();
  private final List<CorrectWallet> wallets = new ArrayList<>();
  private final Attackers attackers;
  private final long[] partitionedUntil;
  private final double loss;
  private final Map<CoveragePoint, Long> covered = new EnumMap<>(CoveragePoint.class);

  World(long seed, Setup setup) {
    this.setup = setup;
    this.random = new SeededRandom(seed);
    this.extra = new SeededRandom(SeededRandom.mix(~seed));
    this.events = new EventQueue(setup.tracing());
    this.oracle = new Oracle(this);
    int f = random.chance(0.05) ? 2 : 1;
    this.rules = new CommitteeRules(this, f, policies());
    this.loss = random.pick(List.of(0.0, 0.02, 0.1, 0.25));
    this.partitionedUntil = new long[3 * f + 2];
    establish(f);
    this.attackers = new Attackers(this, attackersCoins());
    int correct = random.between(2, 3);
    for (int i = 0; i < correct; i++) {
      wallets.add(new CorrectWallet(this, i, issued(i), random.between(1, 2)));
    }
    FaultSchedule faults = new FaultSchedule(this);
    faults.schedule();
    List<Authority> unharmed = new ArrayList<>(authorities);
    int faulty = byzantine.size();
    if (faulty < f && random.chance(0.5)) {
      Authority broken = random.pick(authorities);
      faults.breakStorage(broken);
      unharmed.remove(broken);
      faulty++;
    }
    faults.setClocks(unharmed, f - faulty);
    faults.refresh();
    attackers.schedule();
  }

  private List<CommitteeRules.Policy> policies() {
    List<CommitteeRules.Policy> policies = new ArrayList<>();
    policies.add(new CommitteeRules.Policy(-1000, 50));
    if (random.chance(0.6)) {
      policies.add(
          new CommitteeRules.Policy(random.between(20, 300), random.pick(List.of(10L, 50L, 80L))));
    }
    return policies;
  }

  private void establish(int f) {
    int n = 3 * f + 1;
    int dishonest = setup.tooManyByzantine() ? f + 1 : random.below(f + 1);
    while (byzantineIndexes.cardinality() < dishonest) {
      byzantineIndexes.set(random.between(1, n));
    }
    boolean signsAll = setup.tooManyByzantine() || random.chance(0.4);
    for (int index = 1; index <= n; index++) {
      AuthorityEndpoint peer = isByzantine(index) ? byzantine(index, signsAll) : correct(index);
      peers.add(peer);
      gatewayMaps.add(peer instanceof Authority authority ? authority.map() : RangeMap.even(1));
    }
  }

  private Byzantine byzantine(int index, boolean signsAll) {
    Byzantine peer = new Byzantine(this, index, signsAll);
    byzantine.add(peer);
    return peer;
  }

  private Authority correct(int index) {
    long[] delays = {0, random.between(0, 30)};
    Authority authority =
        new Authority(this, index, random.between(1, 3), random.chance(0.5), delays);
    authorities.add(authority);
    return authority;
  }

  private List<Coin> attackersCoins() {
    List<Coin> coins = new ArrayList<>();
    if (random.chance(0.8)) {
      for (int i = 0; i < 4; i++) {
        coins.add(issued(-1));
      }
    }
    return coins;
  }

  private Coin issued(int owner) {
    Coin coin = Transfer.issued(random.next(), random.between(20, 100), owner);
    oracle.issue(coin);
    return coin;
  }

  /** Runs to the end; throws a {@link Violation} when a promise is broken. */
  void run() {
    while (events.now() < END && !settled() && events.step()) {
      // step() ran the next event
    }
    requireFinished();
    oracle.finish();
  }

  private boolean settled() {
    return events.now() > FAULTS_END + SETTLED && wallets.stream().allMatch(CorrectWallet::idle);
  }

  private void requireFinished() {
    for (CorrectWallet wallet : wallets) {
      Request pending = wallet.pending();
      if (pending != null && canFinish(pending)) {
        throw new Violation(Violation.Kind.NOT_FINISHED, pending.transfer().name());
      }
      if (pending != null) {
        cover(CoveragePoint.LEFT_TO_RECOVERY);
      }
    }
  }

  /**
   * Whether a pending core has to finish. A core that no policy in force allows any more is
   * finished when f+1 correct authorities signed it in time. With fewer it stays as it is: that
   * balance waits for the recovery of protocol section 6.
   */
  private boolean canFinish(Request pending) {
    long signed =
        authorities.stream()
            .filter(authority -> !authority.storageBroken())
            .filter(authority -> authority.database().tables().answered(pending.transfer().core()))
            .count();
    return rules.provable(pending.transfer(), rules.newest()) || signed >= rules.f() + 1;
  }

  // ---- shared by all parts of the world ----

  SeededRandom random() {
    return random;
  }

  SeededRandom extra() {
    return extra;
  }

  /** The newest epoch in which an authority has shares. */
  int epoch() {
    return authorities.stream().mapToInt(Authority::epoch).max().orElse(0);
  }

  EventQueue events() {
    return events;
  }

  Oracle oracle() {
    return oracle;
  }

  CommitteeRules rules() {
    return rules;
  }

  Pipelines pipelines() {
    return setup.pipelines();
  }

  Attackers attackers() {
    return attackers;
  }

  /** By index, from 1: element 0 is authority 1. */
  List<AuthorityEndpoint> peers() {
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

  void cover(CoveragePoint point) {
    covered.merge(point, 1L, Long::sum);
  }

  Map<CoveragePoint, Long> covered() {
    return covered;
  }

  void note(Supplier<String> text) {
    events.note(text);
  }

  /** Whether a small fault occurs here; none does after the end of the faults. */
  boolean fault(double probability) {
    return events.now() < FAULTS_END && random.chance(probability);
  }

  BitSet everyAuthority() {
    BitSet all = new BitSet();
    all.set(1, peers.size() + 1);
    return all;
  }

  /** Sends a message between an authority and the outside, in either direction. */
  void network(int authority, Runnable arrive) {
    boolean faulty = events.now() < FAULTS_END;
    boolean lost = faulty && (events.now() < partitionedUntil[authority] || random.chance(loss));
    int slow = faulty && random.chance(0.1) ? 60 : 5;
    if (!lost) {
      events.in(random.between(0, slow), arrive);
    }
    if (faulty && random.chance(0.04)) {
      events.in(random.between(0, 100), arrive);
    }
  }

  void partition(int authority, int ticks) {
    partitionedUntil[authority] = events.now() + ticks;
  }

  RangeMap gatewayMap(int authority) {
    return gatewayMaps.get(authority - 1);
  }

  void refreshGatewayMap(int authority) {
    if (peers.get(authority - 1) instanceof Authority correct) {
      gatewayMaps.set(authority - 1, correct.map());
    }
  }

  /** Delivers the coin to the payee some time later. */
  void deliver(Transfer transfer) {
    Coin coin = transfer.outputs().getFirst();
    if (coin.owner() >= 0) {
      events.in(random.between(0, 50), () -> wallets.get(coin.owner()).receive(coin));
    }
  }
}
