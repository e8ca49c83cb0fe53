package io.solidus.edge.gateway.committee;

import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.platform.grpc.ShardAddresses;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.wire.v1.ComplianceIssuerServiceGrpc;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/**
 * Calls to every authority, each with a deadline. Which of its shards is asked follows from its
 * shard map; a shard that no longer owns the range sends us on with a newer map, and the question
 * goes to the new owner within the same deadline.
 */
@Component
public class Authorities {
  /** How often one question is sent at most. */
  private static final int ATTEMPTS = 4;

  /** A range that is just changing hands is somewhere after this. */
  private static final long PAUSE_MILLIS = 50;

  private static final long STATUS_MILLIS = 2000;

  private final Map<Integer, Member> members = new TreeMap<>();
  private final Map<Integer, Integer> answering = new ConcurrentHashMap<>();
  private final ShardMaps maps;
  private final GrpcChannels channels;
  private final long timeoutMillis;

  private record Member(ShardAddresses shards, String issuer) {}

  Authorities(GatewayProperties properties, ShardMaps maps, GrpcChannels channels) {
    this.maps = maps;
    this.channels = channels;
    this.timeoutMillis = properties.callTimeout().toMillis();
    for (GatewayProperties.Authority authority : properties.authorities()) {
      members.put(authority.index(), new Member(addresses(authority), authority.issuer()));
    }
  }

  private static ShardAddresses addresses(GatewayProperties.Authority authority) {
    Map<Integer, String> listed = new HashMap<>();
    for (int shard = 0; shard < authority.shards().size(); shard++) {
      listed.put(shard, authority.shards().get(shard));
    }
    ShardAddresses addresses = new ShardAddresses(listed, authority.shardPattern());
    if (addresses.of(0).isEmpty()) {
      throw new IllegalStateException("authority " + authority.index() + " has no shard address");
    }
    return addresses;
  }

  /** 1 to N, in order. */
  public List<Integer> indexes() {
    return List.copyOf(members.keySet());
  }

  /** The reply of the shard that owns a serial number. */
  public SubmitReply submit(
      int authority,
      SerialNumber lead,
      Function<ValidatorServiceGrpc.ValidatorServiceBlockingStub, SubmitReply> call) {
    try {
      return ask(
          authority,
          route -> {
            SubmitReply reply = call.apply(route.to(lead));
            if (reply.getRejected().getCode().equals(RejectionCode.SHARD_MOVED.code())) {
              throw new Moved(reply);
            }
            return reply;
          });
    } catch (Moved still) {
      return still.reply;
    }
  }

  /**
   * What an authority answers, asked by the newest map known.
   *
   * @param question is asked again by a newer map when a shard sends us on; it must do no harm
   *     twice
   */
  public <T> T ask(int authority, Function<Route, T> question) {
    Deadline deadline = Deadline.after(timeoutMillis, TimeUnit.MILLISECONDS);
    for (int attempt = 1; ; attempt++) {
      Route route = new Route(maps.of(authority), deadline, shard -> shard(authority, shard));
      try {
        return question.apply(route);
      } catch (Moved moved) {
        String note = moved.note();
        again(
            attempt,
            note.isEmpty() ? ShardMaps.Offer.NOTHING_NEW : maps.offer(authority, note),
            moved);
      } catch (StatusRuntimeException failure) {
        again(attempt, learnFrom(authority, route, failure), failure);
      }
    }
  }

  /** Whatever shard of an authority answers first, about its map. */
  void refreshMap(int authority) {
    int shards = maps.of(authority).shards();
    for (int shard = 0; shard < shards; shard++) {
      try {
        learn(
            authority,
            shard(authority, shard).withDeadlineAfter(STATUS_MILLIS, TimeUnit.MILLISECONDS));
        return;
      } catch (StatusRuntimeException | ProtocolException away) {
        // another shard may be there
      }
    }
  }

  /**
   * For questions that any shard answers: asks one after the other until one does, from the one
   * that did the last time.
   *
   * @param each limit for one shard; the call timeout is the limit for all of them
   * @throws StatusRuntimeException what the last one failed with
   */
  public <T> T askAnyShard(
      int authority,
      Duration each,
      Function<ValidatorServiceGrpc.ValidatorServiceBlockingStub, T> question) {
    Deadline all = Deadline.after(timeoutMillis, TimeUnit.MILLISECONDS);
    int shards = maps.of(authority).shards();
    int first = answering.getOrDefault(authority, 0);
    StatusRuntimeException away = Status.UNAVAILABLE.asRuntimeException();
    for (int i = 0; i < shards && !all.isExpired(); i++) {
      int shard = (first + i) % shards;
      try {
        Deadline one = Deadline.after(each.toMillis(), TimeUnit.MILLISECONDS);
        T answer = question.apply(shard(authority, shard).withDeadline(one.minimum(all)));
        answering.put(authority, shard);
        return answer;
      } catch (StatusRuntimeException failure) {
        away = failure;
      }
    }
    throw away;
  }

  public ComplianceIssuerServiceGrpc.ComplianceIssuerServiceBlockingStub issuer(int authority) {
    String address = member(authority).issuer();
    if (address.isEmpty()) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "an authority has no compliance issuer configured");
    }
    return ComplianceIssuerServiceGrpc.newBlockingStub(channels.to(address))
        .withDeadlineAfter(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  /** Goes on to the next attempt, or throws. */
  private static void again(int attempt, ShardMaps.Offer learnt, RuntimeException failure) {
    if (attempt == ATTEMPTS || learnt == ShardMaps.Offer.REFUSED) {
      throw failure;
    }
    if (learnt == ShardMaps.Offer.NOTHING_NEW) {
      try {
        Thread.sleep(PAUSE_MILLIS * attempt);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw failure;
      }
    }
  }

  /** What a call that failed leads to; REFUSED when it is no question of maps. */
  private ShardMaps.Offer learnFrom(int authority, Route route, StatusRuntimeException failure) {
    try {
      if (isMoved(failure)) {
        return learn(authority, route.shard(route.last()));
      }
      if (failure.getStatus().getCode() == Status.Code.UNAVAILABLE && maps.guessed(authority)) {
        refreshMap(authority);
        return maps.guessed(authority) ? ShardMaps.Offer.REFUSED : ShardMaps.Offer.NEWS;
      }
    } catch (StatusRuntimeException | ProtocolException away) {
      // then we know no more than before
    }
    return ShardMaps.Offer.REFUSED;
  }

  private ShardMaps.Offer learn(
      int authority, ValidatorServiceGrpc.ValidatorServiceBlockingStub shard) {
    String note = shard.getStatus(GetStatusRequest.getDefaultInstance()).getShardMapNote();
    return note.isEmpty() ? ShardMaps.Offer.NOTHING_NEW : maps.offer(authority, note);
  }

  private static boolean isMoved(RuntimeException failure) {
    return failure instanceof StatusRuntimeException call
        && call.getStatus().getCode() == Status.Code.FAILED_PRECONDITION
        && RejectionCode.SHARD_MOVED.code().equals(call.getStatus().getDescription());
  }

  private ValidatorServiceGrpc.ValidatorServiceBlockingStub shard(int authority, int shard) {
    String address =
        member(authority)
            .shards()
            .of(shard)
            .orElseThrow(() ->
                Status.UNAVAILABLE
                    .withDescription("no address for this shard")
                    .asRuntimeException());
    return ValidatorServiceGrpc.newBlockingStub(channels.to(address));
  }

  private Member member(int authority) {
    Member member = members.get(authority);
    if (member == null) {
      throw ProtocolException.malformed("no such authority");
    }
    return member;
  }

  /** A shard that was asked for what it does not own. */
  private static final class Moved extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient SubmitReply reply;

    Moved(SubmitReply reply) {
      super(RejectionCode.SHARD_MOVED.code(), null, false, false);
      this.reply = reply;
    }

    String note() {
      return reply.getRejected().getShardMapNote();
    }
  }
}
