package io.solidus.gateway.coins;

import io.solidus.gateway.committee.Authorities;
import io.solidus.gateway.committee.FanOut;
import io.solidus.gateway.committee.Route;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.SerialState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Asks every authority what it knows of serial numbers, and says what enough of them agree on. */
@Service
public class CoinDesk {
  /** For the f authorities beyond a quorum that decides: one that never answers must not delay every look-up. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final Authorities authorities;
  private final FanOut fanOut;
  private final Committee committee;
  private final NetworkId network;

  CoinDesk(Authorities authorities, FanOut fanOut, Committee committee, NetworkId network) {
    this.authorities = authorities;
    this.fanOut = fanOut;
    this.committee = committee;
    this.network = network;
  }

  /** In the order asked. */
  public List<CoinState> states(List<SerialNumber> serials) {
    return judged(serials, said(serials, said -> judged(serials, said).stream().noneMatch(CoinDesk::unknown)));
  }

  /** The request of a core that some authority stored for its lead serial number; what others claim to hold there does not matter. */
  public Optional<TransferRequest> storedRequest(SerialNumber lead, TxCore core) {
    // of a finished one each quorum of answers holds it at least once
    return Optional.ofNullable(request(lead, core, said(List.of(lead), said -> true).get(lead)));
  }

  /** @param decided whether what a quorum or more have said is enough, so that the others need not be waited for much longer */
  private Map<SerialNumber, List<SerialState>> said(
      List<SerialNumber> serials, Predicate<Map<SerialNumber, List<SerialState>>> decided) {
    Map<SerialNumber, List<SerialState>> said = new HashMap<>();
    serials.forEach(serial -> said.put(serial, new ArrayList<>()));
    FanOut.Answers<Map<SerialNumber, SerialState>> answers =
        fanOut.ask(authorities.indexes(), authority -> authorities.ask(authority, route -> askOne(route, serials)));
    int heard = 0;
    for (var answer = answers.next(); answer != null; answer = answers.next()) {
      if (answer instanceof FanOut.Answer.Given<Map<SerialNumber, SerialState>> given) {
        given.value().forEach((serial, state) -> said.get(serial).add(state));
        if (++heard >= committee.quorum() && decided.test(said)) {
          answers.enough(GRACE);
        }
      }
    }
    if (heard < committee.quorum()) {
      throw new ProtocolException(RejectionCode.NO_QUORUM, "fewer than a quorum of authorities answered");
    }
    return said;
  }

  private static Map<SerialNumber, SerialState> askOne(Route route, List<SerialNumber> serials) {
    Map<Integer, List<SerialNumber>> byShard = new TreeMap<>();
    for (SerialNumber serial : serials) {
      byShard.computeIfAbsent(route.owner(serial), shard -> new ArrayList<>()).add(serial);
    }
    Map<SerialNumber, SerialState> states = new HashMap<>();
    for (List<SerialNumber> owned : byShard.values()) {
      LookUpSerialsRequest.Builder request = LookUpSerialsRequest.newBuilder();
      owned.forEach(serial -> request.addSerials(com.google.protobuf.ByteString.copyFrom(serial.bytes())));
      LookUpSerialsReply reply = route.to(owned.getFirst()).lookUpSerials(request.build());
      if (reply.getStatesCount() != owned.size()) {
        throw ProtocolException.malformed("an authority answered another question");
      }
      for (int i = 0; i < owned.size(); i++) {
        states.put(owned.get(i), reply.getStates(i));
      }
    }
    return states;
  }

  private List<CoinState> judged(List<SerialNumber> serials, Map<SerialNumber, List<SerialState>> said) {
    return serials.stream().map(serial -> judge(serial, said.get(serial))).toList();
  }

  private static boolean unknown(CoinState state) {
    return state.status() == CoinState.Status.UNKNOWN;
  }

  private CoinState judge(SerialNumber serial, List<SerialState> said) {
    Map<TxCore, Integer> signed = new HashMap<>();
    Map<TxCore, Integer> held = new HashMap<>();
    int unspent = 0;
    for (SerialState state : said) {
      Optional<TxCore> core = core(state);
      switch (state.getStatus()) {
        case STATUS_UNSPENT -> unspent++;
        case STATUS_RESERVED -> core.ifPresent(c -> held.merge(c, 1, Integer::sum));
        case STATUS_SIGNED ->
            core.ifPresent(
                c -> {
                  held.merge(c, 1, Integer::sum);
                  signed.merge(c, 1, Integer::sum);
                });
        case STATUS_UNSPECIFIED, UNRECOGNIZED -> {
          // says nothing
        }
      }
    }
    Optional<TxCore> finished = with(signed, committee.weakQuorum()).findFirst();
    if (finished.isPresent()) {
      return spent(serial, CoinState.Status.SIGNED, finished.get(), said);
    }
    Optional<TxCore> shown = with(held, 1).filter(core -> request(serial, core, said) != null).findFirst();
    int holders = held.values().stream().mapToInt(Integer::intValue).sum();
    if (shown.isPresent() || holders >= committee.weakQuorum()) {
      return spent(serial, CoinState.Status.RESERVED, shown.or(() -> with(held, 1).findFirst()).orElseThrow(), said);
    }
    boolean free = unspent >= committee.quorum();
    return new CoinState(serial, free ? CoinState.Status.UNSPENT : CoinState.Status.UNKNOWN, null, null);
  }

  private CoinState spent(SerialNumber serial, CoinState.Status status, TxCore core, List<SerialState> said) {
    return new CoinState(serial, status, core, request(serial, core, said));
  }

  /** The cores with at least so many votes, those with most first. */
  private static Stream<TxCore> with(Map<TxCore, Integer> votes, int atLeast) {
    return votes.entrySet().stream()
        .filter(vote -> vote.getValue() >= atLeast)
        .sorted(
            Map.Entry.<TxCore, Integer>comparingByValue()
                .reversed()
                .thenComparing(vote -> vote.getKey().hex()))
        .map(Map.Entry::getKey);
  }

  private static Optional<TxCore> core(SerialState state) {
    boolean present = state.getCore().size() == Digest32.BYTES;
    return present ? Optional.of(new TxCore(new Digest32(state.getCore().toByteArray()))) : Optional.empty();
  }

  /** A stored request is believed only when it is about this serial number and has this core. */
  private @Nullable TransferRequest request(SerialNumber serial, TxCore core, List<SerialState> said) {
    for (SerialState state : said) {
      if (state.hasRequest()) {
        try {
          TransferRequest request = Codecs.toDomain(state.getRequest());
          if (request.statement().core(network).equals(core) && request.statement().serials().contains(serial)) {
            request.requireContext(network);
            return request;
          }
        } catch (ProtocolException malformed) {
          // another authority may have the true one
        }
      }
    }
    return null;
  }
}
