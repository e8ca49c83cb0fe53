package io.solidus.authority.spend;

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
 * Ports of one shard and one sibling in memory. The content of a request decides its fate: "good"
 * is signed, "bad..." fails the check, "late" fails admission unless it holds its lead serial
 * number, "forbidden" fails it always, "unsignable" passes the check and is not signed, "forgotten"
 * passes the check and is found wrong when it is to be signed.
 */
final class MemoryPorts
    implements SpendStore<String, String>,
        Siblings,
        Signer<String, String>,
        AdmissionCheck<String> {

  final Map<SerialNumber, TxCore> own = new HashMap<>();
  final Map<SerialNumber, TxCore> siblings = new HashMap<>();
  final Map<TxCore, String> answers = new HashMap<>();
  final List<Integer> checked = new ArrayList<>();
  int lookUps;

  /** Of the map, in the calls to siblings. */
  final List<Long> versions = new ArrayList<>();

  final Set<TxCore> signed = new HashSet<>();

  /** Cores with an answer of a former epoch. */
  final Set<TxCore> former = new HashSet<>();

  /** What another batch reserves between this batch's look-up and its reservation. */
  final Map<SerialNumber, TxCore> faster = new HashMap<>();

  /** What another shard reserves at the sibling between its look-up and its reservation. */
  final Map<SerialNumber, TxCore> fasterAtSibling = new HashMap<>();

  boolean siblingUnavailable;
  boolean storeUnavailable;

  /** Loses the answers that it is to store. */
  boolean losesAnswers;

  @Override
  public Map<TxCore, Stored<String>> answers(Collection<TxCore> cores) {
    lookUps++;
    Map<TxCore, Stored<String>> found = new HashMap<>();
    answers.forEach((core, answer) -> found.put(core, new Stored<>(answer, true)));
    former.forEach(core -> found.putIfAbsent(core, new Stored<>("of the epoch before", false)));
    found.keySet().retainAll(cores);
    return found;
  }

  @Override
  public Map<SerialNumber, TxCore> holders(Collection<SerialNumber> serials) {
    if (storeUnavailable) {
      throw unavailable();
    }
    return held(own, serials);
  }

  @Override
  public List<Outcome<Ok>> reserve(List<Reservation<String>> reservations) {
    own.putAll(faster);
    return reservations.stream()
        .map(r -> take(own, new Claim(r.request().core(), r.own(), r.request().below())))
        .toList();
  }

  @Override
  public Map<TxCore, String> store(List<Signed<String, String>> fresh) {
    Map<TxCore, String> stored = new HashMap<>();
    for (Signed<String, String> one : losesAnswers ? List.<Signed<String, String>>of() : fresh) {
      answers.putIfAbsent(one.request().core(), one.answer());
      stored.put(one.request().core(), answers.get(one.request().core()));
    }
    return stored;
  }

  @Override
  public Map<Integer, Outcome<Map<SerialNumber, TxCore>>> holders(
      long mapVersion, SortedMap<Integer, List<SerialNumber>> byOwner) {
    versions.add(mapVersion);
    Map<Integer, Outcome<Map<SerialNumber, TxCore>>> found = new HashMap<>();
    byOwner.forEach((owner, serials) ->
        found.put(
            owner,
            siblingUnavailable
                ? Outcome.failed(unavailable())
                : Outcome.done(held(siblings, serials))));
    return found;
  }

  @Override
  public Map<Integer, List<Outcome<Ok>>> reserve(
      long mapVersion, SortedMap<Integer, List<Claim>> byOwner) {
    versions.add(mapVersion);
    siblings.putAll(fasterAtSibling);
    Map<Integer, List<Outcome<Ok>>> reserved = new HashMap<>();
    byOwner.forEach((owner, claims) ->
        reserved.put(owner, claims.stream().map(claim -> take(siblings, claim)).toList()));
    return reserved;
  }

  @Override
  public List<Outcome<Ok>> check(List<SpendRequest<String>> requests) {
    checked.add(requests.size());
    return requests.stream()
        .map(s ->
            s.content().startsWith("bad")
                ? MemoryPorts.<Ok>rejected(RejectionCode.PROOF_INVALID)
                : Outcome.done(Ok.OK))
        .toList();
  }

  @Override
  public List<Outcome<String>> sign(List<SpendRequest<String>> requests) {
    return requests.stream().map(this::sign).toList();
  }

  @Override
  public void require(SpendRequest<String> request, boolean holdsLead) {
    boolean late = request.content().equals("late") && !holdsLead;
    if (late || request.content().equals("forbidden")) {
      throw new ProtocolException(RejectionCode.STALE_POLICY, "late");
    }
  }

  private Outcome<String> sign(SpendRequest<String> request) {
    if (request.content().equals("forgotten")) {
      return rejected(RejectionCode.PROOF_INVALID);
    }
    if (request.content().equals("unsignable")) {
      return rejected(RejectionCode.UNAVAILABLE);
    }
    for (SerialNumber serial : request.serials()) {
      TxCore here = own.get(serial);
      TxCore holder = here == null ? siblings.get(serial) : here;
      if (holder == null || !request.goesWith(holder)) {
        throw new AssertionError("asked to sign what is not reserved");
      }
    }
    signed.add(request.core());
    return Outcome.done("signature of " + request.core());
  }

  private static Outcome<Ok> take(Map<SerialNumber, TxCore> held, Claim claim) {
    if (claim.serials().stream()
        .anyMatch(s -> !claim.goesWith(held.getOrDefault(s, claim.core())))) {
      return rejected(RejectionCode.SERIAL_CONFLICT);
    }
    claim.serials().forEach(s -> held.putIfAbsent(s, claim.core()));
    return Outcome.done(Ok.OK);
  }

  private static Map<SerialNumber, TxCore> held(
      Map<SerialNumber, TxCore> all, Collection<SerialNumber> serials) {
    Map<SerialNumber, TxCore> found = new HashMap<>(all);
    found.keySet().retainAll(serials);
    return found;
  }

  private static <T> Outcome<T> rejected(RejectionCode code) {
    return Outcome.failed(new ProtocolException(code, "for the test"));
  }

  private static ProtocolException unavailable() {
    return new ProtocolException(RejectionCode.UNAVAILABLE, "unavailable");
  }
}
