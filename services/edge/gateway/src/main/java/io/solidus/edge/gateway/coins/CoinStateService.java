package io.solidus.edge.gateway.coins;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.gateway.committee.AuthorityClient;
import io.solidus.edge.gateway.committee.AuthorityFanOut;
import io.solidus.edge.gateway.committee.MisbehaviourReporter;
import io.solidus.edge.gateway.committee.ShardRoute;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
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
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.springframework.stereotype.Service;

/** Looks up serial numbers at every authority and combines the answers. */
@Service
public class CoinStateService {
  /**
   * Time for the remaining f authorities once a quorum has decided. An authority that never answers
   * must not delay every look-up.
   */
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** The most serial numbers in one question of a wallet. */
  public static final int MAX_SERIALS = 64;

  private final AuthorityClient authorities;
  private final AuthorityFanOut fanOut;
  private final Committee committee;
  private final NetworkId network;
  private final MisbehaviourReporter misbehaviour;
  private final MeterRegistry metrics;

  CoinStateService(
      AuthorityClient authorities,
      AuthorityFanOut fanOut,
      Committee committee,
      NetworkId network,
      MisbehaviourReporter misbehaviour,
      MeterRegistry metrics) {
    this.authorities = authorities;
    this.fanOut = fanOut;
    this.committee = committee;
    this.network = network;
    this.misbehaviour = misbehaviour;
    this.metrics = metrics;
  }

  /**
   * The result of a look-up.
   *
   * @param states in the order of the question
   * @param signed what authorities signed for the nonce of the question, as they sent it: at most
   *     one for each shard of each authority. Their signatures are for the wallet to verify
   */
  public record Answer(List<CoinState> states, List<SignedStates> signed) {
    public Answer {
      states = List.copyOf(states);
      signed = List.copyOf(signed);
    }
  }

  /** One authority's answers: a state for each serial number, and a signed answer of each shard. */
  private record Said(
      Map<SerialNumber, SerialState> states, Map<List<SerialNumber>, LookUpSerialsReply> replies) {}

  /**
   * Looks up serial numbers.
   *
   * @param nonce for which the authorities sign; empty for unsigned answers
   */
  public Answer states(List<SerialNumber> serials, Optional<Digest32> nonce) {
    List<SignedStates> signed = new ArrayList<>();
    Collection<SerialStateTally> all =
        ask(
            serials,
            nonce,
            signed,
            tallies -> tallies.stream().allMatch(SerialStateTally::decided));
    all.forEach(tallies -> tallies.loneClaims().forEach(this::countLoneClaim));
    return new Answer(all.stream().map(SerialStateTally::state).toList(), signed);
  }

  /**
   * The requests of a core that authorities stored for its lead serial number. Requests of other
   * cores are ignored. The requests differ only in their evidence, and a lying authority may return
   * invalid evidence. Callers try them in this order: the requests that most authorities returned
   * come first.
   */
  public List<TransferRequest> storedRequests(SerialNumber lead, TxCore core) {
    // every quorum of answers contains the request of a finished transfer at least once
    return ask(List.of(lead), Optional.empty(), new ArrayList<>(), tallies -> true)
        .iterator()
        .next()
        .state()
        .requests()
        .stream()
        .filter(shown -> shown.core().equals(core))
        .map(CoinState.Shown::request)
        .toList();
  }

  /**
   * The tally of each serial number, in the order of {@code serials}.
   *
   * @param signed gets what the authorities signed
   * @param decided whether the answers of a quorum or more suffice, so that the remaining
   *     authorities get only the grace period
   */
  private Collection<SerialStateTally> ask(
      List<SerialNumber> serials,
      Optional<Digest32> nonce,
      List<SignedStates> signed,
      Predicate<Collection<SerialStateTally>> decided) {
    Map<SerialNumber, SerialStateTally> tallies = new LinkedHashMap<>();
    serials.forEach(
        serial -> tallies.put(serial, new SerialStateTally(serial, network, committee)));
    AuthorityFanOut.Replies<Said> replies =
        fanOut.lookUp(
            authorities.indexes(),
            authority -> authorities.ask(authority, route -> lookUp(route, serials, nonce)));
    int received = 0;
    for (var reply = replies.next(); reply != null; reply = replies.next()) {
      if (reply instanceof AuthorityFanOut.Reply.Received<Said> said) {
        count(tallies, said.authority(), said.value().states());
        addSigned(signed, said.authority(), said.value().replies());
        if (++received >= committee.quorum() && decided.test(tallies.values())) {
          replies.shortenDeadline(GRACE);
        }
      }
    }
    if (received < committee.quorum()) {
      throw new ProtocolException(
          RejectionCode.NO_QUORUM, "fewer than a quorum of authorities answered");
    }
    return tallies.values();
  }

  private void count(
      Map<SerialNumber, SerialStateTally> tallies,
      int authority,
      Map<SerialNumber, SerialState> states) {
    boolean faulty = false;
    for (SerialStateTally tally : tallies.values()) {
      try {
        tally.add(authority, Objects.requireNonNull(states.get(tally.serial())));
      } catch (ProtocolException e) {
        faulty = true;
      }
    }
    if (faulty) {
      misbehaviour.report(authority, MisbehaviourReporter.Fault.MALFORMED_STATE);
    }
  }

  /**
   * Passes on what an authority signed, unchanged. Only who says it and about what is looked at: a
   * lying authority must not speak for another one.
   */
  private void addSigned(
      List<SignedStates> signed,
      int authority,
      Map<List<SerialNumber>, LookUpSerialsReply> replies) {
    replies.forEach((asked, reply) -> {
      if (!reply.hasSigned()) {
        return; // not asked for, or an authority of the release before
      }
      try {
        SignedStates answer = Codecs.toDomain(reply.getSigned());
        if (answer.authority() != authority || !answer.states().serials().equals(asked)) {
          throw ProtocolException.malformed("signed for another authority or other serial numbers");
        }
        signed.add(answer);
      } catch (ProtocolException e) {
        misbehaviour.report(authority, MisbehaviourReporter.Fault.MALFORMED_STATE);
      }
    });
  }

  /** A single lone claim proves nothing. A growing count of one authority deserves attention. */
  private void countLoneClaim(int authority) {
    metrics
        .counter("solidus.gateway.lone.claims", "authority", Integer.toString(authority))
        .increment();
  }

  /** One authority's answers, each from the shard that owns the serial number. */
  private static Said lookUp(
      ShardRoute route, List<SerialNumber> serials, Optional<Digest32> nonce) {
    Map<Integer, List<SerialNumber>> byShard = new TreeMap<>();
    for (SerialNumber serial : serials) {
      byShard.computeIfAbsent(route.owner(serial), shard -> new ArrayList<>()).add(serial);
    }
    Map<SerialNumber, SerialState> states = new HashMap<>();
    Map<List<SerialNumber>, LookUpSerialsReply> replies = new LinkedHashMap<>();
    for (List<SerialNumber> owned : byShard.values()) {
      LookUpSerialsRequest.Builder request = LookUpSerialsRequest.newBuilder();
      nonce.ifPresent(value -> request.setNonce(ByteString.copyFrom(value.bytes())));
      owned.forEach(serial -> request.addSerials(ByteString.copyFrom(serial.bytes())));
      LookUpSerialsReply reply = route.to(owned.getFirst()).lookUpSerials(request.build());
      if (reply.getStatesCount() != owned.size()) {
        throw ProtocolException.malformed(
            "an authority answered for another number of serial numbers");
      }
      for (int i = 0; i < owned.size(); i++) {
        states.put(owned.get(i), reply.getStates(i));
      }
      replies.put(owned, reply);
    }
    return new Said(states, replies);
  }
}
