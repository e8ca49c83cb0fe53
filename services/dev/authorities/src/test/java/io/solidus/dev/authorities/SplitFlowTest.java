package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.FakeSigner;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.LookUpCoreRequest;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.SubmitReply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the split command on running shards. */
@Tag("process")
class SplitFlowTest {

  private static RegulatedNetwork network;
  private static FakeSigner signer;
  private static RandomTransfers transfers;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create();
    signer = new FakeSigner(network.keys.network());
    transfers = new RandomTransfers(network.keys.network());
    network.startShards(signer.address());
  }

  @AfterAll
  static void stop() {
    network.close();
    signer.close();
  }

  @Test
  void movesTheUpperPartOfARangeToAJoiningShard() {
    FieldElement splitPoint = ShardMap.equal(2).ranges().get(0).middle();
    TransferRequest stays = spending(0, splitPoint);
    TransferRequest moves = spending(2, splitPoint);
    SubmitReply before = Replies.signed(submit(0, moves));
    Replies.signed(submit(0, stays));

    assertThatThrownBy(() -> network.authority.split(0, TestAuthority.JOINING, splitPoint.hex()))
        .hasMessageContaining("does not answer yet");
    network.authority.startShard(TestAuthority.JOINING);
    Await.until(
        "the joining shard accepts",
        () -> network.authority.status(TestAuthority.JOINING).getAccepting());
    Replies.rejected(RejectionCode.SHARD_MOVED, submit(TestAuthority.JOINING, moves));
    RangeSplit.Result result = network.authority.split(0, TestAuthority.JOINING, splitPoint.hex());

    ShardMap map = ShardMap.equal(1, 1, 2).split(0, splitPoint);
    assertThat(result.map()).isEqualTo(map);
    SubmitReply rejected = submit(0, spending(2, splitPoint));
    Replies.rejected(RejectionCode.SHARD_MOVED, rejected);
    assertThat(map(rejected.getRejected().getShardMapNote()))
        .as("the rejection carries the newest map")
        .isEqualTo(map);
    Replies.rejected(RejectionCode.SHARD_MOVED, submit(0, moves));
    assertThat(submit(TestAuthority.JOINING, moves).toByteArray())
        .as("the same bytes")
        .isEqualTo(before.toByteArray());
    Replies.signed(submit(TestAuthority.JOINING, spending(2, splitPoint)));
    Replies.signed(submit(0, spending(0, splitPoint)));
    TransferRequest again =
        transfers.spending(
            moves.statement().leadSerial(), serial(0, splitPoint), serial(1, splitPoint));
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, submit(TestAuthority.JOINING, again));

    assertLooksUp(moves, before);
    for (int shard = 0; shard <= TestAuthority.JOINING; shard++) {
      int index = shard;
      Await.until(
          "shard " + shard + " has the new map",
          () -> map(network.authority.status(index).getShardMapNote()).equals(map));
    }
    restart(0);
    restart(TestAuthority.JOINING);
    assertThat(submit(TestAuthority.JOINING, moves).toByteArray())
        .as("after a restart")
        .isEqualTo(before.toByteArray());
    Replies.rejected(RejectionCode.SHARD_MOVED, submit(0, spending(2, splitPoint)));
  }

  private static void assertLooksUp(TransferRequest moved, SubmitReply before) {
    ByteString lead = ByteString.copyFrom(moved.statement().leadSerial().bytes());
    ByteString core = ByteString.copyFrom(moved.statement().core(network.keys.network()).bytes());
    LookUpSerialsRequest serials = LookUpSerialsRequest.newBuilder().addSerials(lead).build();
    LookUpCoreRequest cores =
        LookUpCoreRequest.newBuilder().setCore(core).setLeadSerial(lead).build();
    SerialState state =
        network.authority.validator(TestAuthority.JOINING).lookUpSerials(serials).getStates(0);
    assertThat(state.getSigned()).isEqualTo(before.getSigned());
    assertThat(state.getRequest()).isEqualTo(Codecs.toWire(moved));
    assertThat(network.authority.validator(TestAuthority.JOINING).lookUpCore(cores))
        .isEqualTo(before);
    Replies.rejected(RejectionCode.SHARD_MOVED, network.authority.validator(0).lookUpCore(cores));
    StatusRuntimeException e =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> network.authority.validator(0).lookUpSerials(serials));
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(e.getStatus().getDescription()).isEqualTo(RejectionCode.SHARD_MOVED.code());
  }

  private static void restart(int shard) {
    network.authority.stopShard(shard);
    network.authority.startShard(shard);
    Await.until(
        "shard " + shard + " accepts requests again",
        () -> network.authority.status(shard).getAccepting());
  }

  private static ShardMap map(String note) {
    return ShardMap.signed(
        network.keys.network(), 1, network.keys.committee().member(1).countersigner(), note);
  }

  private static SubmitReply submit(int shard, TransferRequest request) {
    return network.authority.validator(shard).submitTransfer(Codecs.toWire(request));
  }

  /** A transfer whose lead serial number belongs to the given shard after the split. */
  private static TransferRequest spending(int leadShard, FieldElement splitPoint) {
    return transfers.spending(
        serial(leadShard, splitPoint), serial(2, splitPoint), serial(1, splitPoint));
  }

  private static SerialNumber serial(int shard, FieldElement splitPoint) {
    ShardMap map = ShardMap.equal(1, 1, 2).split(0, splitPoint);
    return transfers.serial(serial -> map.owner(serial) == shard);
  }
}
