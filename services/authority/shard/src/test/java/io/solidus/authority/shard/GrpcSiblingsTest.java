package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.HoldersReply;
import io.solidus.wire.v1.HoldersRequest;
import io.solidus.wire.v1.ReserveAllReply;
import io.solidus.wire.v1.ReserveAllRequest;
import io.solidus.wire.v1.ReserveOutcome;
import io.solidus.wire.v1.ShardServiceGrpc;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a sibling must say before its serial numbers count as free, or as reserved. */
class GrpcSiblingsTest {

  private static final int SIBLING = 1;
  private static final ReserveOutcome RESERVED = ReserveOutcome.getDefaultInstance();

  private HoldersReply holders = HoldersReply.getDefaultInstance();
  private ReserveAllReply reserved = ReserveAllReply.getDefaultInstance();
  private final SerialNumber first = serial();
  private final SerialNumber second = serial();
  private LoopbackServer server;
  private GrpcSiblings siblings;

  @BeforeEach
  void start() throws IOException {
    server = new LoopbackServer(new Scripted());
    siblings =
        new GrpcSiblings(
            owner ->
                owner == SIBLING
                    ? Optional.of(ShardServiceGrpc.newFutureStub(server.channel))
                    : Optional.empty(),
            Duration.ofSeconds(10));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void namesTheHolderOfEachSerialNumber() {
    TxCore core = TxCore.of(TestRandom.bytes(32));
    holders = reply(ByteString.EMPTY, ByteString.copyFrom(core.bytes()));
    assertThat(holders(SIBLING).get()).isEqualTo(Map.of(second, core));
  }

  /** Otherwise a missing entry would read as unspent. */
  @Test
  void aReplyWithAnotherNumberOfHoldersIsNone() {
    holders = reply(ByteString.EMPTY);
    assertThat(code(holders(SIBLING))).isEqualTo(RejectionCode.INTERNAL);
    holders = reply(ByteString.EMPTY, ByteString.EMPTY, ByteString.EMPTY);
    assertThat(code(holders(SIBLING))).isEqualTo(RejectionCode.INTERNAL);
  }

  @Test
  void aRefusedLookUpSaysNothing() {
    holders =
        HoldersReply.newBuilder()
            .setRejected(Rejections.toMessage(new ProtocolException(RejectionCode.SHARD_MOVED, "")))
            .build();
    assertThat(code(holders(SIBLING))).isEqualTo(RejectionCode.SHARD_MOVED);
    holders = HoldersReply.getDefaultInstance();
    assertThat(code(holders(SIBLING))).isEqualTo(RejectionCode.INTERNAL);
    assertThat(code(holders(2))).as("not configured").isEqualTo(RejectionCode.UNAVAILABLE);
  }

  @Test
  void aRefusedClaimIsNotReserved() {
    reserved =
        outcomes(
            RESERVED,
            ReserveOutcome.newBuilder()
                .setRejected(
                    Rejections.toMessage(
                        new ProtocolException(RejectionCode.SERIAL_CONFLICT, "for the test")))
                .build());
    List<Outcome<Ok>> outcomes = reserve(SIBLING);
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Done.class);
    assertThat(code(outcomes.get(1))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
  }

  @Test
  void aReplyWithAnotherNumberOfOutcomesReservesNothing() {
    reserved = outcomes(RESERVED, RESERVED, RESERVED);
    assertThat(reserve(SIBLING)).allMatch(one -> code(one) == RejectionCode.INTERNAL);
    reserved = ReserveAllReply.getDefaultInstance();
    assertThat(reserve(SIBLING)).allMatch(one -> code(one) == RejectionCode.INTERNAL);
    assertThat(reserve(2)).allMatch(one -> code(one) == RejectionCode.UNAVAILABLE);
  }

  private Outcome<Map<SerialNumber, TxCore>> holders(int owner) {
    SortedMap<Integer, List<SerialNumber>> wanted =
        new TreeMap<>(Map.of(owner, List.of(first, second)));
    return Objects.requireNonNull(siblings.holders(1, wanted).get(owner));
  }

  private List<Outcome<Ok>> reserve(int owner) {
    List<Claim> claims =
        List.of(
            new Claim(TxCore.of(TestRandom.bytes(32)), List.of(first)),
            new Claim(TxCore.of(TestRandom.bytes(32)), List.of(second)));
    return Objects.requireNonNull(
        siblings.reserve(1, new TreeMap<>(Map.of(owner, claims))).get(owner));
  }

  private static HoldersReply reply(ByteString... cores) {
    HoldersReply.Builder reply = HoldersReply.newBuilder();
    reply.getHoldersBuilder().addAllCores(List.of(cores));
    return reply.build();
  }

  private static ReserveAllReply outcomes(ReserveOutcome... outcomes) {
    ReserveAllReply.Builder reply = ReserveAllReply.newBuilder();
    reply.getReservationsBuilder().addAllOutcomes(List.of(outcomes));
    return reply.build();
  }

  private static RejectionCode code(Outcome<?> outcome) {
    return catchThrowableOfType(ProtocolException.class, outcome::get).code();
  }

  private static SerialNumber serial() {
    return new SerialNumber(TestRandom.field());
  }

  private final class Scripted extends ShardServiceGrpc.ShardServiceImplBase {
    @Override
    public void holders(HoldersRequest request, StreamObserver<HoldersReply> observer) {
      observer.onNext(holders);
      observer.onCompleted();
    }

    @Override
    public void reserveAll(ReserveAllRequest request, StreamObserver<ReserveAllReply> observer) {
      observer.onNext(reserved);
      observer.onCompleted();
    }
  }
}
