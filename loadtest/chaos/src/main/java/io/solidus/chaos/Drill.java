package io.solidus.chaos;

import io.solidus.cluster.Await;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Lets one fault after the other happen and judges what has to be judged while it lasts: with one authority faulty transfers finish, with two
 * none does, and when it is over every authority signs again.
 */
final class Drill {

  private static final Duration WITH_FAULT = Duration.ofSeconds(90);
  private static final Duration RECOVERY = Duration.ofSeconds(180);
  private static final Duration BY_ITSELF = Duration.ofSeconds(15);

  private final Site site;
  private final Faults faults;
  private final History history;
  private final Tap tap;
  private final Collection<String> incidents;
  private final Map<String, Integer> byKind = new TreeMap<>();
  private final Map<String, Integer> restarts = new TreeMap<>();
  private int count;

  Drill(Site site, Faults faults, History history, Tap tap, Collection<String> incidents) {
    this.site = site;
    this.faults = faults;
    this.history = history;
    this.tap = tap;
    this.incidents = incidents;
  }

  int count() {
    return count;
  }

  Map<String, Integer> byKind() {
    return byKind;
  }

  Map<String, Integer> restartsNeeded() {
    return restarts;
  }

  void run(Planned planned) throws InterruptedException {
    Fault fault = faults.make(planned);
    count++;
    byKind.merge(planned.kind().label(), 1, Integer::sum);
    attempt(planned, "does not strike", fault::strike);
    long struck = System.nanoTime();
    Console.say("%s: struck, %d transfers so far", planned, history.finished());
    boolean tolerated = planned.kind().authorities() <= 1;
    if (tolerated) {
      await(planned, "no transfer finishes while it lasts", WITH_FAULT, () -> history.finishedSince(struck));
    }
    TimeUnit.NANOSECONDS.sleep(struck + TimeUnit.MILLISECONDS.toNanos(planned.holdMillis()) - System.nanoTime());
    long through = tolerated ? 0 : history.finishedOfThoseBegunAfter(struck);
    if (through > 0) {
      incidents.add(planned + ": " + through + " transfers finished without a quorum");
    }
    attempt(planned, "is not healed", fault::heal);
    recover(planned, System.nanoTime());
  }

  private void recover(Planned planned, long healed) {
    BooleanSupplier recovered =
        () ->
            history.finishedSince(healed)
                && site.cluster().authorities().stream().allMatch(authority -> tap.signedSince(authority.index(), healed));
    if (planned.kind() == FaultKind.LOG_FULL && !within(BY_ITSELF, recovered)) {
      restarts.merge(planned.kind().label(), 1, Integer::sum);
      String process = site.signerProcess(planned.authority());
      attempt(planned, "its signer does not start again", () -> {
        site.authority(planned.authority()).kill(process);
        site.authority(planned.authority()).start(process);
      });
    }
    await(planned, "not every authority signs again", RECOVERY, recovered);
    Console.say("%s: recovered after %.1f s", planned, (System.nanoTime() - healed) / 1e9);
  }

  private void await(Planned planned, String otherwise, Duration limit, BooleanSupplier condition) {
    if (!within(limit, condition)) {
      incidents.add(planned + ": " + otherwise + " within " + limit.toSeconds() + " s");
    }
  }

  private static boolean within(Duration limit, BooleanSupplier condition) {
    try {
      Await.until("", limit, condition);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private void attempt(Planned planned, String otherwise, Runnable work) {
    try {
      work.run();
    } catch (IllegalStateException e) {
      incidents.add(planned + ": " + otherwise + ": " + e.getMessage());
    }
  }
}
