package io.solidus.loadtest.chaos.oracle;

import io.solidus.loadtest.chaos.load.Book;
import io.solidus.loadtest.chaos.load.Operation;
import io.solidus.loadtest.chaos.load.Tap;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The invariants of the payment system, judged on what a run left behind: nothing here trusts a
 * validator's or a wallet's word about itself. Each check is a question of its own, so that one
 * that stops biting is noticed by its own test.
 */
public final class Checks {

  /** Of each kind of violation so many are put in words; all are counted. */
  static final int MAX_WORDS = 5;

  private final Findings findings;
  private final Map<String, Integer> counts = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private final Map<TxCore, Set<Integer>> signers = new HashMap<>();
  private final Set<TxCore> certified = new HashSet<>();

  private Checks(Findings findings) {
    this.findings = findings;
    findings
        .holdings()
        .forEach(each ->
            each.shards()
                .forEach(shard ->
                    shard.answers().keySet().forEach(core -> signed(core, each.authority()))));
    findings.tap().forEach(signed -> signed(signed.core(), signed.authority()));
    signers.forEach((core, authorities) -> {
      if (authorities.size() >= findings.quorum()) {
        certified.add(core);
      }
    });
  }

  public static Verdict judge(Findings findings) {
    Checks checks = new Checks(findings);
    findings.incidents().forEach(incident -> checks.violated("incident", incident));
    long doubled = checks.oneCorePerSerial() + checks.oneCertificatePerSerial();
    long lost = checks.nothingSignedIsLost() + checks.everythingFinished();
    checks.noWrongSignature();
    checks.sameBytes();
    checks.logMatchesDatabase();
    checks.noCorrectWalletRefused();
    checks.oneOwnerPerSerial();
    checks.countsMatch();
    long drift = checks.conservation();
    checks.counts.forEach((kind, count) -> {
      if (count > MAX_WORDS) {
        checks.violations.add(kind + ": " + count + " in all");
      }
    });
    return new Verdict(lost, doubled, drift, List.copyOf(checks.violations));
  }

  /** How many cores are certified: 2f+1 authorities have signed them. */
  static long certified(Findings findings) {
    return new Checks(findings).certified.size();
  }

  private void signed(TxCore core, int authority) {
    signers.computeIfAbsent(core, c -> new HashSet<>()).add(authority);
  }

  /**
   * One core for each serial number at each authority, over the tap, the tables and the log
   * together.
   */
  private long oneCorePerSerial() {
    Map<Integer, Map<SerialNumber, Set<TxCore>>> seen = new TreeMap<>();
    for (Tap.Signed signed : findings.tap()) {
      signed.serials().forEach(serial -> note(seen, signed.authority(), serial, signed.core()));
    }
    for (Holdings holdings : findings.holdings()) {
      holdings
          .shards()
          .forEach(shard ->
              shard
                  .serials()
                  .forEach((serial, core) -> note(seen, holdings.authority(), serial, core)));
      holdings
          .log()
          .forEach(entry ->
              entry
                  .serials()
                  .forEach(serial -> note(seen, holdings.authority(), serial, entry.core())));
    }
    long doubled = 0;
    for (Map.Entry<Integer, Map<SerialNumber, Set<TxCore>>> authority : seen.entrySet()) {
      for (Map.Entry<SerialNumber, Set<TxCore>> each : authority.getValue().entrySet()) {
        if (each.getValue().size() > 1) {
          doubled++;
          violated(
              "one core per serial",
              "authority "
                  + authority.getKey()
                  + " has "
                  + each.getValue().size()
                  + " cores for "
                  + name(each.getKey()));
        }
      }
    }
    return doubled;
  }

  private static void note(
      Map<Integer, Map<SerialNumber, Set<TxCore>>> seen,
      int authority,
      SerialNumber serial,
      TxCore core) {
    seen.computeIfAbsent(authority, a -> new HashMap<>())
        .computeIfAbsent(serial, s -> new HashSet<>(2))
        .add(core);
  }

  /** No serial number has two cores with 2f+1 partial signatures each. */
  private long oneCertificatePerSerial() {
    Map<SerialNumber, TxCore> spent = new HashMap<>();
    long doubled = 0;
    for (Book.Spending spending : findings.book().spendings()) {
      if (certified.contains(spending.core())) {
        for (SerialNumber serial : spending.serials()) {
          TxCore other = spent.put(serial, spending.core());
          if (other != null && !other.equals(spending.core())) {
            doubled++;
            violated("one certificate per serial", name(serial) + " was spent twice");
          }
        }
      }
    }
    return doubled;
  }

  /** Every signature that left is in its authority's tables, byte for byte, and in its log. */
  private long nothingSignedIsLost() {
    Map<Integer, Holdings> byAuthority = new HashMap<>();
    findings.holdings().forEach(each -> byAuthority.put(each.authority(), each));
    Map<Integer, Map<TxCore, Set<Digest32>>> logs = new HashMap<>();
    findings.holdings().forEach(each -> logs.put(each.authority(), points(each)));
    long lost = 0;
    for (Tap.Signed signed : findings.tap()) {
      Holdings holdings = byAuthority.get(signed.authority());
      boolean stored =
          holdings != null
              && holdings.shards().stream()
                  .anyMatch(
                      shard -> Arrays.equals(shard.answers().get(signed.core()), signed.bytes()));
      boolean logged =
          logs.getOrDefault(signed.authority(), Map.of())
              .getOrDefault(signed.core(), Set.of())
              .contains(pointsOf(signed.bytes()));
      if (!stored || !logged) {
        lost++;
        violated(
            "nothing signed is lost",
            "authority "
                + signed.authority()
                + " signed "
                + name(signed.core())
                + (stored ? "" : ", its tables do not hold these bytes")
                + (logged ? "" : ", its log does not hold it"));
      }
    }
    return lost;
  }

  private static Map<TxCore, Set<Digest32>> points(Holdings holdings) {
    Map<TxCore, Set<Digest32>> points = new HashMap<>();
    holdings
        .log()
        .forEach(entry ->
            points.computeIfAbsent(entry.core(), core -> new HashSet<>(2)).add(entry.points()));
    return points;
  }

  private static Digest32 pointsOf(byte[] bytes) {
    try {
      PartialSignature partial = Codecs.partialSignature(bytes);
      return Digest32.sha256(partial.points().stream().map(G1Point::bytes).toArray(byte[][]::new));
    } catch (ProtocolException malformed) {
      return Digest32.sha256(bytes);
    }
  }

  private long everythingFinished() {
    long unfinished =
        findings.operations().stream()
            .filter(operation -> operation.outcome() == Operation.Outcome.UNKNOWN)
            .count();
    if (unfinished > 0) {
      violated(
          "everything finishes",
          unfinished + " transfers of correct wallets did not finish after everything was healed");
    }
    if (findings.unsettled() > 0) {
      violated(
          "everything finishes",
          findings.unsettled() + " transfers of dishonest wallets were never settled");
    }
    return unfinished + findings.unsettled();
  }

  private void noWrongSignature() {
    findings.tap().stream()
        .filter(signed -> !signed.valid())
        .forEach(signed ->
            violated(
                "signatures are right",
                "authority " + signed.authority() + " signed " + name(signed.core()) + " wrongly"));
  }

  /** The same core gets the same bytes, before and after whatever happened. */
  private void sameBytes() {
    Map<List<Object>, byte[]> first = new HashMap<>();
    for (Tap.Signed signed : findings.tap()) {
      byte[] other = first.putIfAbsent(List.of(signed.authority(), signed.core()), signed.bytes());
      if (other != null && !Arrays.equals(other, signed.bytes())) {
        violated(
            "same bytes again",
            "authority " + signed.authority() + " gave two answers for " + name(signed.core()));
      }
    }
  }

  /** The log is whole, and the tables hold everything that it says was signed. */
  private void logMatchesDatabase() {
    for (Holdings holdings : findings.holdings()) {
      if (!holdings.logWhole()) {
        violated(
            "the log is whole",
            "the sign-log of authority " + holdings.authority() + " breaks off");
      }
      for (Holdings.LogEntry entry : holdings.log()) {
        for (SerialNumber serial : entry.serials()) {
          boolean held =
              holdings.shards().stream()
                  .anyMatch(shard -> entry.core().equals(shard.serials().get(serial)));
          if (!held) {
            violated(
                "the log is in the tables",
                "authority "
                    + holdings.authority()
                    + " signed for "
                    + name(serial)
                    + " without holding it");
          }
        }
      }
    }
  }

  private void noCorrectWalletRefused() {
    for (Operation operation : findings.operations()) {
      if (operation.outcome() == Operation.Outcome.FAIL) {
        violated(
            "no correct wallet fails",
            name(operation.core()) + " was refused for good: " + operation.refusals());
      } else if (!operation.refusals().isEmpty()) {
        violated(
            "no correct wallet is refused", name(operation.core()) + ": " + operation.refusals());
      }
    }
  }

  /** Each serial number is held by the one shard whose range it is in. */
  private void oneOwnerPerSerial() {
    for (Holdings holdings : findings.holdings()) {
      Set<SerialNumber> all = new HashSet<>();
      holdings.shards().forEach(shard -> all.addAll(shard.serials().keySet()));
      for (SerialNumber serial : all) {
        List<Holdings.Shard> owners =
            holdings.shards().stream().filter(shard -> shard.owns(serial)).toList();
        if (owners.size() != 1 || !owners.getFirst().serials().containsKey(serial)) {
          violated(
              "one owner per serial",
              "authority "
                  + holdings.authority()
                  + ": "
                  + owners.size()
                  + " shards own "
                  + name(serial)
                  + (owners.size() == 1 ? ", which does not hold it" : ""));
        }
      }
      if (!rangesAdjoin(holdings)) {
        violated(
            "one owner per serial",
            "the ranges of authority " + holdings.authority() + " do not adjoin");
      }
    }
  }

  private static boolean rangesAdjoin(Holdings holdings) {
    Map<FieldElement, Holdings.Shard> byStart = new TreeMap<>();
    holdings.shards().stream()
        .filter(shard -> !shard.fenced())
        .forEach(shard -> byStart.put(shard.lo(), shard));
    FieldElement next = FieldElement.ZERO;
    for (Holdings.Shard shard : byStart.values()) {
      if (next == null || !shard.lo().equals(next)) {
        return false;
      }
      next = shard.hiExclusive();
    }
    return next == null;
  }

  /**
   * What the shards' events report together is what was signed; a core stays counted where it was,
   * wherever its range goes.
   */
  private void countsMatch() {
    for (Holdings holdings : findings.holdings()) {
      Set<TxCore> cores = new HashSet<>();
      holdings.shards().forEach(shard -> cores.addAll(shard.answers().keySet()));
      long counted = holdings.shards().stream().mapToLong(Holdings.Shard::counted).sum();
      if (counted != cores.size()) {
        violated(
            "events match the tables",
            "authority "
                + holdings.authority()
                + " counts "
                + counted
                + " signed cores and holds "
                + cores.size());
      }
    }
  }

  /**
   * Money neither appears nor vanishes: by the coins themselves (what certified cores made, less
   * what certified cores spent), and by what the wallets say they have.
   */
  private long conservation() {
    Set<SerialNumber> spent = new HashSet<>();
    long withdrawn = 0;
    for (Book.Spending spending : findings.book().spendings()) {
      if (certified.contains(spending.core())) {
        spent.addAll(spending.serials());
        withdrawn += spending.withdrawnMinor();
      }
    }
    long alive =
        findings.book().made().stream()
            .filter(coin -> coin.maker() == null || certified.contains(coin.maker()))
            .filter(coin -> !spent.contains(coin.serial()))
            .mapToLong(Book.Made::minor)
            .sum();
    long expected = findings.book().issuedMinor() - withdrawn;
    if (alive != expected) {
      violated(
          "conservation",
          "unspent coins are worth " + alive + ", issued less withdrawn is " + expected);
    }
    if (findings.worthMinor() != expected) {
      violated(
          "conservation",
          "wallets have " + findings.worthMinor() + ", issued less withdrawn is " + expected);
    }
    long byCoins = alive - expected;
    long byWallets = findings.worthMinor() - expected;
    return Math.abs(byCoins) >= Math.abs(byWallets) ? byCoins : byWallets;
  }

  private void violated(String kind, String words) {
    if (counts.merge(kind, 1, Integer::sum) <= MAX_WORDS) {
      violations.add(kind + ": " + words);
    }
  }

  private static String name(SerialNumber serial) {
    return "serial " + serial.hex().substring(0, 16);
  }

  private static String name(TxCore core) {
    return core.toString();
  }
}
