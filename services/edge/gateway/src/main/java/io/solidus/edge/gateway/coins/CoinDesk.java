package io.solidus.edge.gateway.coins;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.gateway.committee.Authorities;
import io.solidus.edge.gateway.committee.Culprits;
import io.solidus.edge.gateway.committee.FanOut;
import io.solidus.edge.gateway.committee.Route;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.SerialState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.springframework.stereotype.Service;

/**
 * Asks every authority what it knows of serial numbers, and passes on what they said with how many
 * stand behind it.
 */
@Service
public class CoinDesk {
  /**
   * For the f authorities beyond a quorum that decides: one that never answers must not delay every
   * look-up.
   */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final Authorities authorities;
  private final FanOut fanOut;
  private final Committee committee;
  private final NetworkId network;
  private final Culprits culprits;
  private final MeterRegistry metrics;

  CoinDesk(
      Authorities authorities,
      FanOut fanOut,
      Committee committee,
      NetworkId network,
      Culprits culprits,
      MeterRegistry metrics) {
    this.authorities = authorities;
    this.fanOut = fanOut;
    this.committee = committee;
    this.network = network;
    this.culprits = culprits;
    this.metrics = metrics;
  }

  /** In the order asked. */
  public List<CoinState> states(List<SerialNumber> serials) {
    Collection<Testimony> heard = ask(serials, said -> said.stream().allMatch(Testimony::decided));
    heard.forEach(said -> said.alone().forEach(this::countLoneClaim));
    return heard.stream().map(Testimony::state).toList();
  }

  /**
   * The requests of a core that authorities stored for its lead serial number; what others claim to
   * hold there does not matter. They differ in their evidence only, and a liar's may be no good: to
   * be tried in this order, those with most authorities behind them first.
   */
  public List<TransferRequest> storedRequests(SerialNumber lead, TxCore core) {
    // of a finished one each quorum of answers holds it at least once
    return ask(List.of(lead), said -> true).iterator().next().state().requests().stream()
        .filter(shown -> shown.core().equals(core))
        .map(CoinState.Shown::request)
        .toList();
  }

  /**
   * What they said, in the order asked.
   *
   * @param decided whether what a quorum or more have said is enough, so that the others need not
   *     be waited for much longer
   */
  private Collection<Testimony> ask(
      List<SerialNumber> serials, Predicate<Collection<Testimony>> decided) {
    Map<SerialNumber, Testimony> said = new LinkedHashMap<>();
    serials.forEach(serial -> said.put(serial, new Testimony(serial, network, committee)));
    FanOut.Answers<Map<SerialNumber, SerialState>> answers =
        fanOut.ask(
            authorities.indexes(),
            authority -> authorities.ask(authority, route -> askOne(route, serials)));
    int heard = 0;
    for (var answer = answers.next(); answer != null; answer = answers.next()) {
      if (answer instanceof FanOut.Answer.Given<Map<SerialNumber, SerialState>> given) {
        hear(said, given.authority(), given.value());
        if (++heard >= committee.quorum() && decided.test(said.values())) {
          answers.enough(GRACE);
        }
      }
    }
    if (heard < committee.quorum()) {
      throw new ProtocolException(
          RejectionCode.NO_QUORUM, "fewer than a quorum of authorities answered");
    }
    return said.values();
  }

  private void hear(
      Map<SerialNumber, Testimony> said, int authority, Map<SerialNumber, SerialState> states) {
    boolean faulty = false;
    for (Map.Entry<SerialNumber, SerialState> state : states.entrySet()) {
      try {
        said.get(state.getKey()).hear(authority, state.getValue());
      } catch (ProtocolException malformed) {
        faulty = true;
      }
    }
    if (faulty) {
      culprits.name(authority, Culprits.Fault.MALFORMED_STATE);
    }
  }

  /** No proof of anything; one authority's that grows is to be looked at. */
  private void countLoneClaim(int authority) {
    metrics
        .counter("solidus.gateway.lone.claims", "authority", Integer.toString(authority))
        .increment();
  }

  private static Map<SerialNumber, SerialState> askOne(Route route, List<SerialNumber> serials) {
    Map<Integer, List<SerialNumber>> byShard = new TreeMap<>();
    for (SerialNumber serial : serials) {
      byShard.computeIfAbsent(route.owner(serial), shard -> new ArrayList<>()).add(serial);
    }
    Map<SerialNumber, SerialState> states = new HashMap<>();
    for (List<SerialNumber> owned : byShard.values()) {
      LookUpSerialsRequest.Builder request = LookUpSerialsRequest.newBuilder();
      owned.forEach(serial -> request.addSerials(ByteString.copyFrom(serial.bytes())));
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
}
