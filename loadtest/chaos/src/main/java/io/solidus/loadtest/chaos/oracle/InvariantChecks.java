package io.solidus.loadtest.chaos.oracle;

import com.google.protobuf.ByteString;
import io.solidus.loadtest.chaos.load.CoinLedger;
import io.solidus.loadtest.chaos.load.Operation;
import io.solidus.loadtest.chaos.load.SignatureTap;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks the invariants of the payment system on the record of a run, without trusting a statement
 * of a validator or wallet about itself. Each invariant has a check and a test of its own.
 */
public final class InvariantChecks {

  /** So many violations of each kind are described; all are counted. */
  static final int MAX_WORDS = 5;

  private final RunRecord run;
  private final Map<String, Integer> counts = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private final Map<TxCore, Set<Integer>> signers = new HashMap<>();
  private final Set<TxCore> certified = new HashSet<>();

  private InvariantChecks(RunRecord run) {
    this.run = run;
    run.states()
        .forEach(each ->
            each.shards()
                .forEach(shard ->
                    shard.answers().keySet().forEach(core -> signed(core, each.authority()))));
    run.tap().forEach(signed -> signed(signed.core(), signed.authority()));
    signers.forEach((core, authorities) -> {
      if (authorities.size() >= run.quorum()) {
        certified.add(core);
      }
    });
  }

  public static Verdict judge(RunRecord run) {
    InvariantChecks checks = new InvariantChecks(run);
    run.incidents().forEach(incident -> checks.violated("incident", incident));
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

  /** The number of certified cores, which 2f+1 authorities have signed. */
  static long certified(RunRecord run) {
    return new InvariantChecks(run).certified.size();
  }

  private void signed(TxCore core, int authority) {
    signers.computeIfAbsent(core, c -> new HashSet<>()).add(authority);
  }

  /**
   * Each authority has at most one core per serial number, over the tap, the tables and the log
   * together.
   */
  private long oneCorePerSerial() {
    Map<Integer, Map<SerialNumber, Set<TxCore>>> seen = new TreeMap<>();
    for (SignatureTap.Signed signed : run.tap()) {
      signed.serials().forEach(serial -> note(seen, signed.authority(), serial, signed.core()));
    }
    for (AuthorityState state : run.states()) {
      state
          .shards()
          .forEach(shard ->
              shard
                  .serials()
                  .forEach((serial, core) -> note(seen, state.authority(), serial, core)));
      state
          .log()
          .forEach(entry ->
              entry
                  .serials()
                  .forEach(serial -> note(seen, state.authority(), serial, entry.core())));
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

  /** No serial number has two certified cores. */
  private long oneCertificatePerSerial() {
    Map<SerialNumber, TxCore> spent = new HashMap<>();
    long doubled = 0;
    for (CoinLedger.Spending spending : run.ledger().spendings()) {
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

  /** Every signature that left an authority is in its tables, byte for byte, and in its log. */
  private long nothingSignedIsLost() {
    Map<Integer, AuthorityState> byAuthority = new HashMap<>();
    run.states().forEach(each -> byAuthority.put(each.authority(), each));
    Map<Integer, Map<TxCore, Set<Digest32>>> logs = new HashMap<>();
    run.states().forEach(each -> logs.put(each.authority(), points(each)));
    long lost = 0;
    for (SignatureTap.Signed signed : run.tap()) {
      AuthorityState state = byAuthority.get(signed.authority());
      boolean stored =
          state != null
              && state.shards().stream()
                  .anyMatch(shard ->
                      shard
                          .answers()
                          .getOrDefault(signed.core(), Set.of())
                          .contains(signed.bytes()));
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

  private static Map<TxCore, Set<Digest32>> points(AuthorityState state) {
    Map<TxCore, Set<Digest32>> points = new HashMap<>();
    state
        .log()
        .forEach(entry ->
            points.computeIfAbsent(entry.core(), core -> new HashSet<>(2)).add(entry.points()));
    return points;
  }

  private static Digest32 pointsOf(ByteString bytes) {
    try {
      PartialSignature partial = Codecs.partialSignature(bytes.toByteArray());
      return Digest32.sha256(partial.points().stream().map(G1Point::bytes).toArray(byte[][]::new));
    } catch (ProtocolException e) {
      return Digest32.sha256(bytes.toByteArray());
    }
  }

  private long everythingFinished() {
    long unfinished =
        run.operations().stream()
            .filter(operation -> operation.outcome() == Operation.Outcome.UNKNOWN)
            .count();
    if (unfinished > 0) {
      violated(
          "everything finishes",
          unfinished + " transfers of correct wallets did not finish after everything was healed");
    }
    if (run.unsettled() > 0) {
      violated(
          "everything finishes",
          run.unsettled() + " transfers of dishonest wallets were never settled");
    }
    return unfinished + run.unsettled();
  }

  private void noWrongSignature() {
    run.tap().stream()
        .filter(signed -> !signed.valid())
        .forEach(signed ->
            violated(
                "signatures are right",
                "authority " + signed.authority() + " signed " + name(signed.core()) + " wrongly"));
  }

  /** An authority answers the same core with the same bytes every time, in each epoch. */
  private void sameBytes() {
    Map<List<Object>, ByteString> first = new HashMap<>();
    for (SignatureTap.Signed signed : run.tap()) {
      ByteString other =
          first.putIfAbsent(
              List.of(signed.authority(), signed.core(), signed.epoch()), signed.bytes());
      if (other != null && !other.equals(signed.bytes())) {
        violated(
            "same bytes again",
            "authority " + signed.authority() + " gave two answers for " + name(signed.core()));
      }
    }
  }

  /** The log is complete, and the tables hold everything that it records. */
  private void logMatchesDatabase() {
    for (AuthorityState state : run.states()) {
      if (!state.logWhole()) {
        violated(
            "the log is whole", "the sign-log of authority " + state.authority() + " breaks off");
      }
      for (AuthorityState.LogEntry entry : state.log()) {
        for (SerialNumber serial : entry.serials()) {
          boolean held =
              state.shards().stream()
                  .anyMatch(shard -> entry.core().equals(shard.serials().get(serial)));
          if (!held) {
            violated(
                "the log is in the tables",
                "authority "
                    + state.authority()
                    + " signed for "
                    + name(serial)
                    + " without holding it");
          }
        }
      }
    }
  }

  private void noCorrectWalletRefused() {
    for (Operation operation : run.operations()) {
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

  /** Each serial number is held by the shard whose range contains it. */
  private void oneOwnerPerSerial() {
    for (AuthorityState state : run.states()) {
      Set<SerialNumber> all = new HashSet<>();
      state.shards().forEach(shard -> all.addAll(shard.serials().keySet()));
      for (SerialNumber serial : all) {
        List<AuthorityState.Shard> owners =
            state.shards().stream().filter(shard -> shard.owns(serial)).toList();
        if (owners.size() != 1 || !owners.getFirst().serials().containsKey(serial)) {
          violated(
              "one owner per serial",
              "authority "
                  + state.authority()
                  + ": "
                  + owners.size()
                  + " shards own "
                  + name(serial)
                  + (owners.size() == 1 ? ", which does not hold it" : ""));
        }
      }
      if (!rangesAdjoin(state)) {
        violated(
            "one owner per serial",
            "the ranges of authority " + state.authority() + " do not adjoin");
      }
    }
  }

  private static boolean rangesAdjoin(AuthorityState state) {
    Map<FieldElement, AuthorityState.Shard> byStart = new TreeMap<>();
    state.shards().stream()
        .filter(shard -> !shard.fenced())
        .forEach(shard -> byStart.put(shard.lo(), shard));
    FieldElement next = FieldElement.ZERO;
    for (AuthorityState.Shard shard : byStart.values()) {
      if (next == null || !shard.lo().equals(next)) {
        return false;
      }
      next = shard.hiExclusive();
    }
    return next == null;
  }

  /**
   * The counts of the shards' events add up to the number of signed cores. A core stays counted at
   * its shard when its range moves.
   */
  private void countsMatch() {
    for (AuthorityState state : run.states()) {
      Set<TxCore> cores = new HashSet<>();
      state.shards().forEach(shard -> cores.addAll(shard.answers().keySet()));
      long counted = state.shards().stream().mapToLong(AuthorityState.Shard::counted).sum();
      if (counted != cores.size()) {
        violated(
            "events match the tables",
            "authority "
                + state.authority()
                + " counts "
                + counted
                + " signed cores and holds "
                + cores.size());
      }
    }
  }

  /**
   * Money neither appears nor vanishes: by the coins (made by certified cores, less spent by
   * certified cores), and by the wallets' balances.
   */
  private long conservation() {
    Set<SerialNumber> spent = new HashSet<>();
    long withdrawn = 0;
    for (CoinLedger.Spending spending : run.ledger().spendings()) {
      if (certified.contains(spending.core())) {
        spent.addAll(spending.serials());
        withdrawn += spending.withdrawnMinor();
      }
    }
    long alive =
        run.ledger().made().stream()
            .filter(coin -> coin.maker() == null || certified.contains(coin.maker()))
            .filter(coin -> !spent.contains(coin.serial()))
            .mapToLong(CoinLedger.Made::minor)
            .sum();
    long expected = run.ledger().issuedMinor() - withdrawn;
    if (alive != expected) {
      violated(
          "conservation",
          "unspent coins are worth " + alive + ", issued less withdrawn is " + expected);
    }
    if (run.worthMinor() != expected) {
      violated(
          "conservation",
          "wallets have " + run.worthMinor() + ", issued less withdrawn is " + expected);
    }
    long byCoins = alive - expected;
    long byWallets = run.worthMinor() - expected;
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
