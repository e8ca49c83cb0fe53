package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialHeldException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.RecoverRequestJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.StoredRequest;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Recovers at the gateway, with authorities that sign with their real shares or refuse. */
@Tag("process")
class RecoverRouteTest {
  @RegisterExtension private static final GatewayFixture gateway = new GatewayFixture();

  private final Generators random = new Generators(System.nanoTime());

  private static RestProbe.Answer submit(RecoverRequest request) {
    return gateway.rest.post("/v1/recovers", TestRequests.json(request));
  }

  @Test
  @Spec({"F-22", "F-33"})
  void answersWithAQuorumWhoseCombinationVerifies() {
    RecoverRequest request = TestRequests.recover(random);
    ResolvedRecover resolved = request.resolve(TestCommittee.NETWORK);
    RestProbe.Answer answer = submit(request);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("core").asString("")).isEqualTo(resolved.core().hex());
    assertThat(answer.json().path("partials").size()).isGreaterThanOrEqualTo(3);
    for (int output = 0; output < 2; output++) {
      G1Point combined =
          new G1Point(
              Base64Url.decode(
                  answer.json().path("combined").get(output).asString(""), "combined"));
      assertThat(
              TestCommittee.regulated()
                  .suite()
                  .verifyBlinded(
                      TestCommittee.regulated().committee(), resolved.signed(), output, combined))
          .isTrue();
    }
    Eventually.holds(() ->
        assertThat(gateway.authorities)
            .allSatisfy(authority -> assertThat(authority.recovers).containsExactly(request)));
  }

  /** Each authority shows what holds a serial number there; the wallet needs all of it. */
  @Test
  @Spec("X-27")
  void aRefusalShowsWhatEachAuthorityHolds() {
    RecoverRequest request = TestRequests.recover(random);
    SerialNumber lead = request.resolve(TestCommittee.NETWORK).serials().getFirst();
    TransferRequest transfer = TestRequests.transfer(random, lead);
    RecoverRequest recover = TestRequests.recover(random);
    TxCore transferred = transfer.statement().core(TestCommittee.NETWORK);
    TxCore recovered = recover.resolve(TestCommittee.NETWORK).core();
    Rejection first =
        held(lead, transferred, holder -> holder.setTransfer(Codecs.toWire(transfer)));
    gateway.authority(1).recoverRefusal = first;
    gateway.authority(2).recoverRefusal = first;
    SerialNumber other = random.serial();
    Rejection second = held(other, recovered, holder -> holder.setRecover(Codecs.toWire(recover)));
    gateway.authority(3).recoverRefusal = second;
    gateway.authority(4).recoverRefusal = second;

    RestProbe.Answer answer = submit(request);

    assertThat(answer.status()).isEqualTo(RejectionCode.SERIAL_CONFLICT.http());
    assertThat(answer.code()).isEqualTo(RejectionCode.SERIAL_CONFLICT.code());
    JsonNode shown = answer.json().path("held");
    assertThat(shown.size()).isPositive();
    for (JsonNode one : shown) {
      boolean isTransfer = one.path("authorities").get(0).asInt() <= 2;
      assertThat(one.path("serial").asString(""))
          .isEqualTo(Base64Url.encode((isTransfer ? lead : other).bytes()));
      assertThat(one.path("core").asString(""))
          .isEqualTo((isTransfer ? transferred : recovered).hex());
      if (isTransfer) {
        assertThat(
                WireJson.read(one.path("transfer").toString(), TransferRequestJson.class)
                    .toDomain())
            .isEqualTo(transfer);
      } else {
        assertThat(
                WireJson.read(one.path("recover").toString(), RecoverRequestJson.class).toDomain())
            .isEqualTo(recover);
      }
    }
  }

  /** Attack: an authority shows a request that is not of the core, or one that cannot be read. */
  @Test
  @Spec("X-27")
  void aRequestOfAnotherCoreIsNotShown() {
    RecoverRequest request = TestRequests.recover(random);
    TransferRequest transfer = TestRequests.transfer(random);
    Rejection foreign =
        held(
            random.serial(),
            new TxCore(random.digest()),
            holder -> holder.setTransfer(Codecs.toWire(transfer)));
    Rejection broken =
        held(
            random.serial(),
            new TxCore(random.digest()),
            holder ->
                holder.setRecover(
                    Codecs.toWire(TestRequests.recover(random)).toBuilder().clearStatement()));
    Rejection noSerial =
        foreign.toBuilder().setHeldSerial(ByteString.copyFrom(new byte[3])).build();
    for (Rejection lie : List.of(foreign, broken, noSerial)) {
      for (int authority = 1; authority <= 4; authority++) {
        gateway.authority(authority).recoverRefusal = lie;
      }
      RestProbe.Answer answer = submit(request);
      assertThat(answer.code()).isEqualTo(RejectionCode.SERIAL_CONFLICT.code());
      assertThat(answer.json().has("held")).isFalse();
    }
  }

  /** A refusal with what is held has the headers of every other refusal. */
  @Test
  void aRefusalForLackOfAQuorumSaysWhenToAskAgain() {
    RecoverRequest request = TestRequests.recover(random);
    SerialNumber lead = request.resolve(TestCommittee.NETWORK).serials().getFirst();
    TransferRequest transfer = TestRequests.transfer(random, lead);
    gateway.authority(1).recoverRefusal =
        held(
            lead,
            transfer.statement().core(TestCommittee.NETWORK),
            holder -> holder.setTransfer(Codecs.toWire(transfer)));
    gateway.authority(2).behaviour = AuthorityBehaviour.WRONG_SHARE;
    gateway.authority(3).behaviour = AuthorityBehaviour.WRONG_SHARE;
    RestProbe.Answer answer = submit(request);
    assertThat(answer.code()).isEqualTo(RejectionCode.NO_QUORUM.code());
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.json().path("held").size()).isPositive();
    assertThat(answer.header("Retry-After")).isEqualTo("1");
  }

  @Test
  void theLongestRecoverFitsIntoABody() {
    RestProbe.Answer answer = submit(TestRequests.longestRecover(random));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void whatIsWrongWithTheRecoverItselfReachesNoAuthority() {
    RecoverRequest request = TestRequests.recover(random);
    RecoverStatement s = request.statement();
    RecoverRequest other =
        new RecoverRequest(request.below(), s, request.evidence(), random.attachments());
    assertThat(submit(other).code()).isEqualTo(RejectionCode.CONTEXT_MISMATCH.code());
    RecoverRequest twins =
        new RecoverRequest(
            request.below(),
            Altered.next(s, s.next().getFirst(), s.next().getFirst()),
            request.evidence(),
            request.attachments());
    assertThat(submit(twins).code()).isEqualTo(RejectionCode.SERIALS_NOT_DISTINCT.code());
    assertThat(gateway.rest.post("/v1/recovers", "{}").code())
        .isEqualTo(RejectionCode.MALFORMED_REQUEST.code());
    assertThat(gateway.authorities)
        .allSatisfy(authority -> assertThat(authority.recovers).isEmpty());
  }

  /** A look-up passes on the recovers of a lead serial number, and only those that are of it. */
  @Test
  @Spec("F-22")
  void aLookUpShowsTheRecoversOfALead() {
    SerialNumber lead = random.serial();
    TransferRequest transfer = TestRequests.transfer(random, lead);
    RecoverRequest recover =
        TestRequests.recover(random, transfer, TestRequests.transfer(random, lead));
    TxCore core = recover.resolve(TestCommittee.NETWORK).core();
    SerialState state =
        SerialState.newBuilder()
            .setSerial(ByteString.copyFrom(lead.bytes()))
            .setStatus(SerialState.Status.STATUS_RESERVED)
            .setCore(ByteString.copyFrom(transfer.statement().core(TestCommittee.NETWORK).bytes()))
            .setRequest(Codecs.toWire(transfer))
            .addOthers(
                StoredRequest.newBuilder()
                    .setCore(ByteString.copyFrom(core.bytes()))
                    .setRecover(Codecs.toWire(recover)))
            .build();
    for (int i = 1; i <= 3; i++) {
      gateway.authority(i).answers(lead, state);
    }
    SerialState.Builder foreign = state.toBuilder();
    foreign.getOthersBuilder(0).setCore(ByteString.copyFrom(random.bytes(32)));
    gateway.authority(4).answers(lead, foreign.build());

    RestProbe.Answer answer =
        gateway.rest.post(
            "/v1/coins/state", "{\"serials\":[\"" + Base64Url.encode(lead.bytes()) + "\"]}");

    JsonNode shown = answer.json().path("states").get(0).path("recovers");
    assertThat(shown.size()).isEqualTo(1);
    assertThat(shown.get(0).path("core").asString("")).isEqualTo(core.hex());
    assertThat(shown.get(0).path("authorities").toString()).isEqualTo("[1,2,3]");
    assertThat(
            WireJson.read(shown.get(0).path("request").toString(), RecoverRequestJson.class)
                .toDomain())
        .isEqualTo(recover);
  }

  private static Rejection held(
      SerialNumber serial, TxCore core, Consumer<StoredRequest.Builder> holder) {
    Rejection.Builder refusal =
        Rejections.toMessage(new SerialHeldException(serial, core)).toBuilder();
    holder.accept(refusal.getHolderBuilder());
    return refusal.build();
  }
}
