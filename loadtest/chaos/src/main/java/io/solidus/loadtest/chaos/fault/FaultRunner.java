package io.solidus.loadtest.chaos.fault;

import io.solidus.dev.processes.Await;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.load.History;
import io.solidus.loadtest.chaos.load.SignatureTap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Runs fault windows one after the other, and checks each while it lasts: with one faulty authority
 * transfers finish, with two none does, and afterwards every authority signs again.
 */
public final class FaultRunner {

  private static final Duration WITH_FAULT = Duration.ofSeconds(90);
  private static final Duration RECOVERY = Duration.ofMinutes(3);
  private static final Duration HEALED = Duration.ofMinutes(5);

  private final FaultTarget target;
  private final Faults faults;
  private final History history;
  private final SignatureTap tap;
  private final Collection<String> incidents;
  private final Coverage coverage;
  private final Map<String, Integer> byKind = new TreeMap<>();
  private final Map<String, Integer> restarts = new TreeMap<>();
  private int count;
  private int overlapping;

  /** A fault that has struck, with its time by {@link System#nanoTime}. */
  private record Struck(PlannedFault planned, Fault fault, long at) {
    long due() {
      return at + TimeUnit.MILLISECONDS.toNanos(planned.holdMillis());
    }
  }

  public FaultRunner(
      FaultTarget target,
      Faults faults,
      History history,
      SignatureTap tap,
      Collection<String> incidents,
      Coverage coverage) {
    this.target = target;
    this.faults = faults;
    this.history = history;
    this.tap = tap;
    this.incidents = incidents;
    this.coverage = coverage;
  }

  public int count() {
    return count;
  }

  /** Faults that struck while another lasted. */
  public int overlapping() {
    return overlapping;
  }

  public Map<String, Integer> byKind() {
    return byKind;
  }

  /**
   * Counts, by kind of fault, how often some authority did not sign again by itself. Each is an
   * incident; nothing is restarted for it.
   */
  public Map<String, Integer> restartsNeeded() {
    return restarts;
  }

  public void run(FaultWindow window) throws InterruptedException {
    List<Struck> struck = new ArrayList<>();
    for (PlannedFault planned : window.faults()) {
      TimeUnit.MILLISECONDS.sleep(planned.afterMillis());
      struck.add(strike(planned));
    }
    overlapping += struck.size() - 1;
    long last = struck.getLast().at();
    if (window.tolerated()) {
      await(
          window,
          "no transfer finishes while it lasts",
          WITH_FAULT,
          () -> history.finishedSince(last));
    }
    heal(struck);
    recover(window, System.nanoTime());
  }

  private Struck strike(PlannedFault planned) {
    Fault fault = faults.make(planned);
    count++;
    byKind.merge(planned.kind().label(), 1, Integer::sum);
    coverage.struck(planned.kind());
    attempt(planned, "does not strike", fault::strike);
    Console.say("%s: struck, %d transfers so far", planned, history.finished());
    return new Struck(planned, fault, System.nanoTime());
  }

  /**
   * Heals each fault at its time, without waiting for the others: a process starts only after its
   * database.
   */
  private void heal(List<Struck> struck) throws InterruptedException {
    List<Thread> healers = new ArrayList<>();
    for (Struck each : struck.stream().sorted(Comparator.comparingLong(Struck::due)).toList()) {
      TimeUnit.NANOSECONDS.sleep(each.due() - System.nanoTime());
      long through =
          each.planned().kind().exceeds() ? history.finishedOfThoseBegunAfter(each.at()) : 0;
      if (through > 0) {
        incidents.add(each.planned() + ": " + through + " transfers finished without a quorum");
      }
      healers.add(
          Thread.ofPlatform()
              .daemon()
              .start(() -> attempt(each.planned(), "is not healed", each.fault()::heal)));
    }
    for (Thread healer : healers) {
      if (!healer.join(HEALED)) {
        incidents.add(
            "not healed within "
                + HEALED.toSeconds()
                + " s: "
                + struck.stream().map(Struck::planned).toList());
      }
    }
  }

  private void recover(FaultWindow planned, long healed) {
    BooleanSupplier recovered =
        () ->
            history.finishedSince(healed)
                && target.cluster().authorities().stream()
                    .allMatch(authority -> tap.signedSince(authority.index(), healed));
    if (!await(planned, "not every authority signs again", RECOVERY, recovered)) {
      planned.faults().forEach(fault -> restarts.merge(fault.kind().label(), 1, Integer::sum));
      return;
    }
    Console.say("%s: recovered after %.1f s", planned, (System.nanoTime() - healed) / 1e9);
  }

  private boolean await(
      FaultWindow planned, String otherwise, Duration limit, BooleanSupplier condition) {
    try {
      Await.until("", limit, condition);
      return true;
    } catch (IllegalStateException e) {
      incidents.add(planned + ": " + otherwise + " within " + limit.toSeconds() + " s");
      return false;
    }
  }

  private void attempt(Object planned, String otherwise, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      incidents.add(planned + ": " + otherwise + ": " + e);
    }
  }
}
