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
 * Calls to the authorities, each with a deadline. The authority's shard map selects the shard. A
 * shard that no longer owns the range answers with a newer map, and the call is repeated at the new
 * owner within the same deadline.
 */
@Component
public class AuthorityClient {
  private static final int MAX_ATTEMPTS = 4;

  /**
   * Pause before a repetition without a newer map, times the attempt: a moving range needs time.
   */
  private static final long PAUSE_MILLIS = 50;

  private static final long STATUS_MILLIS = 2000;

  private final Map<Integer, Member> members = new TreeMap<>();

  /** By authority, the shard that answered the last status request. */
  private final Map<Integer, Integer> lastAnswering = new ConcurrentHashMap<>();

  private final ShardMapCache maps;
  private final GrpcChannels channels;
  private final long timeoutMillis;

  private record Member(ShardAddresses shards, String issuer) {}

  AuthorityClient(GatewayProperties properties, ShardMapCache maps, GrpcChannels channels) {
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

  /** The indexes of all authorities, 1 to N, ascending. */
  public List<Integer> indexes() {
    return List.copyOf(members.keySet());
  }

  /** Submits to the shard that owns the serial number. */
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
    } catch (Moved e) {
      return e.reply;
    }
  }

  /**
   * Calls an authority by the newest known shard map.
   *
   * @param question must be idempotent: it is repeated when a shard answers with a newer map
   */
  public <T> T ask(int authority, Function<ShardRoute, T> question) {
    Deadline deadline = Deadline.after(timeoutMillis, TimeUnit.MILLISECONDS);
    for (int attempt = 1; ; attempt++) {
      ShardRoute route =
          new ShardRoute(maps.of(authority), deadline, shard -> shard(authority, shard));
      try {
        return question.apply(route);
      } catch (Moved e) {
        String note = e.note();
        repeatOrThrow(
            attempt,
            note.isEmpty() ? ShardMapCache.Offer.UNCHANGED : maps.offer(authority, note),
            e);
      } catch (StatusRuntimeException e) {
        repeatOrThrow(attempt, refreshAfter(authority, route, e), e);
      }
    }
  }

  /** Fetches the shard map from the first shard of the authority that answers. */
  void refreshMap(int authority) {
    int shards = maps.of(authority).shards();
    for (int shard = 0; shard < shards; shard++) {
      try {
        fetchMap(
            authority,
            shard(authority, shard).withDeadlineAfter(STATUS_MILLIS, TimeUnit.MILLISECONDS));
        return;
      } catch (StatusRuntimeException | ProtocolException e) {
        // the next shard may answer
      }
    }
  }

  /**
   * Calls the shards of an authority one after the other until one answers, starting with the shard
   * that answered last time.
   *
   * @param each limit for one shard; the call timeout is the limit for all of them together
   * @throws StatusRuntimeException the failure of the last shard
   */
  public <T> T askAnyShard(
      int authority,
      Duration each,
      Function<ValidatorServiceGrpc.ValidatorServiceBlockingStub, T> question) {
    Deadline all = Deadline.after(timeoutMillis, TimeUnit.MILLISECONDS);
    int shards = maps.of(authority).shards();
    int first = lastAnswering.getOrDefault(authority, 0);
    StatusRuntimeException lastFailure = Status.UNAVAILABLE.asRuntimeException();
    for (int i = 0; i < shards && !all.isExpired(); i++) {
      int shard = (first + i) % shards;
      try {
        Deadline one = Deadline.after(each.toMillis(), TimeUnit.MILLISECONDS);
        T answer = question.apply(shard(authority, shard).withDeadline(one.minimum(all)));
        lastAnswering.put(authority, shard);
        return answer;
      } catch (StatusRuntimeException e) {
        lastFailure = e;
      }
    }
    throw lastFailure;
  }

  /** A stub of the authority's compliance issuer with a deadline of one call. */
  public ComplianceIssuerServiceGrpc.ComplianceIssuerServiceBlockingStub issuer(int authority) {
    String address = member(authority).issuer();
    if (address.isEmpty()) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "an authority has no compliance issuer configured");
    }
    return ComplianceIssuerServiceGrpc.newBlockingStub(channels.to(address))
        .withDeadlineAfter(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  /** Returns when the call is to be repeated, otherwise throws the failure. */
  private static void repeatOrThrow(
      int attempt, ShardMapCache.Offer offer, RuntimeException failure) {
    if (attempt == MAX_ATTEMPTS || offer == ShardMapCache.Offer.REJECTED) {
      throw failure;
    }
    if (offer == ShardMapCache.Offer.UNCHANGED) {
      try {
        Thread.sleep(PAUSE_MILLIS * attempt);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failure;
      }
    }
  }

  /** Fetches the shard map after a failed call; REJECTED when the failure is not due to the map. */
  private ShardMapCache.Offer refreshAfter(
      int authority, ShardRoute route, StatusRuntimeException failure) {
    try {
      if (isMoved(failure)) {
        return fetchMap(authority, route.shard(route.last()));
      }
      if (failure.getStatus().getCode() == Status.Code.UNAVAILABLE && maps.isGuess(authority)) {
        refreshMap(authority);
        return maps.isGuess(authority) ? ShardMapCache.Offer.REJECTED : ShardMapCache.Offer.NEWER;
      }
    } catch (StatusRuntimeException | ProtocolException e) {
      // the map stays as it is
    }
    return ShardMapCache.Offer.REJECTED;
  }

  private ShardMapCache.Offer fetchMap(
      int authority, ValidatorServiceGrpc.ValidatorServiceBlockingStub shard) {
    String note = shard.getStatus(GetStatusRequest.getDefaultInstance()).getShardMapNote();
    return note.isEmpty() ? ShardMapCache.Offer.UNCHANGED : maps.offer(authority, note);
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

  /** Carries the reply of a shard that does not own the serial number. */
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
