package io.solidus.loadtest.chaos.drill;

import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.RulesPublisher;
import io.solidus.dev.processes.RulesPublisher.Issuer;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.RollOut;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.protocol.Committee;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.prover.KeySet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Changes keys under load: an authority's note key, the policy key, the sanctions key. Each change
 * is a roll-out, then new rules under the new key, then a restart of all processes after the former
 * key's time. Before all of it, some phones are lost, cores are left with the signatures of two
 * authorities, and a payout waits. After each change the phones are restored, a core of before is
 * finished and the payout is paid. No payment may fail, and never is more than one authority away.
 */
final class KeysDrill {

  /** The authority whose note key changes: it signed the evidence of before. */
  private static final int RENEWED = 1;

  /** Longer than any drill, because restored phones and payouts need the votes of before. */
  private static final Duration VOTES_COUNT = Duration.ofHours(12);

  private static final List<Set<Change>> ONE_BY_ONE =
      List.of(Set.of(Change.NOTE), Set.of(Change.POLICY), Set.of(Change.SANCTIONS));
  private static final List<Set<Change>> TOGETHER =
      List.of(Set.of(Change.NOTE, Change.POLICY, Change.SANCTIONS));

  /** A key that changes. */
  private enum Change {
    NOTE,
    POLICY,
    SANCTIONS
  }

  /**
   * The options of the drill.
   *
   * @param apart authorities with a process for the signer and each shard
   * @param perSecond payments that arrive
   * @param lost phones to restore
   * @param overlap how long a former key counts
   * @param together changes all keys in one roll-out and does not wait for the end of the former
   *     ones
   */
  record Options(
      long seed,
      Set<Integer> apart,
      double perSecond,
      int crowd,
      int lost,
      Duration overlap,
      boolean together,
      Path folder) {}

  private final Options options;
  private final KeyChange change;
  private final DrillFixture fixture;
  private final GatewayLoad load;
  private final List<KeySet> opened = new ArrayList<>();

  private KeysDrill(Options options, KeyChange change, GatewayLoad load) {
    this.options = options;
    this.change = change;
    this.fixture = change.fixture;
    this.load = load;
  }

  static DrillReport run(Options options) throws InterruptedException {
    try (KeyChange change = new KeyChange(options.folder(), options.apart(), options.seed());
        GatewayLoad load = change.load(options.perSecond(), options.crowd())) {
      KeysDrill drill = new KeysDrill(options, change, load);
      try {
        drill.run();
        return change.judge("keys", load);
      } finally {
        drill.opened.forEach(KeySet::close);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void run() throws InterruptedException, IOException {
    List<Set<Change>> steps = options.together() ? TOGETHER : ONE_BY_ONE;
    KeyChange.Begun begun = change.begin(load, options.lost(), steps.size());
    int finished = 0;
    for (Set<Change> step : steps) {
      Instant until = Instant.now().plus(options.overlap());
      Console.say("changing %s; the former keys count until %s", step, until);
      change(step, until);
      long published = System.nanoTime();
      if (!options.together()) {
        Console.say("waiting for the end of the former keys, then restarting all");
        Thread.sleep(Math.max(0, Duration.between(Instant.now(), until).toMillis()));
      }
      change.roll();
      awaitRules();
      KeyChange.awaitGrace(published);
      Committee committee = fixture.network.committee();
      change.restore(begun, load, committee.epoch());
      if (load.carryOut(begun.locked().get(finished))) {
        finished++;
      }
      change.requirePaid(begun, committee);
    }
    long alarms = change.alarms();
    change.figures.put("alarms", alarms);
    fixture.require(alarms == 0, "gateways raised %d alarms", alarms);
    change.figures.put("keysChanged", Change.values().length);
    change.figures.put("coresOfBeforeFinished", finished);
    fixture.require(finished == steps.size(), "a core of before is locked");
  }

  /** Rolls the new keys out, and then publishes new rules under them. */
  private void change(Set<Change> step, Instant until) throws InterruptedException {
    RulesPublisher rules = fixture.cluster.rules();
    List<Issuer> issuers = new ArrayList<>();
    if (step.contains(Change.POLICY)) {
      issuers.add(Issuer.POLICY);
    }
    if (step.contains(Change.SANCTIONS)) {
      issuers.add(Issuer.SANCTIONS);
    }
    // readers know the new key first: until it is used, what the former one signs still counts
    issuers.forEach(issuer -> rules.announce(issuer, until));
    if (step.contains(Change.NOTE)) {
      LoadTestKeys fresh =
          fixture.keys.refreshed(
              options.folder().resolve("renewed"), options.overlap(), VOTES_COUNT, RENEWED);
      KeySet keys = fresh.open();
      opened.add(keys);
      fixture.network.follow(keys.committee());
      // gateways first: one that does not know the new note key takes the renewed map for forged
      change.rollGateways(RollOut.files(fresh), load);
      change.roll(RollOut.files(fresh), RENEWED);
    } else {
      change.roll();
    }
    fixture.require(Instant.now().isBefore(until), "a former key ended before all knew the new");
    issuers.forEach(rules::change);
    if (step.contains(Change.SANCTIONS)) {
      SanctionCheckpoint next =
          rules.publish(
              fixture.network.rules().checkpoint().version() + 1, List.of(DrillFixture.LISTED));
      fixture.network.follow(next, List.of(DrillFixture.LISTED));
    } else {
      change.changePolicy();
    }
    awaitRules();
  }

  /** Waits until every shard has the newest policy and checkpoint in force. */
  private void awaitRules() {
    long policy = fixture.network.rules().policy().version();
    long checkpoint = fixture.network.rules().checkpoint().version();
    Await.until(
        "all shards accept under policy " + policy + " and checkpoint " + checkpoint,
        KeyChange.LONG,
        () ->
            fixture.cluster.authorities().stream()
                .allMatch(authority ->
                    IntStream.range(0, DrillFixture.SHARDS)
                        .allMatch(shard ->
                            fixture
                                .cluster
                                .status(authority, shard)
                                .filter(status ->
                                    status.getAccepting()
                                        && status.getPolicyVersion() >= policy
                                        && status.getCheckpointVersion() >= checkpoint)
                                .isPresent())));
  }
}
