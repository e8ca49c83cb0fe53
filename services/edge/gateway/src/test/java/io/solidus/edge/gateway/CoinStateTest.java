package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.SignedStatesJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import io.solidus.wire.v1.SerialState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/**
 * Look-ups of serial numbers: the state that enough authorities report, whatever one of them
 * claims.
 */
@Tag("process")
class CoinStateTest {
  @RegisterExtension private static final GatewayFixture gateway = new GatewayFixture();

  private final Generators random = new Generators(System.nanoTime());

  @Test
  void answersFreshSerialsAsUnspentInTheOrderOfTheQuestion() {
    List<SerialNumber> serials = Stream.generate(random::serial).limit(64).toList();
    JsonNode states = ask(serials.toArray(SerialNumber[]::new)).json().path("states");
    assertThat(states.size()).isEqualTo(64);
    for (int i = 0; i < 64; i++) {
      assertThat(states.path(i).path("serial").asString(""))
          .isEqualTo(Base64Url.encode(serials.get(i).bytes()));
      assertThat(states.path(i).path("status").asString("")).isEqualTo("unspent");
      assertThat(states.path(i).path("core").isNull()).isTrue();
    }
  }

  @Test
  void answersAFinishedTransferWithItsRequest() {
    TransferRequest request = TestRequests.transfer(random);
    gateway.rest.post("/v1/transfers", TestRequests.json(request));
    Eventually.holds(() -> assertThat(gateway.authority(4).received(request)).hasSize(1));
    JsonNode states =
        ask(request.statement().serials().toArray(SerialNumber[]::new)).json().path("states");
    for (JsonNode state : states) {
      assertThat(state.path("status").asString("")).isEqualTo("signed");
      assertThat(state.path("core").asString(""))
          .isEqualTo(request.statement().core(TestCommittee.NETWORK).hex());
    }
    TransferRequest stored =
        WireJson.read(
                states.path(0).path("requests").path(0).path("request").toString(),
                TransferRequestJson.class)
            .toDomain();
    assertThat(stored).isEqualTo(request);
    assertThat(shownBy(states.path(0))).containsExactly(List.of(1, 2, 3, 4));
    assertThat(unspentBy(states.path(0))).isEmpty();
    assertThat(shownBy(states.path(1))).isEmpty();
  }

  @Test
  void oneLiarCannotMakeAnUnspentCoinSpent() {
    SerialNumber serial = random.serial();
    gateway
        .authority(1)
        .answers(serial, state(serial, SerialState.Status.STATUS_SIGNED, random.bytes(32), null));
    assertThat(status(serial)).isEqualTo("unspent");
  }

  @Test
  void oneLiarCannotMakeASpentCoinUnspent() {
    TransferRequest request = TestRequests.transfer(random);
    gateway.rest.post("/v1/transfers", TestRequests.json(request));
    Eventually.holds(() -> assertThat(gateway.authority(4).received(request)).hasSize(1));
    SerialNumber lead = request.statement().leadSerial();
    gateway
        .authority(2)
        .answers(lead, state(lead, SerialState.Status.STATUS_UNSPENT, new byte[0], null));
    gateway
        .authority(3)
        .answers(lead, state(lead, SerialState.Status.STATUS_SIGNED, random.bytes(32), null));
    assertThat(status(lead)).isEqualTo("signed");
  }

  /**
   * It reached a single authority before the wallet died: the seed phrase alone must find and
   * finish it.
   */
  @Test
  void showsATransferThatReachedOneAuthority() {
    TransferRequest request = TestRequests.transfer(random);
    SerialNumber lead = request.statement().leadSerial();
    gateway.authority(3).answers(lead, holding(lead, request));
    JsonNode state = ask(lead).json().path("states").path(0);
    assertThat(shownBy(state)).containsExactly(List.of(3));
    assertThat(unspentBy(state)).containsExactly(1, 2, 4);
    assertThat(state.path("status").asString("")).isEqualTo("unspent");
  }

  /** Only the owner can tell which of them is the owner's. */
  @Test
  void showsEveryDistinctRequestWithItsAuthorities() {
    TransferRequest own = TestRequests.transfer(random);
    SerialNumber lead = own.statement().leadSerial();
    TransferRequest foreign = TestRequests.transfer(random, lead);
    TransferRequest altered = TestRequests.otherProof(own, random);
    gateway.authority(1).answers(lead, holding(lead, foreign));
    gateway.authority(2).answers(lead, holding(lead, own));
    gateway.authority(3).answers(lead, holding(lead, altered));
    gateway.authority(4).answers(lead, holding(lead, own));
    JsonNode state = ask(lead).json().path("states").path(0);
    assertThat(shownBy(state)).containsExactly(List.of(2, 4), List.of(1), List.of(3));
    assertThat(state.path("requests").path(0).path("core").asString("")).isEqualTo(core(own));
    assertThat(state.path("requests").path(1).path("core").asString("")).isEqualTo(core(foreign));
    assertThat(state.path("requests").path(2).path("core").asString("")).isEqualTo(core(own));
    assertThat(state.path("core").asString("")).isEqualTo(core(own));
  }

  @Test
  void aLieAboutAnUnspentCoinHidesNoOtherAnswer() {
    TransferRequest foreign = TestRequests.transfer(random);
    SerialNumber lead = foreign.statement().leadSerial();
    for (int liar = 1; liar <= TestCommittee.N; liar++) {
      gateway.reset();
      double before = gateway.loneClaims(liar);
      gateway.authority(liar).answers(lead, holding(lead, foreign));
      JsonNode state = ask(lead).json().path("states").path(0);
      assertThat(unspentBy(state)).hasSize(3).doesNotContain(liar);
      assertThat(shownBy(state)).containsExactly(List.of(liar));
      assertThat(gateway.loneClaims(liar)).isEqualTo(before + 1);
    }
  }

  /** A state that no correct authority sends counts as no answer. */
  @Test
  void dropsAnImpossibleStateAndReportsItsAuthority() {
    TransferRequest request = TestRequests.transfer(random);
    SerialNumber lead = request.statement().leadSerial();
    SerialNumber other = random.serial();
    byte[] core = request.statement().core(TestCommittee.NETWORK).bytes();
    SerialState.Builder nonsense = holding(lead, request).toBuilder();
    nonsense.getRequestBuilder().getEvidenceBuilder().setProof(ByteString.copyFrom(new byte[3]));
    SerialState.Builder foreignMemo = holding(lead, request).toBuilder();
    foreignMemo
        .getRequestBuilder()
        .getAttachmentsBuilder()
        .setMemoBlock(ByteString.copyFrom(random.bytes(1024)));
    Map<SerialNumber, List<SerialState>> impossible =
        Map.of(
            lead,
            List.of(
                state(lead, SerialState.Status.STATUS_RESERVED, random.bytes(32), request),
                state(lead, SerialState.Status.STATUS_RESERVED, new byte[0], null),
                state(lead, SerialState.Status.STATUS_SIGNED, random.bytes(31), null),
                state(lead, SerialState.Status.STATUS_UNSPENT, core, null),
                state(lead, SerialState.Status.STATUS_UNSPENT, new byte[0], request),
                state(lead, SerialState.Status.STATUS_UNSPECIFIED, core, request),
                state(other, SerialState.Status.STATUS_RESERVED, core, request),
                nonsense.build(),
                foreignMemo.build()),
            other,
            List.of(state(other, SerialState.Status.STATUS_RESERVED, core, request)));
    impossible.forEach((serial, states) ->
        states.forEach(state -> {
          double before = gateway.faults(3, "malformed-state");
          gateway.authority(3).answers(serial, state);
          JsonNode answer = ask(serial).json().path("states").path(0);
          assertThat(answer.path("status").asString("")).isEqualTo("unspent");
          assertThat(shownBy(answer)).isEmpty();
          assertThat(unspentBy(answer)).containsExactly(1, 2, 4);
          assertThat(gateway.faults(3, "malformed-state"))
              .as(state.toString())
              .isEqualTo(before + 1);
        }));
  }

  /**
   * One authority returns the request with invalid evidence. An authority that missed the transfer
   * gets it with the evidence that another authority returned.
   */
  @Test
  void findsAStoredTransferDespiteInvalidEvidence() {
    TransferRequest request = TestRequests.transfer(random);
    SerialNumber lead = request.statement().leadSerial();
    TransferRequest invalidEvidence = TestRequests.otherProof(request, random);
    gateway.authority(1).answers(lead, holding(lead, invalidEvidence));
    gateway.authority(3).answers(lead, holding(lead, request));
    gateway.authorities.forEach(authority -> authority.refusedRequest = invalidEvidence);
    RestProbe.Answer answer =
        gateway.rest.get(
            "/v1/transfers/" + core(request) + "?lead=" + Base64Url.encode(lead.bytes()));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void countsReservationsWithoutARequest() {
    SerialNumber serial = random.serial();
    for (int index : List.of(1, 2)) {
      gateway
          .authority(index)
          .answers(
              serial, state(serial, SerialState.Status.STATUS_RESERVED, random.bytes(32), null));
    }
    assertThat(status(serial)).isEqualTo("reserved");
  }

  @Test
  void answersWithoutAnAuthorityThatIsSilent() {
    gateway.silence(1);
    assertThat(status(random.serial())).isEqualTo("unspent");
  }

  @Test
  void findsAStoredTransferWithoutAnAuthorityThatIsSilent() {
    gateway.silence(4);
    TransferRequest request = TestRequests.transfer(random);
    assertThat(gateway.rest.post("/v1/transfers", TestRequests.json(request)).status())
        .isEqualTo(200);
    String lead = Base64Url.encode(request.statement().leadSerial().bytes());
    assertThat(gateway.rest.get("/v1/transfers/" + core(request) + "?lead=" + lead).status())
        .isEqualTo(200);
  }

  @Test
  void refusesTooManyNoAndRepeatedSerials() {
    assertThat(ask(Stream.generate(random::serial).limit(65).toArray(SerialNumber[]::new)).code())
        .isEqualTo("malformed-request");
    assertThat(ask().code()).isEqualTo("malformed-request");
    SerialNumber serial = random.serial();
    assertThat(ask(serial, serial).code()).isEqualTo("malformed-request");
    assertThat(gateway.rest.post("/v1/coins/state", "{\"serials\":[null]}").code())
        .isEqualTo("malformed-request");
  }

  /** The gateway is only a transport: the wallet verifies what authorities sign. */
  @Test
  @Spec("W-09")
  void passesOnWhatAuthoritiesSignForTheNonce() {
    List<SerialNumber> serials = Stream.generate(random::serial).limit(5).toList();
    Digest32 nonce = Digest32.of(random.bytes(32));
    List<SignedStates> signed = signed(nonce, serials);
    for (int authority = 1; authority <= TestCommittee.N; authority++) {
      int index = authority;
      List<SignedStates> own = signed.stream().filter(s -> s.authority() == index).toList();
      assertThat(own.stream().flatMap(s -> s.states().serials().stream()))
          .as("each shard for its own")
          .containsExactlyInAnyOrderElementsOf(serials);
      assertThat(own)
          .allSatisfy(one -> {
            assertThat(one.isSigned(TestCommittee.regulated().committee(), nonce, Instant.now()))
                .isTrue();
            assertThat(one.states().floors()).isEqualTo(FakeAuthority.FLOORS);
          });
    }
  }

  @Test
  void oldWalletsAskWithoutANonce() {
    JsonNode answer = ask(random.serial()).json();
    assertThat(answer.path("states").size()).isEqualTo(1);
    assertThat(answer.path("signed").isEmpty()).isTrue();
  }

  /** Attack: an authority speaks for another one, so that the wallet sees two answers of that. */
  @Test
  @Spec("W-09")
  void anAuthoritySignsForItselfAndForWhatItWasAsked() {
    SerialNumber serial = random.serial();
    List<UnaryOperator<SignedStates>> lies =
        List.of(
            truth -> new SignedStates(3, truth.states(), truth.signature()),
            truth ->
                new SignedStates(
                    2,
                    new SerialStates(
                        1, FakeAuthority.FLOORS, List.of(SerialStates.State.free(random.serial()))),
                    truth.signature()));
    for (UnaryOperator<SignedStates> lie : lies) {
      double before = gateway.faults(2, "malformed-state");
      gateway.authority(2).signedStates = lie;
      assertThat(signed(Digest32.of(random.bytes(32)), List.of(serial)))
          .extracting(SignedStates::authority)
          .containsExactlyInAnyOrder(1, 3, 4);
      assertThat(gateway.faults(2, "malformed-state")).isEqualTo(before + 1);
    }
  }

  @Test
  void refusesANonceOfAnotherLength() {
    assertThat(
            gateway
                .rest
                .post(
                    "/v1/coins/state",
                    Map.of(
                        "serials",
                        List.of(Base64Url.encode(random.serial().bytes())),
                        "nonce",
                        Base64Url.encode(random.bytes(31))))
                .code())
        .isEqualTo("malformed-request");
  }

  private static List<SignedStates> signed(Digest32 nonce, List<SerialNumber> serials) {
    JsonNode answer =
        gateway
            .rest
            .post(
                "/v1/coins/state",
                Map.of(
                    "serials",
                    serials.stream().map(s -> Base64Url.encode(s.bytes())).toList(),
                    "nonce",
                    Base64Url.encode(nonce.bytes())))
            .json();
    List<SignedStates> signed = new ArrayList<>();
    answer
        .path("signed")
        .forEach(
            one -> signed.add(WireJson.read(one.toString(), SignedStatesJson.class).toDomain()));
    return signed;
  }

  private static String status(SerialNumber serial) {
    return ask(serial).json().path("states").path(0).path("status").asString("");
  }

  private static RestProbe.Answer ask(SerialNumber... serials) {
    return gateway.rest.post(
        "/v1/coins/state",
        Map.of("serials", Stream.of(serials).map(s -> Base64Url.encode(s.bytes())).toList()));
  }

  private static List<List<Integer>> shownBy(JsonNode state) {
    List<List<Integer>> all = new ArrayList<>();
    state.path("requests").forEach(shown -> all.add(numbers(shown.path("authorities"))));
    return all;
  }

  private static List<Integer> unspentBy(JsonNode state) {
    return numbers(state.path("unspent"));
  }

  private static List<Integer> numbers(JsonNode array) {
    List<Integer> numbers = new ArrayList<>();
    array.forEach(number -> numbers.add(number.asInt(0)));
    return numbers;
  }

  private static String core(TransferRequest request) {
    return request.statement().core(TestCommittee.NETWORK).hex();
  }

  private static SerialState holding(SerialNumber serial, TransferRequest request) {
    return state(
        serial,
        SerialState.Status.STATUS_RESERVED,
        request.statement().core(TestCommittee.NETWORK).bytes(),
        request);
  }

  private static SerialState state(
      SerialNumber serial,
      SerialState.Status status,
      byte[] core,
      @Nullable TransferRequest request) {
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
