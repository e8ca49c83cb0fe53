package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.testkit.world.FakeSigner;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.v1.HoldersRequest;
import io.solidus.wire.v1.ReserveAllReply;
import io.solidus.wire.v1.ReserveAllRequest;
import io.solidus.wire.v1.ReserveClaim;
import io.solidus.wire.v1.ShardServiceGrpc;
import io.solidus.wire.v1.SubmitReply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks calls between shards of one authority: batches, limits, and no deadlock when shards wait
 * for each other.
 */
@Tag("process")
class SiblingCallsTest {

  private static final int CLIENTS = 32;

  private static RegulatedNetwork network;
  private static FakeSigner signer;
  private static RandomTransfers transfers;
  private static ShardServiceGrpc.ShardServiceBlockingStub sibling;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create();
    signer = new FakeSigner(network.keys.network());
    transfers = new RandomTransfers(network.keys.network());
    network.authority.with("solidus.validator.batch.workers", 1);
    network.startShards(signer.address());
    InternalToken token = InternalToken.derive(network.keys.noteKeySeed(1));
    sibling =
        ShardServiceGrpc.newBlockingStub(network.authority.shardChannel(0))
            .withInterceptors(InternalCalls.show(token));
  }

  @AfterAll
  static void stop() {
    network.close();
    signer.close();
  }

  @Test
  void shardsWithOneWorkerEachDoNotDeadlock() throws Exception {
    List<TransferRequest> requests = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      int home = i % 2;
      requests.add(transfers.spending(owned(home), owned(1 - home), owned(home)));
    }
    signer.batches().clear();
    try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
      List<Future<SubmitReply>> replies =
          requests.stream().map(r -> clients.submit(() -> network.submit(r))).toList();
      for (Future<SubmitReply> reply : replies) {
        Replies.signed(reply.get());
      }
    }
    assertThat(signer.batches().stream().mapToInt(i -> i).sum())
        .as("every transfer is checked once")
        .isEqualTo(400);
    assertThat(signer.batches()).as("some batches are larger").anyMatch(size -> size > 1);
  }

  @Test
  void sendsTheRequestAgainWhenTheSignerForgotIt() {
    signer.forgetful(true);
    try {
      Replies.signed(network.submit(transfers.next()));
    } finally {
      signer.forgetful(false);
    }
  }

  @Test
  void everyClaimOfABatchHasAnOutcome() {
    SerialNumber taken = owned(0);
    ByteString holder = core(1);
    reserve(claim(holder, taken));
    SerialNumber a = owned(0);
    SerialNumber b = owned(0);
    ReserveAllReply reply =
        reserve(
            claim(core(2), a), claim(core(3), owned(0), taken), claim(core(4), b), claim(holder));
    assertThat(reply.hasRejected()).as("a claim of nothing").isTrue();
    reply = reserve(claim(core(2), a), claim(core(3), owned(0), taken), claim(core(4), b));
    assertThat(reply.getReservations().getOutcomes(0).hasRejected()).isFalse();
    assertThat(reply.getReservations().getOutcomes(1).getRejected().getCode())
        .isEqualTo(RejectionCode.SERIAL_CONFLICT.code());
    assertThat(reply.getReservations().getOutcomes(2).hasRejected()).isFalse();
    List<ByteString> holders = holders(1, List.of(a, owned(0), taken, b));
    assertThat(holders).containsExactly(core(2), ByteString.EMPTY, holder, core(4));
  }

  @Test
  void rejectsWholeCallsOutsideTheLimits() {
    SerialNumber serial = owned(0);
    assertRejected(RejectionCode.MALFORMED_REQUEST, reserve());
    assertRejected(
        RejectionCode.MALFORMED_REQUEST, reserve(claim(core(5), serial), claim(core(5), owned(0))));
    assertRejected(
        RejectionCode.MALFORMED_REQUEST, reserve(claim(core(5), serial), claim(core(6), serial)));
    assertRejected(RejectionCode.MALFORMED_REQUEST, reserve(claim(core(5), serial, serial)));
    SerialNumber[] many = new SerialNumber[ResolvedRecover.MAX_SERIALS + 1];
    Arrays.setAll(many, i -> owned(0));
    assertRejected(RejectionCode.MALFORMED_REQUEST, reserve(claim(core(5), many)));
    assertRejected(
        RejectionCode.SHARD_MOVED, reserve(claim(core(5), serial), claim(core(6), owned(1))));
    ReserveAllRequest.Builder tooMany = ReserveAllRequest.newBuilder().setShardMapVersion(1);
    for (int i = 0; i < 257; i++) {
      tooMany.addClaims(claim(core(1000 + i), owned(0)));
    }
    assertRejected(RejectionCode.MALFORMED_REQUEST, sibling.reserveAll(tooMany.build()));
    assertRejected(
        RejectionCode.SHARD_MOVED,
        sibling.reserveAll(
            ReserveAllRequest.newBuilder()
                .setShardMapVersion(2)
                .addClaims(claim(core(5), serial))
                .build()));
    assertThat(holders(1, List.of(serial)))
        .as("nothing was reserved")
        .containsExactly(ByteString.EMPTY);
  }

  @Test
  void looksUpOnlySerialNumbersOfThisShardAndMap() {
    assertThat(rejectionOf(2, List.of(owned(0)))).isEqualTo(RejectionCode.SHARD_MOVED.code());
    assertThat(rejectionOf(1, List.of(owned(0), owned(1))))
        .isEqualTo(RejectionCode.SHARD_MOVED.code());
    assertThat(rejectionOf(1, List.of())).isEqualTo(RejectionCode.MALFORMED_REQUEST.code());
    List<SerialNumber> many = new ArrayList<>();
    for (int i = 0; i < 1025; i++) {
      many.add(owned(0));
    }
    assertThat(rejectionOf(1, many)).isEqualTo(RejectionCode.MALFORMED_REQUEST.code());
    assertThat(holders(1, many.subList(0, 1024))).hasSize(1024).containsOnly(ByteString.EMPTY);
  }

  private static ReserveAllReply reserve(ReserveClaim... claims) {
    return sibling.reserveAll(
        ReserveAllRequest.newBuilder().setShardMapVersion(1).addAllClaims(List.of(claims)).build());
  }

  private static void assertRejected(RejectionCode code, ReserveAllReply reply) {
    assertThat(reply.getRejected().getCode()).isEqualTo(code.code());
  }

  private static List<ByteString> holders(long version, List<SerialNumber> serials) {
    return sibling.holders(holdersRequest(version, serials)).getHolders().getCoresList();
  }

  private static String rejectionOf(long version, List<SerialNumber> serials) {
    return sibling.holders(holdersRequest(version, serials)).getRejected().getCode();
  }

  private static HoldersRequest holdersRequest(long version, List<SerialNumber> serials) {
    HoldersRequest.Builder request = HoldersRequest.newBuilder().setShardMapVersion(version);
    serials.forEach(s -> request.addSerials(ByteString.copyFrom(s.bytes())));
    return request.build();
  }

  private static ReserveClaim claim(ByteString core, SerialNumber... serials) {
    ReserveClaim.Builder claim = ReserveClaim.newBuilder().setCore(core);
    for (SerialNumber serial : serials) {
      claim.addSerials(ByteString.copyFrom(serial.bytes()));
    }
    return claim.build();
  }

  private static ByteString core(int number) {
    byte[] bytes = new byte[32];
    bytes[0] = (byte) (number >> 8);
    bytes[1] = (byte) number;
    return ByteString.copyFrom(bytes);
  }

  private static SerialNumber owned(int shard) {
    return transfers.serial(TestAuthority.ownedBy(shard));
  }
}
