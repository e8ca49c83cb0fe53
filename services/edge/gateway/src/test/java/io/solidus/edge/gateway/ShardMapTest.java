package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintRequestJson;
import io.solidus.wire.json.WireJson;
import io.solidus.wire.v1.GetStatusReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Authority 1 splits a range: the gateway follows its new shard map, and accepts only maps that the
 * authority signed. Authority 4 fails, so that the answers of authority 1 are needed for a quorum.
 */
@Tag("process")
class ShardMapTest {
  private static final ShardMap FIRST = ShardMap.equal(1, 1, 2);
  private static final ShardMap SECOND = FIRST.split(0, FIRST.ranges().get(0).middle());
  private static final ShardMap THIRD = SECOND.split(1, SECOND.ranges().get(1).middle());
  private static final String NEVER = "1h";

  private final Generators random = new Generators(System.nanoTime());
  private final List<AutoCloseable> open = new ArrayList<>();

  /** Shard 2 of authority 1. */
  private final FakeAuthority joined = closing(new FakeAuthority(1));

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void aTransferToTheOldOwnerIsRepeatedAtTheNewOwner() {
    GatewayFixture gateway = gatewayWithTheFirstMap();
    moved(gateway, gateway.authority(1).signed(SECOND));
    TransferRequest first = transfer(s -> SECOND.owner(s) == 2);
    assertThat(authoritiesOf(submit(gateway, first))).contains(1);
    assertThat(gateway.authority(1).transfers).as("asked first").hasSize(1);
    assertThat(joined.transfers)
        .extracting(TransferRequest::statement)
        .containsExactly(first.statement());
    assertThat(gateway.maps(1, "taken")).isEqualTo(2);

    assertThat(authoritiesOf(submit(gateway, transfer(s -> SECOND.owner(s) == 2)))).contains(1);
    assertThat(gateway.authority(1).transfers).as("asked no more").hasSize(1);
    assertThat(authoritiesOf(submit(gateway, transfer(s -> SECOND.owner(s) == 0)))).contains(1);
    assertThat(joined.transfers).hasSize(2);
  }

  @Test
  void aMintToTheOldOwnerIsRepeatedAtTheNewOwner() {
    GatewayFixture gateway = gatewayWithTheFirstMap();
    moved(gateway, gateway.authority(1).signed(SECOND));
    MintRequest mint =
        Stream.generate(() -> TestRequests.mint(random))
            .filter(m -> SECOND.owner(m.statement().serial(TestCommittee.NETWORK)) == 2)
            .findFirst()
            .orElseThrow();
    RestProbe.Answer answer =
        gateway.rest.post("/v1/mints", WireJson.write(MintRequestJson.of(mint)));
    assertThat(authoritiesOf(answer)).contains(1);
    assertThat(gateway.maps(1, "taken")).isEqualTo(2);
  }

  /** The refusal of a look-up cannot contain a map: the gateway fetches it. */
  @Test
  void aLookUpFindsEachSerialAtItsNewOwner() {
    GatewayFixture gateway = gatewayWithTheFirstMap();
    moved(gateway, "");
    gateway.authority(1).status = status(gateway.authority(1).signed(SECOND));
    List<SerialNumber> serials = Stream.generate(random::serial).limit(40).toList();
    RestProbe.Answer answer =
        gateway.rest.post(
            "/v1/coins/state",
            Map.of("serials", serials.stream().map(s -> Base64Url.encode(s.bytes())).toList()));
    assertThat(answer.status()).isEqualTo(200);
    for (JsonNode state : answer.json().path("states")) {
      assertThat(state.path("status").asString("")).isEqualTo("unspent");
    }
    assertThat(joined.lookUps)
        .containsExactlyInAnyOrderElementsOf(
            serials.stream()
                .filter(s -> SECOND.owner(s) == 2)
                .map(s -> ByteString.copyFrom(s.bytes()))
                .toList());
  }

  @Test
  void rejectsAForgedMapAndReportsItsAuthority() {
    GatewayFixture gateway = gatewayWithTheFirstMap();
    for (String forged :
        List.of(
            SECOND.sign(TestCommittee.NETWORK, TestCommittee.regulated().countersigner(2)),
            gateway.authority(1).signed(SECOND).replace("version: 2", "version: 3"),
            gateway.authority(1).signed(new ShardMap(2, 2, SECOND.ranges())),
            "nonsense")) {
      double before = gateway.maps(1, "forged");
      moved(gateway, forged);
      RestProbe.Answer answer = submit(gateway, transfer(s -> SECOND.owner(s) == 2));
      assertThat(answer.status()).as("authority 1 is needed").isNotEqualTo(200);
      assertThat(answer.json().path("retryable").asBoolean(false)).isTrue();
      assertThat(gateway.maps(1, "forged")).isGreaterThan(before);
    }
    assertThat(joined.transfers).isEmpty();
    assertThat(gateway.maps(1, "taken")).as("the first map only").isEqualTo(1);
    assertThat(submit(gateway, transfer(s -> SECOND.owner(s) == 1)).status()).isEqualTo(200);
  }

  @Test
  void rejectsAnOlderMapAndASecondMapOfOneVersion() {
    GatewayFixture gateway = gatewayWithTheFirstMap();
    moved(gateway, gateway.authority(1).signed(THIRD));
    submit(gateway, transfer(s -> SECOND.owner(s) == 2));
    assertThat(gateway.maps(1, "taken")).isEqualTo(2);

    joined.notOwned = s -> true;
    joined.movedNote = joined.signed(SECOND);
    assertThat(submit(gateway, transfer(s -> SECOND.owner(s) == 2)).status()).isNotEqualTo(200);
    assertThat(gateway.maps(1, "older")).isPositive();
    joined.movedNote = joined.signed(new ShardMap(1, THIRD.version(), ShardMap.equal(4).ranges()));
    assertThat(submit(gateway, transfer(s -> SECOND.owner(s) == 2)).status()).isNotEqualTo(200);
    assertThat(gateway.maps(1, "conflicting")).isPositive();
    joined.notOwned = s -> false;
    assertThat(authoritiesOf(submit(gateway, transfer(s -> SECOND.owner(s) == 2))))
        .as("still by the third map")
        .contains(1);
  }

  /** Two shards that each name the other as the owner cannot make a request loop for ever. */
  @Test
  void repeatsACallOnlyAFewTimes() {
    GatewayFixture gateway = gatewayWithTheFirstMap();
    moved(gateway, gateway.authority(1).signed(SECOND));
    joined.notOwned = s -> true;
    joined.movedNote = joined.signed(SECOND);
    assertThat(submit(gateway, transfer(s -> SECOND.owner(s) == 2)).status()).isNotEqualTo(200);
    assertThat(joined.transfers.size()).isBetween(1, 8);
  }

  /** Until its address is configured, the other authorities serve the wallet. */
  @Test
  void aShardWithoutAnAddressIsUnavailableAndItsDeliveriesWait() {
    GatewayFixture gateway =
        closing(new GatewayFixture(Map.of("solidus.gateway.shard-map-interval", NEVER)));
    Eventually.holds(() -> assertThat(gateway.maps(1, "taken")).isEqualTo(1));
    moved(gateway, gateway.authority(1).signed(SECOND));
    assertThat(authoritiesOf(submit(gateway, transfer(s -> SECOND.owner(s) == 2))))
        .doesNotContain(1);
    Eventually.holds(() ->
        assertThat(
                gateway
                    .database
                    .jdbc()
                    .sql("SELECT max(attempts) FROM pending_delivery")
                    .query(Long.class)
                    .optional())
            .hasValueSatisfying(attempts -> assertThat(attempts).isPositive()));
    assertThat(
            gateway
                .database
                .jdbc()
                .sql("SELECT count(*) FROM pending_delivery")
                .query(Long.class)
                .single())
        .isEqualTo(1);
  }

  @Test
  void fetchesTheMapWithoutARequest() {
    GatewayFixture gateway = gateway("100ms");
    gateway.authority(1).status = status(gateway.authority(1).signed(SECOND));
    Eventually.holds(() -> assertThat(gateway.mapVersion(1)).isEqualTo(2));
    gateway.authority(4).behaviour = AuthorityBehaviour.FAILS;
    assertThat(authoritiesOf(submit(gateway, transfer(s -> SECOND.owner(s) == 2)))).contains(1);
    assertThat(gateway.authority(1).transfers).isEmpty();
  }

  /**
   * The configuration lists a shard that is not in the map and not running, and the gateway has no
   * map yet when the first request comes.
   */
  @Test
  void aMapCorrectsAConfigurationWithMoreShards() {
    joined.down();
    GatewayFixture gateway =
        closing(
            new GatewayFixture(
                properties(NEVER),
                authority -> authority.status = GetStatusReply.getDefaultInstance()));
    gateway.authority(4).behaviour = AuthorityBehaviour.FAILS;
    gateway.authority(1).status = status(gateway.authority(1).signed(FIRST));
    TransferRequest request = transfer(s -> ShardMap.equal(3).owner(s) == 2);
    assertThat(authoritiesOf(submit(gateway, request))).contains(1);
    assertThat(gateway.authority(1).transfers).hasSize(1);
  }

  private GatewayFixture gatewayWithTheFirstMap() {
    GatewayFixture gateway = gateway(NEVER);
    Eventually.holds(() -> assertThat(gateway.maps(1, "taken")).isEqualTo(1));
    gateway.authority(4).behaviour = AuthorityBehaviour.FAILS;
    return gateway;
  }

  private GatewayFixture gateway(String interval) {
    return closing(new GatewayFixture(properties(interval)));
  }

  private Map<String, Object> properties(String interval) {
    return Map.of(
        "solidus.gateway.authorities[0].shards[2]",
        joined.address(),
        "solidus.gateway.shard-map-interval",
        interval);
  }

  /** Shard 0 has given the upper part of its range away. */
  private static void moved(GatewayFixture gateway, String note) {
    gateway.authority(1).notOwned = s -> SECOND.owner(s) == 2;
    gateway.authority(1).movedNote = note;
  }

  private static GetStatusReply status(String note) {
    return GetStatusReply.newBuilder().setShardMapNote(note).build();
  }

  private TransferRequest transfer(Predicate<SerialNumber> lead) {
    return Stream.generate(() -> TestRequests.transfer(random))
        .filter(request -> lead.test(request.statement().leadSerial()))
        .findFirst()
        .orElseThrow();
  }

  private static RestProbe.Answer submit(GatewayFixture gateway, TransferRequest request) {
    return gateway.rest.post("/v1/transfers", TestRequests.json(request));
  }

  private static List<Integer> authoritiesOf(RestProbe.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<Integer> authorities = new ArrayList<>();
    answer
        .json()
        .path("partials")
        .forEach(partial -> authorities.add(partial.path("authority").asInt(0)));
    return authorities;
  }

  private <T extends AutoCloseable> T closing(T one) {
    open.add(one);
    return one;
  }
}
