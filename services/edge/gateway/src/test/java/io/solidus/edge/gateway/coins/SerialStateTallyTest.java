package io.solidus.edge.gateway.coins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.solidus.dev.testkit.Generators;
import io.solidus.edge.gateway.SyntheticCommittee;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Family;
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
 * All cases: every set of answering authorities, every number of correct authorities that hold the
 * transfer, and every combination of lies.
 */
@Spec("W-08")
class SerialStateTallyTest {
  private static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final Generators RANDOM = new Generators(17);
  private static final TransferRequest TRUE = request(RANDOM.serial());
  private static final SerialNumber LEAD = TRUE.statement().leadSerial();
  private static final TransferRequest FOREIGN = request(LEAD);
  private static final TransferRequest INVALID_EVIDENCE =
      new TransferRequest(
          TRUE.statement(), RANDOM.evidence(Family.TRANSFER), TRUE.attachments(), List.of());
  private static final List<SerialState> LIES =
      List.of(
          unspent(),
          holding(FOREIGN, SerialState.Status.STATUS_SIGNED),
          holding(INVALID_EVIDENCE, SerialState.Status.STATUS_RESERVED),
          holding(TRUE, SerialState.Status.STATUS_RESERVED),
          holding(FOREIGN, SerialState.Status.STATUS_RESERVED).toBuilder().clearRequest().build());

  /**
   * One case. The first {@code holders} authorities hold the transfer, the last f lie; a null
   * answer is silence.
   */
  private record Case(
      Committee committee,
      int holders,
      List<SerialState> lies,
      List<@Nullable SerialState> answers) {
    boolean mayBeSigned() {
      return holders >= committee.weakQuorum();
    }

    boolean allCorrectAnswered() {
      return answers.subList(0, committee.quorum()).stream().allMatch(answer -> answer != null);
    }

    SerialStateTally tally() {
      SerialStateTally tally = new SerialStateTally(LEAD, NETWORK, committee);
      for (int i = 0; i < answers.size(); i++) {
        SerialState answer = answers.get(i);
        if (answer != null) {
          tally.add(i + 1, answer);
        }
      }
      return tally;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void everyQuorumReturnsTheRequestOfASignedTransfer(int f) {
    everyCase(
        f,
        c -> {
          CoinState state = c.tally().state();
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
  void theAnswersOfAllCorrectAuthoritiesDecide(int f) {
    everyCase(
        f,
        c -> {
          CoinState state = c.tally().state();
          if (!c.allCorrectAnswered()) {
            return;
          }
          if (c.holders() == 0) {
            assertThat(state.status()).isEqualTo(CoinState.Status.UNSPENT);
            assertThat(c.tally().decided()).isTrue();
          } else {
            assertThat(state.requests()).extracting(CoinState.Shown::request).contains(TRUE);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void everyAnswerIsPassedOnOnce(int f) {
    everyCase(
        f,
        c -> {
          CoinState state = c.tally().state();
          List<Integer> authorities = new ArrayList<>(state.unspent());
          state.requests().forEach(shown -> authorities.addAll(shown.authorities()));
          List<Integer> expected =
              IntStream.rangeClosed(1, c.committee().n())
                  .filter(i -> c.answers().get(i - 1) != null)
                  .filter(i ->
                      c.answers().get(i - 1).hasRequest()
                          || c.answers().get(i - 1).getStatus()
                              == SerialState.Status.STATUS_UNSPENT)
                  .boxed()
                  .toList();
          assertThat(authorities).containsExactlyInAnyOrderElementsOf(expected);
          assertThat(state.requests()).extracting(CoinState.Shown::request).doesNotHaveDuplicates();
          assertThat(state.requests().size()).isLessThanOrEqualTo(c.committee().n());
        });
  }

  @Test
  void onlyTheFirstAnswerOfAnAuthorityCounts() {
    SerialStateTally tally = new SerialStateTally(LEAD, NETWORK, committee(1));
    tally.add(1, unspent());
    tally.add(1, holding(TRUE, SerialState.Status.STATUS_SIGNED));
    tally.add(2, holding(TRUE, SerialState.Status.STATUS_SIGNED));
    tally.add(2, unspent());
    assertThat(tally.state().unspent()).containsExactly(1);
    assertThat(tally.state().requests())
        .extracting(CoinState.Shown::authorities)
        .containsExactly(List.of(2));
  }

  @Test
  void aClaimAgainstAQuorumIsALoneClaim() {
    SerialStateTally tally = new SerialStateTally(LEAD, NETWORK, committee(1));
    tally.add(3, holding(FOREIGN, SerialState.Status.STATUS_SIGNED));
    tally.add(1, unspent());
    tally.add(2, unspent());
    assertThat(tally.loneClaims()).isEmpty();
    tally.add(4, unspent());
    assertThat(tally.loneClaims()).containsExactly(3);
  }

  @Test
  void anImpossibleStateDoesNotCount() {
    SerialStateTally tally = new SerialStateTally(LEAD, NETWORK, committee(1));
    SerialState other =
        holding(FOREIGN, SerialState.Status.STATUS_SIGNED).toBuilder()
            .setRequest(Codecs.toWire(TRUE))
            .build();
    assertThatThrownBy(() -> tally.add(1, other)).isInstanceOf(ProtocolException.class);
    assertThat(tally.state().requests()).isEmpty();
    assertThat(tally.state().unspent()).isEmpty();
  }

  private static void everyCase(int f, Consumer<Case> check) {
    Committee committee = committee(f);
    for (List<SerialState> lies : combinations(f)) {
      for (int holders = 0; holders <= committee.quorum(); holders++) {
        for (int heard = 0; heard < 1 << committee.n(); heard++) {
          if (Integer.bitCount(heard) >= committee.quorum()) {
            check.accept(
                new Case(committee, holders, lies, answers(committee, holders, lies, heard)));
          }
        }
      }
    }
  }

  private static List<@Nullable SerialState> answers(
      Committee committee, int holders, List<SerialState> lies, int heard) {
    List<@Nullable SerialState> answers = new ArrayList<>();
    for (int i = 0; i < committee.n(); i++) {
      SerialState answer =
          i < holders
              ? holding(TRUE, SerialState.Status.STATUS_SIGNED)
              : i < committee.quorum() ? unspent() : lies.get(i - committee.quorum());
      answers.add((heard >> i & 1) == 1 ? answer : null);
    }
    return answers;
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
    Attachments attachments = RANDOM.attachments();
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
    return SyntheticCommittee.of(NETWORK, f);
  }
}
