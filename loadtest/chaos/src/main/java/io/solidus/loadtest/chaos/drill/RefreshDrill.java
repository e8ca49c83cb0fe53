package io.solidus.loadtest.chaos.drill;

import io.solidus.dev.processes.Await;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.RollOut;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.protocol.Committee;
import io.solidus.prover.KeySet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * Refreshes the shares of a committee under load, one authority after the other. Before it, some
 * phones are lost, a core is left with the signatures of two authorities, and a payout waits. A new
 * policy then makes the evidence of all of them too old. No payment may fail, every phone is
 * restored, the core is finished, the payout is paid, and never is more than one authority away.
 */
final class RefreshDrill {

  /**
   * The options of the drill.
   *
   * @param apart authorities with a process for the signer and each shard
   * @param perSecond payments that arrive
   * @param lost phones to restore
   * @param overlap how long two epochs live side by side
   * @param toTheEnd waits until the former shares are overwritten
   */
  record Options(
      long seed,
      Set<Integer> apart,
      double perSecond,
      int crowd,
      int lost,
      Duration overlap,
      boolean toTheEnd,
      Path folder) {}

  private RefreshDrill() {}

  static DrillReport run(Options options) throws InterruptedException {
    try (KeyChange change = new KeyChange(options.folder(), options.apart(), options.seed());
        GatewayLoad load = change.load(options.perSecond(), options.crowd())) {
      refresh(change, load, options);
      return change.judge("refresh", load);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void refresh(KeyChange change, GatewayLoad load, Options options)
      throws InterruptedException, IOException {
    DrillFixture fixture = change.fixture;
    KeyChange.Begun begun = change.begin(load, options.lost(), 1);
    LoadTestKeys fresh =
        fixture.keys.refreshed(options.folder().resolve("refreshed"), options.overlap());
    KeySet opened = fresh.open();
    try (opened) {
      Committee committee = opened.committee();
      fixture.network.follow(committee);
      change.changePolicy();
      long rolling = System.nanoTime();
      change.roll(RollOut.files(fresh), 0);
      change.rollGateways(RollOut.files(fresh), load);
      change.figures.put("rolledInSeconds", Math.round((System.nanoTime() - rolling) / 1e9));
      Instant until = committee.former().getFirst().sharesUntil();
      fixture.require(
          Instant.now().isBefore(until), "the former shares ended before all had fresh ones");
      KeyChange.awaitGrace(rolling);
      change.restore(begun, load, committee.epoch());
      fixture.require(
          load.carryOut(begun.locked().getFirst()), "the core of two authorities is locked");
      change.requirePaid(begun, committee);
      if (options.toTheEnd()) {
        awaitEnd(fixture, until, options.overlap());
        change.restore(begun, load, committee.epoch());
      }
    }
  }

  /** Waits until every signer has overwritten its former share. */
  private static void awaitEnd(DrillFixture fixture, Instant until, Duration overlap) {
    Console.say("waiting for the end of the former shares at %s", until);
    Await.until(
        "the former shares are overwritten",
        overlap.plus(KeyChange.LONG),
        () ->
            fixture.cluster.authorities().stream()
                .allMatch(authority ->
                    read(authority.log(authority.names().getFirst()))
                        .contains("the share of epoch 0 was overwritten")));
    fixture.require(!Instant.now().isBefore(until), "a former share ended before its time");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
