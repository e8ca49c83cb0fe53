package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
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
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.LookUpCoreRequest;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.SubmitReply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The command that splits a range, with shards in processes of their own contexts. */
class SplitFlowTest {

  private static RegulatedWorld world;
  private static FakeSigner signer;
  private static RandomTransfers transfers;

  @BeforeAll
  static void start() {
    world = RegulatedWorld.create();
    signer = new FakeSigner(world.keys.network());
    transfers = new RandomTransfers(world.keys.network());
    world.startShards(signer.address());
  }

  @AfterAll
  static void stop() {
    world.close();
    signer.close();
  }

  @Test
  void theUpperPartOfARangeGoesToAShardThatJoins() {
    FieldElement cut = ShardMap.equal(2).ranges().get(0).middle();
    TransferRequest stays = spending(0, cut);
    TransferRequest moves = spending(2, cut);
    SubmitReply before = Replies.signed(submit(0, moves));
    Replies.signed(submit(0, stays));

    assertThatThrownBy(() -> world.authority.split(0, Authority.JOINING, cut.hex()))
        .hasMessageContaining("does not answer yet");
    world.authority.startShard(Authority.JOINING);
    Await.until("the joining shard accepts", () -> status(Authority.JOINING).getAccepting());
    Replies.rejected(RejectionCode.SHARD_MOVED, submit(Authority.JOINING, moves));
    RangeSplit.Result result = world.authority.split(0, Authority.JOINING, cut.hex());

    ShardMap map = ShardMap.equal(1, 1, 2).split(0, cut);
    assertThat(result.map()).isEqualTo(map);
    SubmitReply refused = submit(0, spending(2, cut));
    Replies.rejected(RejectionCode.SHARD_MOVED, refused);
    assertThat(map(refused.getRejected().getShardMapNote()))
        .as("sent on with the newest map")
        .isEqualTo(map);
    Replies.rejected(RejectionCode.SHARD_MOVED, submit(0, moves));
    assertThat(submit(Authority.JOINING, moves).toByteArray())
        .as("the same bytes")
        .isEqualTo(before.toByteArray());
    Replies.signed(submit(Authority.JOINING, spending(2, cut)));
    Replies.signed(submit(0, spending(0, cut)));
    TransferRequest again =
        transfers.spending(moves.statement().leadSerial(), serial(0, cut), serial(1, cut));
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, submit(Authority.JOINING, again));

    looksUp(moves, before);
    for (int shard = 0; shard <= Authority.JOINING; shard++) {
      int asked = shard;
      Await.until(
          "shard " + shard + " has heard of it",
          () -> map(status(asked).getShardMapNote()).equals(map));
    }
    restart(0);
    restart(Authority.JOINING);
    assertThat(submit(Authority.JOINING, moves).toByteArray())
        .as("after a restart")
        .isEqualTo(before.toByteArray());
    Replies.rejected(RejectionCode.SHARD_MOVED, submit(0, spending(2, cut)));
  }

  private static void looksUp(TransferRequest moved, SubmitReply before) {
    ByteString lead = ByteString.copyFrom(moved.statement().leadSerial().bytes());
    ByteString core = ByteString.copyFrom(moved.statement().core(world.keys.network()).bytes());
    LookUpSerialsRequest serials = LookUpSerialsRequest.newBuilder().addSerials(lead).build();
    LookUpCoreRequest cores =
        LookUpCoreRequest.newBuilder().setCore(core).setLeadSerial(lead).build();
    SerialState state =
        world.authority.validator(Authority.JOINING).lookUpSerials(serials).getStates(0);
    assertThat(state.getSigned()).isEqualTo(before.getSigned());
    assertThat(state.getRequest()).isEqualTo(Codecs.toWire(moved));
    assertThat(world.authority.validator(Authority.JOINING).lookUpCore(cores)).isEqualTo(before);
    Replies.rejected(RejectionCode.SHARD_MOVED, world.authority.validator(0).lookUpCore(cores));
    StatusRuntimeException gone =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> world.authority.validator(0).lookUpSerials(serials));
    assertThat(gone.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(gone.getStatus().getDescription()).isEqualTo(RejectionCode.SHARD_MOVED.code());
  }

  private static void restart(int shard) {
    world.authority.stopShard(shard);
    world.authority.startShard(shard);
    Await.until("shard " + shard + " accepts again", () -> status(shard).getAccepting());
  }

  private static io.solidus.wire.v1.GetStatusReply status(int shard) {
    return world.authority.validator(shard).getStatus(GetStatusRequest.getDefaultInstance());
  }

  private static ShardMap map(String note) {
    return ShardMap.signed(
        world.keys.network(), 1, world.keys.committee().member(1).countersigner(), note);
  }

  private static SubmitReply submit(int shard, TransferRequest request) {
    return world.authority.validator(shard).submitTransfer(Codecs.toWire(request));
  }

  /** Led by a serial number that a shard owns after the split, the others anywhere. */
  private static TransferRequest spending(int leadShard, FieldElement cut) {
    return transfers.spending(serial(leadShard, cut), serial(2, cut), serial(1, cut));
  }

  private static SerialNumber serial(int shard, FieldElement cut) {
    ShardMap map = ShardMap.equal(1, 1, 2).split(0, cut);
    return transfers.serial(serial -> map.owner(serial) == shard);
  }
}
