package io.solidus.edge.gateway.coins;

import com.google.protobuf.ByteString;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.StoredRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The answers of the authorities for one serial number, one answer each, and the resulting state.
 * All requests are passed on and none is preferred: a lying authority can return a well-formed
 * request, and only the coin's owner can detect this.
 *
 * <p>Not thread-safe.
 */
final class SerialStateTally {
  /** The most recovers of an authority besides that of the core that holds the serial number. */
  private static final int MAX_OTHERS = 4;

  /** The most recovers of an answer, because each may be as long as 17 transfers. */
  private static final int MAX_RECOVERS = 8;

  private final SerialNumber serial;
  private final NetworkId network;
  private final Committee committee;
  private final TreeSet<Integer> unspent = new TreeSet<>();
  private final SortedMap<Integer, Claim> claims = new TreeMap<>();

  SerialStateTally(SerialNumber serial, NetworkId network, Committee committee) {
    this.serial = serial;
    this.network = network;
    this.committee = committee;
  }

  /**
   * An authority's claim that it holds the serial number for a core, with the request if it
   * returned one.
   */
  private record Claim(
      TxCore core,
      boolean signed,
      @Nullable TransferRequest request,
      Map<TxCore, RecoverRequest> recovers) {}

  SerialNumber serial() {
    return serial;
  }

  /**
   * Adds an authority's answer; only its first one counts.
   *
   * @throws ProtocolException malformed-request when no correct authority could have sent the
   *     state; the authority then counts as silent
   */
  void add(int authority, SerialState state) {
    if (unspent.contains(authority) || claims.containsKey(authority)) {
      return;
    }
    if (!state.getSerial().equals(ByteString.copyFrom(serial.bytes()))) {
      throw ProtocolException.malformed("the state of another serial number");
    }
    switch (state.getStatus()) {
      case STATUS_UNSPENT -> {
        if (!state.getCore().isEmpty()
            || state.hasRequest()
            || state.hasRecover()
            || state.getOthersCount() > 0
            || state.hasSigned()) {
          throw ProtocolException.malformed("an unspent serial number belongs to no core");
        }
        unspent.add(authority);
      }
      case STATUS_RESERVED -> claims.put(authority, claim(state, false));
      case STATUS_SIGNED -> claims.put(authority, claim(state, true));
      case STATUS_UNSPECIFIED, UNRECOGNIZED ->
          throw ProtocolException.malformed("an unknown state of a serial number");
    }
  }

  private Claim claim(SerialState state, boolean signed) {
    TxCore core = new TxCore(Digest32.of(state.getCore().toByteArray()));
    Map<TxCore, RecoverRequest> recovers = new LinkedHashMap<>();
    if (state.hasRecover()) {
      recovers.put(core, recover(core, state.getRecover()));
    }
    if (state.getOthersCount() > MAX_OTHERS) {
      throw ProtocolException.malformed("too many requests of one serial number");
    }
    for (StoredRequest other : state.getOthersList()) {
      TxCore its = TxCore.of(other.getCore().toByteArray());
      recovers.put(its, recover(its, other.getRecover()));
    }
    return new Claim(core, signed, state.hasRequest() ? request(core, state) : null, recovers);
  }

  /** A returned recover. As for a transfer, core, lead serial number and attachments must fit. */
  private RecoverRequest recover(TxCore core, io.solidus.wire.v1.RecoverRequest message) {
    RecoverRequest request = Codecs.toDomain(message);
    ResolvedRecover resolved = request.resolve(network);
    if (!resolved.core().equals(core) || !resolved.serials().getFirst().equals(serial)) {
      throw ProtocolException.malformed("the recover of another core or of another serial number");
    }
    request.requireContext(network);
    return request;
  }

  /**
   * The returned request. It must have the claimed core, this serial number as its lead, and the
   * attachments that its statement names.
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

  /** Whether the answers suffice for a status other than unknown. */
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
    return new CoinState(
        serial, status, core, List.copyOf(unspent), shownTransfers(), shownRecovers());
  }

  /**
   * Authorities that claim a core although 2f+1 report the serial number as unspent: either the
   * transfer has not reached the other authorities yet, or the claim is false.
   */
  List<Integer> loneClaims() {
    return unspent.size() >= committee.quorum() ? List.copyOf(claims.keySet()) : List.of();
  }

  /** The core that most authorities hold, or have signed, if at least {@code atLeast} do. */
  private Optional<TxCore> leading(boolean signedOnly, int atLeast) {
    Map<TxCore, Integer> tallies = new HashMap<>();
    claims.values().stream()
        .filter(claim -> claim.signed() || !signedOnly)
        .forEach(claim -> tallies.merge(claim.core(), 1, Integer::sum));
    return tallies.entrySet().stream()
        .filter(entry -> entry.getValue() >= atLeast)
        .min(
            Map.Entry.<TxCore, Integer>comparingByValue()
                .reversed()
                .thenComparing(entry -> entry.getKey().hex()))
        .map(Map.Entry::getKey);
  }

  private List<CoinState.Shown<TransferRequest>> shownTransfers() {
    Map<TransferRequest, List<Integer>> byRequest = new HashMap<>();
    claims.forEach((authority, claim) -> {
      TransferRequest request = claim.request();
      if (request != null) {
        byRequest.computeIfAbsent(request, any -> new ArrayList<>()).add(authority);
      }
    });
    return byRequest.entrySet().stream()
        .map(entry ->
            new CoinState.Shown<>(
                entry.getKey().statement().core(network), entry.getKey(), entry.getValue()))
        .sorted(SerialStateTally.<TransferRequest>mostFirst())
        .toList();
  }

  private List<CoinState.Shown<RecoverRequest>> shownRecovers() {
    Map<RecoverRequest, List<Integer>> byRequest = new HashMap<>();
    Map<RecoverRequest, TxCore> cores = new HashMap<>();
    claims.forEach((authority, claim) ->
        claim
            .recovers()
            .forEach((core, request) -> {
              byRequest.computeIfAbsent(request, any -> new ArrayList<>()).add(authority);
              cores.put(request, core);
            }));
    return byRequest.entrySet().stream()
        .map(entry ->
            new CoinState.Shown<>(
                Objects.requireNonNull(cores.get(entry.getKey())),
                entry.getKey(),
                entry.getValue()))
        .sorted(SerialStateTally.<RecoverRequest>mostFirst())
        .limit(MAX_RECOVERS)
        .toList();
  }

  private static <R> Comparator<CoinState.Shown<R>> mostFirst() {
    return Comparator.comparingInt((CoinState.Shown<R> shown) -> -shown.authorities().size())
        .thenComparing(shown -> shown.authorities().getFirst())
        .thenComparing(shown -> shown.core().hex());
  }
}
