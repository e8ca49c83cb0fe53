package io.solidus.authority.spend;

import io.solidus.authority.spend.Ledger.Done;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * Ports of one shard and one sibling in memory. A request is its evidence: "good" is signed, "bad"
 * fails the check, "late" fails admission, "unsignable" passes the check and is not signed.
 */
final class MemoryPorts
    implements Ledger<String, String>, Siblings, Signer<String, String>, Admission<String> {

  final Map<SerialNumber, TxCore> own = new HashMap<>();
  final Map<SerialNumber, TxCore> siblings = new HashMap<>();
  final Map<TxCore, String> answers = new HashMap<>();
  final List<Integer> checked = new ArrayList<>();
  final Set<TxCore> signed = new HashSet<>();

  /** What another batch gets hold of between the look and the reservation. */
  final Map<SerialNumber, TxCore> faster = new HashMap<>();

  boolean siblingAway;

  @Override
  public Map<TxCore, String> answers(Collection<TxCore> cores) {
    Map<TxCore, String> found = new HashMap<>(answers);
    found.keySet().retainAll(cores);
    return found;
  }

  @Override
  public Map<SerialNumber, TxCore> holders(Collection<SerialNumber> serials) {
    return held(own, serials);
  }

  @Override
  public List<Outcome<Done>> reserve(List<Reservation<String>> reservations) {
    own.putAll(faster);
    return reservations.stream().map(r -> take(own, r.spend().core(), r.own())).toList();
  }

  @Override
  public Map<TxCore, String> store(List<Signed<String, String>> fresh) {
    Map<TxCore, String> stored = new HashMap<>();
    for (Signed<String, String> one : fresh) {
      answers.putIfAbsent(one.spend().core(), one.answer());
      stored.put(one.spend().core(), answers.get(one.spend().core()));
    }
    return stored;
  }

  @Override
  public Map<Integer, Outcome<Map<SerialNumber, TxCore>>> holders(
      SortedMap<Integer, List<SerialNumber>> byOwner) {
    Map<Integer, Outcome<Map<SerialNumber, TxCore>>> found = new HashMap<>();
    byOwner.forEach((owner, serials) ->
        found.put(
            owner, siblingAway ? Outcome.failed(away()) : Outcome.done(held(siblings, serials))));
    return found;
  }

  @Override
  public Map<Integer, List<Outcome<Done>>> reserve(SortedMap<Integer, List<Claim>> byOwner) {
    Map<Integer, List<Outcome<Done>>> reserved = new HashMap<>();
    byOwner.forEach((owner, claims) ->
        reserved.put(
            owner,
            claims.stream().map(claim -> take(siblings, claim.core(), claim.serials())).toList()));
    return reserved;
  }

  @Override
  public List<Outcome<Done>> check(List<Spend<String>> spends) {
    checked.add(spends.size());
    return spends.stream()
        .map(s ->
            s.request().equals("bad")
                ? MemoryPorts.<Done>refused(RejectionCode.PROOF_INVALID)
                : Outcome.done(Done.DONE))
        .toList();
  }

  @Override
  public List<Outcome<String>> sign(List<Spend<String>> spends) {
    return spends.stream().map(this::sign).toList();
  }

  @Override
  public void require(Spend<String> spend) {
    if (spend.request().equals("late")) {
      throw new ProtocolException(RejectionCode.STALE_POLICY, "late");
    }
  }

  private Outcome<String> sign(Spend<String> spend) {
    if (spend.request().equals("unsignable")) {
      return refused(RejectionCode.UNAVAILABLE);
    }
    for (SerialNumber serial : spend.serials()) {
      if (!spend.core().equals(own.get(serial)) && !spend.core().equals(siblings.get(serial))) {
        throw new AssertionError("asked to sign what is not reserved");
      }
    }
    signed.add(spend.core());
    return Outcome.done("signature of " + spend.core());
  }

  private static Outcome<Done> take(
      Map<SerialNumber, TxCore> held, TxCore core, List<SerialNumber> serials) {
    if (serials.stream().anyMatch(s -> !core.equals(held.getOrDefault(s, core)))) {
      return refused(RejectionCode.SERIAL_CONFLICT);
    }
    serials.forEach(s -> held.put(s, core));
    return Outcome.done(Done.DONE);
  }

  private static Map<SerialNumber, TxCore> held(
      Map<SerialNumber, TxCore> all, Collection<SerialNumber> serials) {
    Map<SerialNumber, TxCore> found = new HashMap<>(all);
    found.keySet().retainAll(serials);
    return found;
  }

  private static <T> Outcome<T> refused(RejectionCode code) {
    return Outcome.failed(new ProtocolException(code, "for the test"));
  }

  private static ProtocolException away() {
    return new ProtocolException(RejectionCode.UNAVAILABLE, "away");
  }
}
