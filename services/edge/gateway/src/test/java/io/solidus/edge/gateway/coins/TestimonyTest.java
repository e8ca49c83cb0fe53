package io.solidus.edge.gateway.coins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.solidus.dev.testkit.Generators;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Family;
import io.solidus.protocol.G2Point;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SerialState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every set of authorities that is heard, every number of correct ones that hold the transfer,
 * every combination of lies.
 */
@Spec("W-08")
class TestimonyTest {
  private static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final Generators RANDOM = new Generators(17);
  private static final TransferRequest TRUE = request(RANDOM.serial());
  private static final SerialNumber LEAD = TRUE.statement().leadSerial();
  private static final TransferRequest FOREIGN = request(LEAD);
  private static final TransferRequest SPOILT =
      new TransferRequest(
          TRUE.statement(), RANDOM.evidence(Family.TRANSFER), TRUE.attachments(), List.of());
  private static final List<SerialState> LIES =
      List.of(
          unspent(),
          holding(FOREIGN, SerialState.Status.STATUS_SIGNED),
          holding(SPOILT, SerialState.Status.STATUS_RESERVED),
          holding(TRUE, SerialState.Status.STATUS_RESERVED),
          holding(FOREIGN, SerialState.Status.STATUS_RESERVED).toBuilder().clearRequest().build());

  /** A case: the last f lie, the first {@code holders} hold the transfer; null is silence. */
  private record Case(
      Committee committee, int holders, List<SerialState> lies, List<@Nullable SerialState> words) {
    boolean mayBeSigned() {
      return holders >= committee.weakQuorum();
    }

    boolean allCorrectHeard() {
      return words.subList(0, committee.quorum()).stream().allMatch(word -> word != null);
    }

    Testimony heard() {
      Testimony testimony = new Testimony(LEAD, NETWORK, committee);
      for (int i = 0; i < words.size(); i++) {
        SerialState word = words.get(i);
        if (word != null) {
          testimony.hear(i + 1, word);
        }
      }
      return testimony;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void ofWhatWasSignedAQuorumShowsTheRequest(int f) {
    everyCase(
        f,
        c -> {
          CoinState state = c.heard().state();
          if (c.mayBeSigned()) {
            assertThat(state.requests())
                .as("%s holders", c.holders())
                .extracting(CoinState.Shown::request)
                .contains(TRUE);
            assertThat(state.status()).isNotEqualTo(CoinState.Status.UNSPENT);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatAllCorrectOnesHaveSaidDecides(int f) {
    everyCase(
        f,
        c -> {
          CoinState state = c.heard().state();
          if (!c.allCorrectHeard()) {
            return;
          }
          if (c.holders() == 0) {
            assertThat(state.status()).isEqualTo(CoinState.Status.UNSPENT);
            assertThat(c.heard().decided()).isTrue();
          } else {
            assertThat(state.requests()).extracting(CoinState.Shown::request).contains(TRUE);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void everyWordIsPassedOnOnce(int f) {
    everyCase(
        f,
        c -> {
          CoinState state = c.heard().state();
          List<Integer> speakers = new ArrayList<>(state.unspent());
          state.requests().forEach(shown -> speakers.addAll(shown.authorities()));
          List<Integer> expected =
              IntStream.rangeClosed(1, c.committee().n())
                  .filter(i -> c.words().get(i - 1) != null)
                  .filter(i ->
                      c.words().get(i - 1).hasRequest()
                          || c.words().get(i - 1).getStatus() == SerialState.Status.STATUS_UNSPENT)
                  .boxed()
                  .toList();
          assertThat(speakers).containsExactlyInAnyOrderElementsOf(expected);
          assertThat(state.requests()).extracting(CoinState.Shown::request).doesNotHaveDuplicates();
          assertThat(state.requests().size()).isLessThanOrEqualTo(c.committee().n());
        });
  }

  @Test
  void onlyTheFirstWordOfAnAuthorityCounts() {
    Testimony testimony = new Testimony(LEAD, NETWORK, committee(1));
    testimony.hear(1, unspent());
    testimony.hear(1, holding(TRUE, SerialState.Status.STATUS_SIGNED));
    testimony.hear(2, holding(TRUE, SerialState.Status.STATUS_SIGNED));
    testimony.hear(2, unspent());
    assertThat(testimony.state().unspent()).containsExactly(1);
    assertThat(testimony.state().requests())
        .extracting(CoinState.Shown::authorities)
        .containsExactly(List.of(2));
  }

  @Test
  void aClaimAgainstAQuorumStandsAlone() {
    Testimony testimony = new Testimony(LEAD, NETWORK, committee(1));
    testimony.hear(3, holding(FOREIGN, SerialState.Status.STATUS_SIGNED));
    testimony.hear(1, unspent());
    testimony.hear(2, unspent());
    assertThat(testimony.alone()).isEmpty();
    testimony.hear(4, unspent());
    assertThat(testimony.alone()).containsExactly(3);
  }

  @Test
  void aWordThatCannotBeIsNoWord() {
    Testimony testimony = new Testimony(LEAD, NETWORK, committee(1));
    SerialState other =
        holding(FOREIGN, SerialState.Status.STATUS_SIGNED).toBuilder()
            .setRequest(Codecs.toWire(TRUE))
            .build();
    assertThatThrownBy(() -> testimony.hear(1, other)).isInstanceOf(ProtocolException.class);
    assertThat(testimony.state().requests()).isEmpty();
    assertThat(testimony.state().unspent()).isEmpty();
  }

  private static void everyCase(int f, Consumer<Case> check) {
    Committee committee = committee(f);
    for (List<SerialState> lies : combinations(f)) {
      for (int holders = 0; holders <= committee.quorum(); holders++) {
        for (int heard = 0; heard < 1 << committee.n(); heard++) {
          if (Integer.bitCount(heard) >= committee.quorum()) {
            check.accept(
                new Case(committee, holders, lies, words(committee, holders, lies, heard)));
          }
        }
      }
    }
  }

  private static List<@Nullable SerialState> words(
      Committee committee, int holders, List<SerialState> lies, int heard) {
    List<@Nullable SerialState> words = new ArrayList<>();
    for (int i = 0; i < committee.n(); i++) {
      SerialState word =
          i < holders
              ? holding(TRUE, SerialState.Status.STATUS_SIGNED)
              : i < committee.quorum() ? unspent() : lies.get(i - committee.quorum());
      words.add((heard >> i & 1) == 1 ? word : null);
    }
    return words;
  }

  private static List<List<SerialState>> combinations(int liars) {
    List<List<SerialState>> all = List.of(List.of());
    for (int i = 0; i < liars; i++) {
      List<List<SerialState>> more = new ArrayList<>();
      for (List<SerialState> one : all) {
        for (SerialState lie : LIES) {
          List<SerialState> longer = new ArrayList<>(one);
          longer.add(lie);
          more.add(longer);
        }
      }
      all = more;
    }
    return all;
  }

  private static SerialState unspent() {
    return SerialState.newBuilder()
        .setSerial(ByteString.copyFrom(LEAD.bytes()))
        .setStatus(SerialState.Status.STATUS_UNSPENT)
        .build();
  }

  private static SerialState holding(TransferRequest request, SerialState.Status status) {
    return SerialState.newBuilder()
        .setSerial(ByteString.copyFrom(LEAD.bytes()))
        .setStatus(status)
        .setCore(ByteString.copyFrom(request.statement().core(NETWORK).bytes()))
        .setRequest(Codecs.toWire(request))
        .build();
  }

  private static TransferRequest request(SerialNumber lead) {
    Attachments attachments = Attachments.withoutPayout(RANDOM.bytes(Attachments.MEMO_BYTES));
    TransferStatement like = RANDOM.transferRequest(NETWORK, Family.TRANSFER).statement();
    TransferStatement statement =
        new TransferStatement(
            Family.TRANSFER,
            List.of(lead, RANDOM.serial(), RANDOM.serial()),
            like.outputs(),
            like.period(),
            like.withdrawn(),
            attachments.context(NETWORK));
    return new TransferRequest(statement, RANDOM.evidence(Family.TRANSFER), attachments, List.of());
  }

  private static Committee committee(int f) {
    byte[] bytes = new byte[G2Point.BYTES];
    bytes[G2Point.BYTES - 1] = 1;
    G2Point point = new G2Point(bytes);
    List<CommitteeMember> members =
        IntStream.rangeClosed(1, 3 * f + 1)
            .mapToObj(
                index -> new CommitteeMember(index, point, point, RANDOM.point(), new byte[32]))
            .toList();
    return new Committee(NETWORK, 0, f, point, point, RANDOM.point(), members);
  }
}
