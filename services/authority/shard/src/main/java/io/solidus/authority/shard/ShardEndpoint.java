package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.platform.grpc.Rejections;
import io.solidus.platform.limits.Bulkhead;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.Holders;
import io.solidus.wire.v1.HoldersReply;
import io.solidus.wire.v1.HoldersRequest;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.ReserveAllReply;
import io.solidus.wire.v1.ReserveAllRequest;
import io.solidus.wire.v1.ReserveClaim;
import io.solidus.wire.v1.ReserveOutcome;
import io.solidus.wire.v1.ShardServiceGrpc;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The gRPC service for sibling shards: it returns the cores that hold serial numbers of this
 * shard's range, and reserves serial numbers for cores that siblings coordinate. These calls have
 * their own threads and limits and depend only on the database. A shard whose workers all wait for
 * a sibling still answers that sibling, so shards cannot wait for each other in a circle.
 */
public class ShardEndpoint extends ShardServiceGrpc.ShardServiceImplBase {

  static final int MAX_HOLDERS = 1024;
  static final int MAX_CLAIMS = 256;
  private static final int MAX_SERIALS = 16;

  private final Ownership ownership;
  private final SerialStore serials;
  private final Reservations reservations;
  private final Bulkhead lookUpCalls;
  private final Bulkhead reserveCalls;

  /**
   * Makes the service.
   *
   * @param maxCalls of each kind at a time
   */
  ShardEndpoint(Ownership ownership, SerialStore serials, Reservations reservations, int maxCalls) {
    this.ownership = ownership;
    this.serials = serials;
    this.reservations = reservations;
    this.lookUpCalls = new Bulkhead(maxCalls, ShardProperties.TOO_MANY_CALLS);
    this.reserveCalls = new Bulkhead(maxCalls, ShardProperties.TOO_MANY_CALLS);
  }

  @Override
  public void holders(HoldersRequest request, StreamObserver<HoldersReply> observer) {
    GrpcReplies.answer(
        observer,
        () -> lookUpCalls.run(() -> HoldersReply.newBuilder().setHolders(holders(request)).build()),
        rejection -> HoldersReply.newBuilder().setRejected(rejection).build());
  }

  @Override
  public void reserveAll(ReserveAllRequest request, StreamObserver<ReserveAllReply> observer) {
    GrpcReplies.answer(
        observer,
        () -> reserveCalls.run(() -> reserve(request)),
        rejection -> ReserveAllReply.newBuilder().setRejected(rejection).build());
  }

  private Holders holders(HoldersRequest request) {
    ownership.requireVersion(request.getShardMapVersion());
    List<SerialNumber> wanted = serials(request.getSerialsList(), MAX_HOLDERS);
    wanted.forEach(ownership::requireOwned);
    Map<SerialNumber, TxCore> holders = serials.holders(wanted);
    ownership.requireStillOwned(wanted);
    Holders.Builder reply = Holders.newBuilder();
    for (SerialNumber serial : wanted) {
      TxCore core = holders.get(serial);
      reply.addCores(core == null ? ByteString.EMPTY : ByteString.copyFrom(core.bytes()));
    }
    return reply.build();
  }

  private ReserveAllReply reserve(ReserveAllRequest request) {
    ownership.requireVersion(request.getShardMapVersion());
    List<Claim> claims = claims(request.getClaimsList());
    ReserveAllReply.Builder reply = ReserveAllReply.newBuilder();
    for (Outcome<Ok> outcome : reservations.reserve(claims, (cores, fresh) -> Map.of())) {
      reply.getReservationsBuilder().addOutcomes(outcome(outcome));
    }
    return reply.build();
  }

  private static ReserveOutcome outcome(Outcome<Ok> outcome) {
    return switch (outcome) {
      case Outcome.Done<Ok> done -> ReserveOutcome.getDefaultInstance();
      case Outcome.Failed<Ok> failed ->
          ReserveOutcome.newBuilder().setRejected(rejection(failed.reason())).build();
    };
  }

  private static Rejection rejection(RuntimeException reason) {
    return Rejections.toMessage(
        GrpcReplies.rejection(reason)
            .orElseGet(() -> new ProtocolException(RejectionCode.INTERNAL, "unforeseen failure")));
  }

  private static List<Claim> claims(List<ReserveClaim> messages) {
    requireCount(messages.size(), MAX_CLAIMS);
    List<Claim> claims =
        messages.stream()
            .map(m ->
                new Claim(
                    TxCore.of(m.getCore().toByteArray()), serials(m.getSerialsList(), MAX_SERIALS)))
            .toList();
    Set<TxCore> cores = new HashSet<>();
    Set<SerialNumber> serials = new HashSet<>();
    for (Claim claim : claims) {
      if (!cores.add(claim.core()) || !claim.serials().stream().allMatch(serials::add)) {
        throw ProtocolException.malformed("cores and serial numbers must be distinct");
      }
    }
    return claims;
  }

  private static List<SerialNumber> serials(List<ByteString> messages, int most) {
    requireCount(messages.size(), most);
    return messages.stream().map(s -> SerialNumber.of(s.toByteArray())).toList();
  }

  private static void requireCount(int count, int most) {
    if (count == 0 || count > most) {
      throw ProtocolException.malformed("wrong number of entries");
    }
  }
}
