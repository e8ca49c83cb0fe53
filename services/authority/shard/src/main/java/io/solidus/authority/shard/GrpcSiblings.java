package io.solidus.authority.shard;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.HoldersReply;
import io.solidus.wire.v1.HoldersRequest;
import io.solidus.wire.v1.ReserveAllReply;
import io.solidus.wire.v1.ReserveAllRequest;
import io.solidus.wire.v1.ReserveClaim;
import io.solidus.wire.v1.ReserveOutcome;
import io.solidus.wire.v1.ShardServiceGrpc.ShardServiceFutureStub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** The other shards of this authority, called over gRPC in parallel. */
class GrpcSiblings implements Siblings {

  private final IntFunction<Optional<ShardServiceFutureStub>> stubs;
  private final Duration deadline;

  /**
   * Makes the calls.
   *
   * @param stubs with the authority's token; empty for a shard whose address is not known
   */
  GrpcSiblings(IntFunction<Optional<ShardServiceFutureStub>> stubs, Duration deadline) {
    this.stubs = stubs;
    this.deadline = deadline;
  }

  @Override
  public Map<Integer, Outcome<Map<SerialNumber, TxCore>>> holders(
      long mapVersion, SortedMap<Integer, List<SerialNumber>> byOwner) {
    Map<Integer, List<Call<SerialNumber, HoldersReply>>> calls = new TreeMap<>();
    byOwner.forEach((owner, serials) -> calls.put(owner, callHolders(mapVersion, owner, serials)));
    Map<Integer, Outcome<Map<SerialNumber, TxCore>>> found = new HashMap<>();
    calls.forEach((owner, own) -> found.put(owner, holders(own)));
    return found;
  }

  @Override
  public Map<Integer, List<Outcome<Ok>>> reserve(
      long mapVersion, SortedMap<Integer, List<Claim>> byOwner) {
    Map<Integer, List<Call<Claim, ReserveAllReply>>> calls = new TreeMap<>();
    byOwner.forEach((owner, claims) -> calls.put(owner, callReserve(mapVersion, owner, claims)));
    Map<Integer, List<Outcome<Ok>>> reserved = new HashMap<>();
    calls.forEach((owner, own) ->
        reserved.put(owner, own.stream().flatMap(call -> reserved(call).stream()).toList()));
    return reserved;
  }

  /** A call under way, with its part of the items for one sibling. */
  private record Call<I, A>(List<I> sent, Outcome<ListenableFuture<A>> reply) {}

  private List<Call<SerialNumber, HoldersReply>> callHolders(
      long mapVersion, int owner, List<SerialNumber> serials) {
    List<Call<SerialNumber, HoldersReply>> calls = new ArrayList<>();
    for (List<SerialNumber> part : parts(serials, ShardEndpoint.MAX_HOLDERS)) {
      HoldersRequest.Builder request = HoldersRequest.newBuilder().setShardMapVersion(mapVersion);
      part.forEach(serial -> request.addSerials(ByteString.copyFrom(serial.bytes())));
      calls.add(new Call<>(part, stub(owner).map(stub -> stub.holders(request.build()))));
    }
    return calls;
  }

  private List<Call<Claim, ReserveAllReply>> callReserve(
      long mapVersion, int owner, List<Claim> claims) {
    List<Call<Claim, ReserveAllReply>> calls = new ArrayList<>();
    for (List<Claim> part : parts(claims, ShardEndpoint.MAX_CLAIMS)) {
      ReserveAllRequest.Builder request =
          ReserveAllRequest.newBuilder().setShardMapVersion(mapVersion);
      part.forEach(claim -> request.addClaims(message(claim)));
      calls.add(new Call<>(part, stub(owner).map(stub -> stub.reserveAll(request.build()))));
    }
    return calls;
  }

  private Outcome<Map<SerialNumber, TxCore>> holders(List<Call<SerialNumber, HoldersReply>> calls) {
    Map<SerialNumber, TxCore> holders = new HashMap<>();
    try {
      for (Call<SerialNumber, HoldersReply> call : calls) {
        List<ByteString> cores = holders(await(call));
        requireSize(call.sent(), cores);
        for (int i = 0; i < cores.size(); i++) {
          if (!cores.get(i).isEmpty()) {
            holders.put(call.sent().get(i), TxCore.of(cores.get(i).toByteArray()));
          }
        }
      }
      return Outcome.done(holders);
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }

  private static List<ByteString> holders(HoldersReply reply) {
    return switch (reply.getOutcomeCase()) {
      case HOLDERS -> reply.getHolders().getCoresList();
      case REJECTED -> throw Rejections.toException(reply.getRejected());
      case OUTCOME_NOT_SET -> throw defect("a reply without an outcome");
    };
  }

  private List<Outcome<Ok>> reserved(Call<Claim, ReserveAllReply> call) {
    try {
      ReserveAllReply reply = await(call);
      List<ReserveOutcome> outcomes =
          switch (reply.getOutcomeCase()) {
            case RESERVATIONS -> reply.getReservations().getOutcomesList();
            case REJECTED -> throw Rejections.toException(reply.getRejected());
            case OUTCOME_NOT_SET -> throw defect("a reply without an outcome");
          };
      requireSize(call.sent(), outcomes);
      return outcomes.stream().map(GrpcSiblings::reserved).toList();
    } catch (RuntimeException e) {
      return call.sent().stream().map(claim -> Outcome.<Ok>failed(e)).toList();
    }
  }

  private static Outcome<Ok> reserved(ReserveOutcome outcome) {
    return outcome.hasRejected()
        ? Outcome.failed(Rejections.toException(outcome.getRejected()))
        : Outcome.done(Ok.OK);
  }

  private static ReserveClaim message(Claim claim) {
    ReserveClaim.Builder message =
        ReserveClaim.newBuilder().setCore(ByteString.copyFrom(claim.core().bytes()));
    claim.serials().forEach(serial -> message.addSerials(ByteString.copyFrom(serial.bytes())));
    claim.below().forEach(core -> message.addBelow(ByteString.copyFrom(core.bytes())));
    return message.build();
  }

  private Outcome<ShardServiceFutureStub> stub(int owner) {
    return stubs
        .apply(owner)
        .map(stub ->
            Outcome.done(stub.withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)))
        .orElseGet(
            () -> Outcome.failed(GrpcReplies.unavailable("a sibling shard is not configured")));
  }

  /** Waits for the reply. The deadline of the call ends the wait. */
  private static <A> A await(Call<?, A> call) {
    ListenableFuture<A> reply = call.reply().get();
    try {
      return reply.get();
    } catch (InterruptedException e) {
      reply.cancel(true);
      Thread.currentThread().interrupt();
      throw GrpcReplies.unavailable("interrupted");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof StatusRuntimeException status
          ? status
          : new IllegalStateException(e.getCause());
    }
  }

  private static <T> List<List<T>> parts(List<T> all, int most) {
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += most) {
      parts.add(all.subList(from, Math.min(all.size(), from + most)));
    }
    return parts;
  }

  private static void requireSize(List<?> sent, List<?> answered) {
    if (sent.size() != answered.size()) {
      throw defect("a sibling did not answer each item");
    }
  }

  private static ProtocolException defect(String detail) {
    return new ProtocolException(RejectionCode.INTERNAL, detail);
  }
}
