package io.solidus.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.testkit.Generators;
import io.solidus.testkit.RestProbe;
import io.solidus.testkit.TestCommittee;
import io.solidus.wire.Codecs;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import io.solidus.wire.v1.SerialState;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What enough authorities agree on, whatever one of them claims. */
class CoinStateTest {
  private static GatewayUnderTest gateway;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() {
    gateway = new GatewayUnderTest(Map.of("solidus.gateway.call-timeout", "1s", "solidus.gateway.request-timeout", "2s"));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @BeforeEach
  void reset() {
    gateway.reset();
  }

  @Test
  void freshSerialsAreUnspentInTheOrderAsked() {
    List<SerialNumber> serials = Stream.generate(random::serial).limit(64).toList();
    JsonNode states = ask(serials.toArray(SerialNumber[]::new)).json().path("states");
    assertThat(states.size()).isEqualTo(64);
    for (int i = 0; i < 64; i++) {
      assertThat(states.path(i).path("serial").asString("")).isEqualTo(Base64Url.encode(serials.get(i).bytes()));
      assertThat(states.path(i).path("status").asString("")).isEqualTo("unspent");
      assertThat(states.path(i).path("core").isNull()).isTrue();
    }
  }

  @Test
  void finishedTransferComesBackWithItsRequest() {
    TransferRequest request = Requests.transfer(random);
    gateway.rest.post("/v1/transfers", Requests.json(request));
    Eventually.holds(() -> assertThat(gateway.authority(4).transfers).hasSize(1));
    JsonNode states = ask(request.statement().serials().toArray(SerialNumber[]::new)).json().path("states");
    for (JsonNode state : states) {
      assertThat(state.path("status").asString("")).isEqualTo("signed");
      assertThat(state.path("core").asString("")).isEqualTo(request.statement().core(TestCommittee.NETWORK).hex());
    }
    TransferRequest stored =
        WireJson.read(states.path(0).path("request").toString(), TransferRequestJson.class).toDomain();
    assertThat(stored.statement()).isEqualTo(request.statement());
    assertThat(stored.attachments()).isEqualTo(request.attachments());
    assertThat(states.path(1).path("request").isNull()).isTrue();
  }

  @Test
  void oneLiarCannotSpendACoinByWord() {
    SerialNumber serial = random.serial();
    gateway.authority(1).says(serial, state(serial, SerialState.Status.STATUS_SIGNED, random.bytes(32), null));
    assertThat(status(serial)).isEqualTo("unspent");
  }

  @Test
  void oneLiarCannotUnspendACoin() {
    TransferRequest request = Requests.transfer(random);
    gateway.rest.post("/v1/transfers", Requests.json(request));
    Eventually.holds(() -> assertThat(gateway.authority(4).transfers).hasSize(1));
    SerialNumber lead = request.statement().leadSerial();
    gateway.authority(2).says(lead, state(lead, SerialState.Status.STATUS_UNSPENT, new byte[0], null));
    gateway.authority(3).says(lead, state(lead, SerialState.Status.STATUS_SIGNED, random.bytes(32), null));
    assertThat(status(lead)).isEqualTo("signed");
  }

  /** It reached a single authority before the wallet died: the seed phrase alone must find and finish it. */
  @Test
  void transferThatReachedOneAuthorityIsShown() {
    TransferRequest request = Requests.transfer(random);
    SerialNumber lead = request.statement().leadSerial();
    byte[] core = request.statement().core(TestCommittee.NETWORK).bytes();
    gateway.authority(3).says(lead, state(lead, SerialState.Status.STATUS_RESERVED, core, request));
    JsonNode state = ask(lead).json().path("states").path(0);
    assertThat(state.path("status").asString("")).isEqualTo("reserved");
    assertThat(state.path("request").isObject()).isTrue();
  }

  @Test
  void requestThatDoesNotHaveTheClaimedCoreIsNotBelieved() {
    TransferRequest request = Requests.transfer(random);
    SerialNumber lead = request.statement().leadSerial();
    gateway.authority(3).says(lead, state(lead, SerialState.Status.STATUS_RESERVED, random.bytes(32), request));
    assertThat(status(lead)).isEqualTo("unspent");
    SerialNumber other = random.serial();
    byte[] core = request.statement().core(TestCommittee.NETWORK).bytes();
    gateway.authority(3).says(other, state(other, SerialState.Status.STATUS_RESERVED, core, request));
    assertThat(status(other)).isEqualTo("unspent");
  }

  @Test
  void reservationsOfEnoughAuthoritiesCountWithoutRequest() {
    SerialNumber serial = random.serial();
    for (int index : List.of(1, 2)) {
      gateway.authority(index).says(serial, state(serial, SerialState.Status.STATUS_RESERVED, random.bytes(32), null));
    }
    assertThat(status(serial)).isEqualTo("reserved");
  }

  @Test
  void withOneAuthorityAwayThereIsStillAnAnswer() {
    gateway.authority(1).behaviour = Behaviour.WITHHOLDS;
    assertThat(status(random.serial())).isEqualTo("unspent");
    gateway.authority(2).behaviour = Behaviour.WITHHOLDS;
    RestProbe.Answer answer = ask(random.serial());
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("no-quorum");
  }

  @Test
  void refusesTooManyNoneAndRepeatedSerials() {
    assertThat(ask(Stream.generate(random::serial).limit(65).toArray(SerialNumber[]::new)).code())
        .isEqualTo("malformed-request");
    assertThat(ask().code()).isEqualTo("malformed-request");
    SerialNumber serial = random.serial();
    assertThat(ask(serial, serial).code()).isEqualTo("malformed-request");
    assertThat(gateway.rest.post("/v1/coins/state", "{\"serials\":[null]}").code()).isEqualTo("malformed-request");
  }

  private static String status(SerialNumber serial) {
    return ask(serial).json().path("states").path(0).path("status").asString("");
  }

  private static RestProbe.Answer ask(SerialNumber... serials) {
    return gateway.rest.post(
        "/v1/coins/state", Map.of("serials", Stream.of(serials).map(s -> Base64Url.encode(s.bytes())).toList()));
  }

  private static SerialState state(
      SerialNumber serial, SerialState.Status status, byte[] core, @Nullable TransferRequest request) {
    SerialState.Builder state =
        SerialState.newBuilder()
            .setSerial(ByteString.copyFrom(serial.bytes()))
            .setStatus(status)
            .setCore(ByteString.copyFrom(core));
    if (request != null) {
      state.setRequest(Codecs.toWire(request));
    }
    return state.build();
  }
}
