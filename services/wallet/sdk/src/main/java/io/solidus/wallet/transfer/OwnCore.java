package io.solidus.wallet.transfer;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.prover.CoreOpening;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A core of this wallet, as a recover over it needs it.
 *
 * @param requests those below it in an order in which each is after those that it is over, then its
 *     own
 * @param next the compliance coin that it creates
 * @param nextSerial the serial number of {@code next}
 * @param returned the serial number of the coin that a recover returns; zero for a transfer
 * @param coins the serial numbers of the coins that a transfer claims, without dummies, in the two
 *     parts that a recover credits: one coin each, or the halves of a claim of 16
 * @param credited the coins that a recover credits
 * @param returnedBelow the serial numbers of the coins that a recover and those below it return
 * @param opening without credits
 * @param base what the account held before it: the most that a recover over it may hold
 * @param claimed rho of each coin that it and those below it claim
 */
public record OwnCore(
    List<BelowList.Entry> requests,
    SerialNumber lead,
    ComplianceCoin next,
    SerialNumber nextSerial,
    FieldElement returned,
    List<List<SerialNumber>> coins,
    Set<SerialNumber> credited,
    Set<SerialNumber> returnedBelow,
    CoreOpening opening,
    Amount base,
    long atMillis,
    int unfinished,
    List<FieldElement> claimed) {
  public OwnCore {
    requests = List.copyOf(requests);
    coins = coins.stream().map(List::copyOf).toList();
    credited = Set.copyOf(credited);
    returnedBelow = Set.copyOf(returnedBelow);
    claimed = List.copyOf(claimed);
  }

  public TxCore core() {
    return requests.getLast().core();
  }

  public boolean recover() {
    return opening.recover();
  }

  /** How many coins a claim of 16 claims; 0 of every other core. */
  public int claimsOfMany() {
    return opening.origins().isEmpty() ? claimed.size() : 0;
  }

  /** The cores below a recover; empty for a transfer. */
  public Set<TxCore> below() {
    return requests.stream()
        .limit(requests.size() - 1)
        .map(BelowList.Entry::core)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether the core is this one or below it. */
  public boolean covers(TxCore other) {
    return requests.stream().anyMatch(entry -> entry.core().equals(other));
  }

  /** The transfers among this core and those below it. */
  public Stream<TxCore> transfers() {
    return requests.stream().filter(entry -> !entry.recover()).map(BelowList.Entry::core);
  }

  /** The same with other evidence of transfers, which are those below it or itself. */
  public OwnCore with(Map<TxCore, BelowList.Entry> transfers) {
    return new OwnCore(
        requests.stream().map(entry -> transfers.getOrDefault(entry.core(), entry)).toList(),
        lead,
        next,
        nextSerial,
        returned,
        coins,
        credited,
        returnedBelow,
        opening,
        base,
        atMillis,
        unfinished,
        claimed);
  }

  /** The opening, with the inputs that a recover credits. */
  CoreOpening opening(List<Boolean> credits) {
    return new CoreOpening(
        opening.recover(),
        credits,
        opening.d(),
        opening.seed(),
        opening.s(),
        opening.period(),
        opening.sent(),
        opening.count(),
        opening.held(),
        opening.com(),
        opening.counterparty(),
        opening.values(),
        opening.withdrawn(),
        opening.origins(),
        opening.escrow(),
        opening.r());
  }

  @Override
  public String toString() {
    return "OwnCore[redacted]";
  }
}
