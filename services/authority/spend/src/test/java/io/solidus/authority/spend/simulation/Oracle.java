package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.authority.spend.simulation.Violation.Kind;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Sees everything, hears every signature that leaves, and says when a promise is broken. */
final class Oracle {

  private record At(int authority, TxCore core) {}

  private record Spent(int authority, SerialNumber serial) {}

  private final World world;
  private final Map<TxCore, Transfer> transfers = new HashMap<>();
  private final Set<TxCore> ofCorrectWallets = new HashSet<>();
  private final Map<TxCore, BitSet> signers = new HashMap<>();
  private final Map<TxCore, Transfer> certified = new LinkedHashMap<>();
  private final Map<SerialNumber, TxCore> certifiedSpends = new HashMap<>();
  private final Map<Spent, TxCore> tap = new HashMap<>();
  private final Map<Spent, TxCore> logs = new HashMap<>();
  private final Map<Integer, Set<Transfer>> left = new HashMap<>();
  private final Map<At, Partial> bytes = new HashMap<>();
  private final Set<TxCore> inTime = new HashSet<>();
  private final Set<At> checked = new HashSet<>();
  private final Set<SerialNumber> issued = new HashSet<>();
  private long issuedAmount;

  Oracle(World world) {
    this.world = world;
  }

  void issue(Transfer.Coin coin) {
    issued.add(coin.serial());
    issuedAmount += coin.amount();
  }

  void knows(Transfer transfer, boolean correctWallet) {
    transfers.put(transfer.core(), transfer);
    if (correctWallet) {
      ofCorrectWallets.add(transfer.core());
    }
  }

  /** Whether a coin was issued or carries the signatures of a quorum. */
  boolean exists(Transfer.Coin coin) {
    if (coin.origin() == null) {
      return issued.contains(coin.serial());
    }
    Transfer origin = certified.get(coin.origin());
    return origin != null && origin.outputs().contains(coin);
  }

  // ---- what correct authorities do ----

  void admittedInTime(Transfer transfer) {
    inTime.add(transfer.core());
  }

  void checked(Authority authority, Transfer transfer) {
    checked.add(new At(authority.index(), transfer.core()));
  }

  /**
   * Of a batch that begins, the cores that cannot succeed: another core holds a serial number of
   * theirs already.
   */
  Set<TxCore> hopeless(Authority authority, List<Spend<Request>> spends) {
    Tables tables = authority.database().tables();
    return spends.stream()
        .filter(spend ->
            spend.serials().stream()
                .anyMatch(serial -> tables.holdsForAnother(serial, spend.core())))
        .map(Spend::core)
        .collect(Collectors.toSet());
  }

  /** About to be reserved. */
  void reserves(Authority authority, ShardNode shard, Tables tables, Reserving.Wish wish) {
    At at = new At(authority.index(), wish.core());
    Transfer transfer = transfers.get(wish.core());
    if (!checked.contains(at)) {
      throw broken(Kind.UNPROVEN_HELD, authority, transfer);
    }
    // a crash or failover since may have taken the holder's row
    boolean hopeless = wish.hopelessInLife() == authority.database().life();
    if (hopeless
        && transfer.serials().stream()
            .anyMatch(serial -> tables.holdsForAnother(serial, wish.core()))) {
      throw broken(Kind.HOPELESS_HELD, authority, transfer);
    }
    boolean lead = tables.holds(transfer.lead(), wish.core());
    if (wish.request() == null && !lead && !authority.storageBroken()) {
      throw broken(Kind.LEAD_NOT_FIRST, authority, transfer);
    }
    for (SerialNumber serial : wish.serials()) {
      if (tables.holdsForAnother(serial, wish.core()) || ownersOf(tables, serial) != 1) {
        throw broken(Kind.TWO_OWNERS, authority, transfer);
      }
    }
  }

  private static long ownersOf(Tables tables, SerialNumber serial) {
    return tables.shards.values().stream()
        .filter(schema -> schema.ownership.covers(serial))
        .count();
  }

  /** Just reserved, it is said. */
  void reserved(Authority authority, ShardNode shard, Tables tables, List<Reserving.Wish> done) {
    Map<SerialNumber, TxCore> rows = tables.of(shard.index()).serials;
    for (Reserving.Wish wish : done) {
      if (!wish.serials().stream().allMatch(serial -> wish.core().equals(rows.get(serial)))) {
        throw broken(Kind.PARTLY_HELD, authority, transfers.get(wish.core()));
      }
    }
  }

  /**
   * Written to the sign-log, synced or not. With broken storage a signer may write what the anchor
   * then keeps from leaving.
   */
  void logged(Authority authority, SignLog log) {
    if (authority.storageBroken()) {
      return;
    }
    for (Transfer transfer : log.entries()) {
      for (SerialNumber serial : transfer.serials()) {
        TxCore other = logs.put(new Spent(authority.index(), serial), transfer.core());
        if (other != null && !other.equals(transfer.core())) {
          throw broken(Kind.TWO_DIGESTS, authority, transfer);
        }
      }
    }
  }

  /** The tap: a signature leaves a correct authority's signer. */
  void left(Authority authority, Transfer transfer) {
    world.note(() -> authority.name() + " signs " + transfer.name());
    for (SerialNumber serial : transfer.serials()) {
      TxCore other = tap.put(new Spent(authority.index(), serial), transfer.core());
      if (other != null && !other.equals(transfer.core())) {
        throw broken(Kind.TWO_DIGESTS, authority, transfer);
      }
    }
    if (!inTime.contains(transfer.core())) {
      throw broken(Kind.NOT_IN_TIME, authority, transfer);
    }
    left.computeIfAbsent(authority.index(), a -> new HashSet<>()).add(transfer);
    requireKept(authority);
    signed(authority.index(), transfer);
  }

  void byzantineSigned(int authority, Transfer transfer) {
    signed(authority, transfer);
  }

  private void signed(int authority, Transfer transfer) {
    BitSet all = signers.computeIfAbsent(transfer.core(), core -> new BitSet());
    all.set(authority);
    if (all.cardinality() < world.rules().quorum()
        || certified.putIfAbsent(transfer.core(), transfer) != null) {
      return;
    }
    world.saw(Happening.CERTIFIED);
    for (SerialNumber serial : transfer.serials()) {
      TxCore other = certifiedSpends.put(serial, transfer.core());
      if (other != null && !other.equals(transfer.core())) {
        throw new Violation(
            Kind.DOUBLE_SPEND, "cores " + other.hex().substring(0, 6) + " and " + transfer.name());
      }
    }
  }

  /** Everything that left is in the synced log and in the database. */
  private void requireKept(Authority authority) {
    Tables tables = authority.database().tables();
    for (Transfer transfer : left.getOrDefault(authority.index(), Set.of())) {
      boolean held =
          transfer.serials().stream().allMatch(serial -> tables.holds(serial, transfer.core()));
      if (!held || !authority.signer().log().holds(transfer)) {
        throw broken(Kind.SIGNATURE_LOST, authority, transfer);
      }
    }
  }

  /**
   * A shard's answer to a request.
   *
   * @param known whether it had, and has, an answer to this core since before the request's batch
   *     began
   */
  void answered(ShardNode shard, Request request, Outcome<Partial> outcome, boolean known) {
    Transfer transfer = request.transfer();
    switch (outcome) {
      case Outcome.Done<Partial> done -> requireSame(shard, transfer, done.value());
      case Outcome.Failed<Partial> failed -> {
        if (!(failed.reason() instanceof ProtocolException no)) {
          throw failed.reason();
        }
        if (no.code() == RejectionCode.SERIAL_CONFLICT) {
          world.saw(Happening.CONFLICT_REFUSED);
        }
        if (known
            && no.code() != RejectionCode.UNAVAILABLE
            && no.code() != RejectionCode.SHARD_MOVED) {
          throw new Violation(
              Kind.ANSWER_WITHHELD, shard.name() + " " + transfer.name() + " " + no.code());
        }
        if (!no.code().retryable() && request.proof() && isOfCorrectWallet(transfer)) {
          throw new Violation(Kind.REFUSED, shard.name() + " " + transfer.name() + " " + no.code());
        }
      }
    }
  }

  private void requireSame(ShardNode shard, Transfer transfer, Partial answer) {
    Partial earlier = bytes.putIfAbsent(new At(answer.authority(), transfer.core()), answer);
    if (earlier != null && !earlier.equals(answer)) {
      throw new Violation(Kind.OTHER_BYTES, shard.name() + " " + transfer.name());
    }
  }

  boolean isOfCorrectWallet(Transfer transfer) {
    return ofCorrectWallets.contains(transfer.core());
  }

  void halted(Authority authority, String why) {
    world.saw(Happening.SIGNER_REFUSES);
    if (!authority.storageBroken()) {
      throw new Violation(Kind.HALTED_WITHOUT_CAUSE, authority.name() + ": " + why);
    }
  }

  // ---- what gateways hand out ----

  void handedOut(Transfer transfer, Map<Integer, Partial> certificate) {
    boolean valid =
        certificate.entrySet().stream().allMatch(e -> e.getValue().verifies(e.getKey(), transfer));
    if (!valid || certificate.size() < world.rules().quorum()) {
      throw new Violation(Kind.FALSE_CERTIFICATE, transfer.name());
    }
  }

  // ---- at the end ----

  void finish() {
    for (Authority authority : world.authorities()) {
      // one whose storage broke has to notice when it next signs, not before
      if (!authority.storageBroken()) {
        requireKept(authority);
      }
    }
    requireConserved();
  }

  private void requireConserved() {
    long unspent = issuedAmount;
    Set<SerialNumber> spent = new HashSet<>();
    for (Transfer transfer : certified.values()) {
      unspent += transfer.outputs().stream().mapToLong(Transfer.Coin::amount).sum();
      unspent -=
          transfer.inputs().stream()
              .filter(this::exists)
              .filter(c -> spent.add(c.serial()))
              .mapToLong(Transfer.Coin::amount)
              .sum();
    }
    if (unspent != issuedAmount) {
      throw new Violation(Kind.CONSERVATION, "issued " + issuedAmount + ", unspent " + unspent);
    }
  }

  private static Violation broken(Kind kind, Authority authority, Transfer transfer) {
    return new Violation(kind, authority.name() + " " + transfer.name());
  }
}
