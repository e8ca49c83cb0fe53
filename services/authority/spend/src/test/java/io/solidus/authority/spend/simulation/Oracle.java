package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
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
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Observes the whole world and every signature that leaves a process, and throws a {@link
 * Violation} when a promise is broken.
 */
final class Oracle {

  private record At(int authority, TxCore core) {}

  private record Answered(int authority, int epoch, TxCore core) {}

  private record Spent(int authority, SerialNumber serial) {}

  private final World world;
  private final Map<TxCore, Transfer> transfers = new HashMap<>();
  private final Set<TxCore> ofCorrectWallets = new HashSet<>();
  private final Map<TxCore, BitSet> signers = new HashMap<>();
  private final Map<TxCore, Transfer> certified = new LinkedHashMap<>();
  private final Map<SerialNumber, TxCore> certifiedSpends = new HashMap<>();
  private final Map<Spent, TxCore> signedSpends = new HashMap<>();
  private final Map<Spent, TxCore> logs = new HashMap<>();
  private final Map<Integer, Set<Transfer>> left = new HashMap<>();
  private final Map<Answered, SimulatedPartial> bytes = new HashMap<>();
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

  // ---- events of correct authorities ----

  /** An authority admitted a new core by its own clock, which may be wrong. */
  void admittedInTime(Authority authority, Request request) {
    if (world.rules().inTime(authority, request)) {
      inTime.add(request.transfer().core());
    }
  }

  void checked(Authority authority, Transfer transfer) {
    checked.add(new At(authority.index(), transfer.core()));
  }

  /**
   * The cores of a batch that cannot succeed: another core holds one of their serial numbers
   * already.
   */
  Set<TxCore> hopeless(Authority authority, List<SpendRequest<Request>> requests) {
    Tables tables = authority.database().tables();
    return requests.stream()
        .filter(request ->
            request.serials().stream()
                .anyMatch(serial -> tables.holdsForAnother(serial, request.core())))
        .map(SpendRequest::core)
        .collect(Collectors.toSet());
  }

  /** Checks a reservation that is about to take effect. */
  void reserves(
      Authority authority, ShardNode shard, Tables tables, ReserveTransaction.Wanted wanted) {
    At at = new At(authority.index(), wanted.core());
    Transfer transfer = transfer(wanted.core());
    if (!checked.contains(at)) {
      throw broken(Kind.UNPROVEN_HELD, authority, transfer);
    }
    // a crash or failover since then may have lost the holder's row
    boolean hopeless = wanted.hopelessInLife() == authority.database().life();
    if (hopeless
        && transfer.serials().stream()
            .anyMatch(serial -> tables.holdsForAnother(serial, wanted.core()))) {
      throw broken(Kind.HOPELESS_HELD, authority, transfer);
    }
    boolean lead = tables.holds(transfer.lead(), wanted.core());
    if (wanted.request() == null && !lead && !authority.storageBroken()) {
      throw broken(Kind.LEAD_NOT_FIRST, authority, transfer);
    }
    for (SerialNumber serial : wanted.serials()) {
      if (tables.holdsForAnother(serial, wanted.core()) || ownersOf(tables, serial) != 1) {
        throw broken(Kind.TWO_OWNERS, authority, transfer);
      }
    }
  }

  private Transfer transfer(TxCore core) {
    return Objects.requireNonNull(transfers.get(core), "a core that no wallet made");
  }

  private static long ownersOf(Tables tables, SerialNumber serial) {
    return tables.shards.values().stream()
        .filter(schema -> schema.ownership.covers(serial))
        .count();
  }

  /** Checks reservations that were just reported as made. */
  void reserved(
      Authority authority, ShardNode shard, Tables tables, List<ReserveTransaction.Wanted> done) {
    Map<SerialNumber, TxCore> rows = tables.of(shard.index()).serials;
    for (ReserveTransaction.Wanted wanted : done) {
      if (!wanted.serials().stream().allMatch(serial -> wanted.core().equals(rows.get(serial)))) {
        throw broken(Kind.PARTLY_HELD, authority, transfer(wanted.core()));
      }
    }
  }

  /**
   * Checks records that were written to the sign-log, synced or not. With broken storage a signer
   * may write records whose signatures the anchor then stops.
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

  /** Checks a signature that leaves the signer of a correct authority. */
  void left(Authority authority, Transfer transfer) {
    world.note(() -> authority.name() + " signs " + transfer.name());
    for (SerialNumber serial : transfer.serials()) {
      TxCore other = signedSpends.put(new Spent(authority.index(), serial), transfer.core());
      if (other != null && !other.equals(transfer.core())) {
        throw broken(Kind.TWO_DIGESTS, authority, transfer);
      }
    }
    if (!inTime.contains(transfer.core()) && !authority.clockWrong()) {
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
    world.cover(CoveragePoint.CERTIFIED);
    if (!inTime.contains(transfer.core())) {
      throw new Violation(Kind.NOT_IN_TIME, "a quorum signed " + transfer.name());
    }
    for (SerialNumber serial : transfer.serials()) {
      TxCore other = certifiedSpends.put(serial, transfer.core());
      if (other != null && !other.equals(transfer.core())) {
        throw new Violation(
            Kind.DOUBLE_SPEND, "cores " + other.hex().substring(0, 6) + " and " + transfer.name());
      }
    }
  }

  /** Requires that every signature that left is in the synced log and in the database. */
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
   * Checks a shard's answer to a request.
   *
   * @param known whether the shard had an answer to this core before the batch started, and still
   *     has it
   */
  void answered(
      ShardNode shard, Request request, Outcome<SimulatedPartial> outcome, boolean known) {
    Transfer transfer = request.transfer();
    switch (outcome) {
      case Outcome.Done<SimulatedPartial> done -> requireSame(shard, transfer, done.value());
      case Outcome.Failed<SimulatedPartial> failed -> {
        if (!(failed.reason() instanceof ProtocolException rejection)) {
          throw failed.reason();
        }
        if (rejection.code() == RejectionCode.SERIAL_CONFLICT) {
          world.cover(CoveragePoint.CONFLICT_REFUSED);
        }
        if (known
            && rejection.code() != RejectionCode.UNAVAILABLE
            && rejection.code() != RejectionCode.SHARD_MOVED) {
          throw new Violation(
              Kind.ANSWER_WITHHELD, shard.name() + " " + transfer.name() + " " + rejection.code());
        }
        if (!rejection.code().retryable() && request.proof() && isOfCorrectWallet(transfer)) {
          throw new Violation(
              Kind.REFUSED, shard.name() + " " + transfer.name() + " " + rejection.code());
        }
      }
    }
  }

  private void requireSame(ShardNode shard, Transfer transfer, SimulatedPartial answer) {
    SimulatedPartial earlier =
        bytes.putIfAbsent(
            new Answered(answer.authority(), answer.epoch(), transfer.core()), answer);
    if (earlier != null && !earlier.equals(answer)) {
      throw new Violation(Kind.OTHER_BYTES, shard.name() + " " + transfer.name());
    }
  }

  boolean isOfCorrectWallet(Transfer transfer) {
    return ofCorrectWallets.contains(transfer.core());
  }

  void halted(Authority authority, String why) {
    world.cover(CoveragePoint.SIGNER_REFUSES);
    if (!authority.storageBroken()) {
      throw new Violation(Kind.HALTED_WITHOUT_CAUSE, authority.name() + ": " + why);
    }
  }

  // ---- events of gateways ----

  void handedOut(Transfer transfer, Map<Integer, SimulatedPartial> certificate) {
    boolean valid =
        certificate.entrySet().stream().allMatch(e -> e.getValue().verifies(e.getKey(), transfer));
    long epochs = certificate.values().stream().map(SimulatedPartial::epoch).distinct().count();
    if (!valid || epochs != 1 || certificate.size() < world.rules().quorum()) {
      throw new Violation(Kind.FALSE_CERTIFICATE, transfer.name());
    }
  }

  // ---- at the end ----

  void finish() {
    for (Authority authority : world.authorities()) {
      // a signer with broken storage has to notice when it signs next, not before
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
