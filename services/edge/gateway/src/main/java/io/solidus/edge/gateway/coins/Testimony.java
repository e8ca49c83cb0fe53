package io.solidus.edge.gateway.coins;

import com.google.protobuf.ByteString;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SerialState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What authorities said of one serial number, one word of each, and what it amounts to. Requests
 * are passed on, never chosen among: one that is well formed may still be a liar's, and only the
 * coin's owner can tell.
 *
 * <p>Not for several threads.
 */
final class Testimony {
  private final SerialNumber serial;
  private final NetworkId network;
  private final Committee committee;
  private final TreeSet<Integer> unspent = new TreeSet<>();
  private final SortedMap<Integer, Claim> claims = new TreeMap<>();

  Testimony(SerialNumber serial, NetworkId network, Committee committee) {
    this.serial = serial;
    this.network = network;
    this.committee = committee;
  }

  /**
   * An authority's word that it holds the serial number for a core; the request when it showed one.
   */
  private record Claim(TxCore core, boolean signed, @Nullable TransferRequest request) {}

  /**
   * Takes an authority's word; only its first counts.
   *
   * @throws ProtocolException malformed when no correct authority could have said it; it then
   *     counts as silent
   */
  void hear(int authority, SerialState state) {
    if (unspent.contains(authority) || claims.containsKey(authority)) {
      return;
    }
    if (!state.getSerial().equals(ByteString.copyFrom(serial.bytes()))) {
      throw ProtocolException.malformed("the state of another serial number");
    }
    switch (state.getStatus()) {
      case STATUS_UNSPENT -> {
        if (!state.getCore().isEmpty() || state.hasRequest() || state.hasSigned()) {
          throw ProtocolException.malformed("an unspent serial number belongs to no core");
        }
        unspent.add(authority);
      }
      case STATUS_RESERVED -> claims.put(authority, claim(state, false));
      case STATUS_SIGNED -> claims.put(authority, claim(state, true));
      case STATUS_UNSPECIFIED, UNRECOGNIZED ->
          throw ProtocolException.malformed("no state that the protocol has");
    }
  }

  private Claim claim(SerialState state, boolean signed) {
    TxCore core = new TxCore(Digest32.of(state.getCore().toByteArray()));
    return new Claim(core, signed, state.hasRequest() ? request(core, state) : null);
  }

  /**
   * Only the request of the claimed core, led by this serial number, with the attachments that its
   * statement names.
   */
  private TransferRequest request(TxCore core, SerialState state) {
    TransferRequest request = Codecs.toDomain(state.getRequest());
    if (!request.statement().core(network).equals(core)
        || !request.statement().leadSerial().equals(serial)) {
      throw ProtocolException.malformed("the request of another core or of another serial number");
    }
    request.requireContext(network);
    return request;
  }

  /** Whether what was said will not be changed by those who have not answered yet. */
  boolean decided() {
    return state().status() != CoinState.Status.UNKNOWN;
  }

  CoinState state() {
    Optional<TxCore> signed = leading(true, committee.weakQuorum());
    if (signed.isPresent()) {
      return state(CoinState.Status.SIGNED, signed.get());
    }
    if (claims.size() >= committee.weakQuorum()) {
      return state(CoinState.Status.RESERVED, leading(false, 1).orElseThrow());
    }
    return state(
        unspent.size() >= committee.quorum() ? CoinState.Status.UNSPENT : CoinState.Status.UNKNOWN,
        null);
  }

  private CoinState state(CoinState.Status status, @Nullable TxCore core) {
    return new CoinState(serial, status, core, List.copyOf(unspent), shown());
  }

  /**
   * Authorities that claim a core while 2f+1 know of none: a transfer on its way to the others, or
   * a lie.
   */
  List<Integer> alone() {
    return unspent.size() >= committee.quorum() ? List.copyOf(claims.keySet()) : List.of();
  }

  /** The core that most authorities hold, or have signed, if they are that many. */
  private Optional<TxCore> leading(boolean signedOnly, int atLeast) {
    Map<TxCore, Integer> votes = new HashMap<>();
    claims.values().stream()
        .filter(claim -> claim.signed() || !signedOnly)
        .forEach(claim -> votes.merge(claim.core(), 1, Integer::sum));
    return votes.entrySet().stream()
        .filter(vote -> vote.getValue() >= atLeast)
        .min(
            Map.Entry.<TxCore, Integer>comparingByValue()
                .reversed()
                .thenComparing(vote -> vote.getKey().hex()))
        .map(Map.Entry::getKey);
  }

  private List<CoinState.Shown> shown() {
    Map<TransferRequest, List<Integer>> byRequest = new HashMap<>();
    Map<TransferRequest, TxCore> cores = new HashMap<>();
    claims.forEach((authority, claim) -> {
      TransferRequest request = claim.request();
      if (request != null) {
        byRequest.computeIfAbsent(request, any -> new ArrayList<>()).add(authority);
        cores.put(request, claim.core());
      }
    });
    return byRequest.entrySet().stream()
        .map(entry ->
            new CoinState.Shown(cores.get(entry.getKey()), entry.getKey(), entry.getValue()))
        .sorted(
            Comparator.comparingInt((CoinState.Shown shown) -> -shown.authorities().size())
                .thenComparing(shown -> shown.authorities().getFirst()))
        .toList();
  }
}
