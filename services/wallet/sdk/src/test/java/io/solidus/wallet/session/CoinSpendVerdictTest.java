package io.solidus.wallet.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Attachments;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.G2Point;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.Samples;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.CoinStateReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All cases: every combination of lies of up to f authorities, every number of correct authorities
 * that hold the transfer, and every number of those that answer. Only the numbers matter for the
 * verdict, not which authority gives which answer.
 */
@Spec("W-08")
class CoinSpendVerdictTest {
  private static final TransferRequest TRUE = request(1, 1);
  private static final TransferRequest TRUE_RENEWED = request(1, 2);
  private static final TransferRequest INVALID_EVIDENCE = request(1, 3);

  /**
   * Another transfer of the wallet from the same coin: abandoned before, or made after a lie of the
   * gateway.
   */
  private static final TransferRequest OTHER = request(2, 1);

  private static final List<TransferRequest> FOREIGN = List.of(request(3, 1), request(4, 1));

  /** The answer of an authority. */
  private sealed interface Answer permits Plain, Shows {}

  private enum Plain implements Answer {
    SILENT,
    UNSPENT,
    UNREADABLE
  }

  private record Shows(TransferRequest request) implements Answer {}

  private static final List<Answer> LIES =
      List.of(
          Plain.SILENT,
          Plain.UNSPENT,
          Plain.UNREADABLE,
          new Shows(TRUE),
          new Shows(INVALID_EVIDENCE),
          new Shows(OTHER),
          new Shows(FOREIGN.get(0)),
          new Shows(FOREIGN.get(1)));

  /**
   * One case. The first 2f+1 authorities are correct; {@code holders} of them hold the transfer.
   */
  private record Case(
      Committee committee,
      int holders,
      int answeringHolders,
      int answeringOthers,
      List<Answer> lies,
      boolean otherIsLater) {
    boolean allCorrectAnswer() {
      return answeringHolders + answeringOthers == committee.quorum();
    }

    /** Whether the transfer can be signed, if all lying authorities sign. */
    boolean mayBeSigned() {
      return holders >= committee.weakQuorum();
    }

    List<Answer> answers() {
      List<Answer> answers = new ArrayList<>();
      for (int i = 0; i < committee.quorum(); i++) {
        boolean holds = i < holders;
        boolean answering = holds ? i < answeringHolders : i - holders < answeringOthers;
        answers.add(
            !answering
                ? Plain.SILENT
                : holds ? new Shows(i % 2 == 0 ? TRUE : TRUE_RENEWED) : Plain.UNSPENT);
      }
      answers.addAll(lies);
      return answers;
    }

    CoinSpendVerdict verdict() {
      return CoinSpendVerdict.of(state(answers()), committee, this::counter);
    }

    OptionalLong counter(TransferRequest request) {
      TxCore core = core(request);
      if (core.equals(core(TRUE))) {
        return OptionalLong.of(1);
      }
      return core.equals(core(OTHER))
          ? OptionalLong.of(otherIsLater ? 2 : 0)
          : OptionalLong.empty();
    }

    boolean liarShows(TransferRequest... any) {
      return lies.stream()
          .anyMatch(lie -> lie instanceof Shows shows && List.of(any).contains(shows.request()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aSignedTransferNeverGivesUnspent(int f) {
    everyCase(
        f,
        c -> {
          CoinSpendVerdict verdict = c.verdict();
          if (c.mayBeSigned()) {
            assertThat(verdict.unspent() && verdict.own().isEmpty()).as("%s", c).isFalse();
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aForeignRequestDoesNotCountAndIsReported(int f) {
    everyCase(
        f,
        c -> {
          CoinSpendVerdict verdict = c.verdict();
          assertThat(verdict.own())
              .as("%s", c)
              .extracting(CoinSpendVerdict.Own::core)
              .isSubsetOf(core(TRUE), core(OTHER));
          TreeSet<Integer> expected = new TreeSet<>();
          for (int i = 0; i < f; i++) {
            Answer lie = c.lies().get(i);
            if (lie == Plain.UNREADABLE
                || (lie instanceof Shows shows && FOREIGN.contains(shows.request()))) {
              expected.add(c.committee().quorum() + i + 1);
            }
          }
          assertThat(verdict.disbelieved()).as("%s", c).isEqualTo(expected);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void liarsCannotPreventADecisionWhileAllCorrectAuthoritiesAnswer(int f) {
    everyCase(
        f,
        c -> {
          if (!c.allCorrectAnswer()) {
            return;
          }
          CoinSpendVerdict verdict = c.verdict().requireDecided();
          if (c.holders() == 0) {
            assertThat(verdict.unspent()).as("%s", c).isTrue();
            assertThat(verdict.own().isEmpty())
                .as("%s", c)
                .isEqualTo(!c.liarShows(TRUE, INVALID_EVIDENCE, OTHER));
          } else {
            CoinSpendVerdict.Own own = only(verdict, core(TRUE));
            assertThat(own.requests()).as("%s", c).containsAnyOf(TRUE, TRUE_RENEWED);
          }
          if (c.mayBeSigned()) {
            assertThat(verdict.own().getFirst().core()).as("%s", c).isEqualTo(core(TRUE));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void refusesWhenUndecided(int f) {
    everyCase(
        f,
        c -> {
          CoinSpendVerdict verdict = c.verdict();
          long unspent = c.answers().stream().filter(answer -> answer == Plain.UNSPENT).count();
          boolean own = c.answeringHolders() > 0 || c.liarShows(TRUE, INVALID_EVIDENCE, OTHER);
          ProtocolException refusal =
              catchThrowableOfType(ProtocolException.class, verdict::requireDecided);
          if (own || unspent >= c.committee().quorum()) {
            assertThat(refusal).as("%s", c).isNull();
          } else {
            assertThat(refusal.code()).as("%s", c).isEqualTo(RejectionCode.NO_QUORUM);
          }
        });
  }

  /** Every returned request is kept once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void keepsEveryRequestOfThisWallet(int f) {
    everyCase(
        f,
        c -> {
          List<TransferRequest> kept =
              c.verdict().own().stream().flatMap(own -> own.requests().stream()).toList();
          List<TransferRequest> shown =
              c.answers().stream()
                  .filter(Shows.class::isInstance)
                  .map(answer -> ((Shows) answer).request())
                  .filter(request -> !FOREIGN.contains(request))
                  .distinct()
                  .toList();
          assertThat(kept).as("%s", c).containsExactlyInAnyOrderElementsOf(shown);
        });
  }

  @Test
  void triesTheLaterTransferFirstUnlessEnoughHoldTheEarlier() {
    Committee committee = committee(1);
    Case either = new Case(committee, 1, 1, 2, List.of(new Shows(OTHER)), true);
    assertThat(either.verdict().own())
        .extracting(CoinSpendVerdict.Own::core)
        .containsExactly(core(OTHER), core(TRUE));
    Case earlier = new Case(committee, 2, 2, 1, List.of(new Shows(OTHER)), true);
    assertThat(earlier.verdict().own())
        .extracting(CoinSpendVerdict.Own::core)
        .containsExactly(core(TRUE), core(OTHER));
  }

  @Test
  void theRequestThatMostReturnComesFirst() {
    CoinStateReply state =
        new CoinStateReply(
            TRUE.statement().leadSerial(),
            List.of(),
            List.of(shown(INVALID_EVIDENCE, 1), shown(TRUE, 2, 3), shown(TRUE_RENEWED, 4)));
    CoinSpendVerdict verdict =
        CoinSpendVerdict.of(state, committee(1), request -> OptionalLong.of(0));
    assertThat(only(verdict, core(TRUE)).requests())
        .containsExactly(TRUE, INVALID_EVIDENCE, TRUE_RENEWED);
    assertThat(only(verdict, core(TRUE)).holders()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void rejectsTwoAnswersOfOneAuthorityAndUnknownAuthorities() {
    for (CoinStateReply state :
        List.of(
            state(List.of(1, 2, 2)),
            state(List.of(0, 1, 2)),
            state(List.of(1, 2, 5)),
            state(List.of(1, 2, 3), shown(TRUE, 3)),
            state(List.of(), shown(TRUE, 1), shown(INVALID_EVIDENCE, 1)),
            state(List.of(1, 2, 3), shown(FOREIGN.getFirst())))) {
      WalletException failed =
          catchThrowableOfType(
              WalletException.class,
              () -> CoinSpendVerdict.of(state, committee(1), request -> OptionalLong.of(0)));
      assertThat(failed).as("%s", state).isNotNull();
      assertThat(failed.error()).isEqualTo(WalletError.GATEWAY_MISBEHAVED);
    }
  }

  private static void everyCase(int f, Consumer<Case> check) {
    Committee committee = committee(f);
    int checked = 0;
    for (List<Answer> lies : everyCombination(f)) {
      for (int holders = 0; holders <= committee.quorum(); holders++) {
        for (int answeringHolders = 0; answeringHolders <= holders; answeringHolders++) {
          for (int answeringOthers = 0;
              answeringOthers <= committee.quorum() - holders;
              answeringOthers++) {
            check.accept(
                new Case(committee, holders, answeringHolders, answeringOthers, lies, false));
            check.accept(
                new Case(committee, holders, answeringHolders, answeringOthers, lies, true));
            checked += 2;
          }
        }
      }
    }
    assertThat(checked).isGreaterThanOrEqualTo(2 * 20 * LIES.size());
  }

  private static List<List<Answer>> everyCombination(int liars) {
    if (liars == 0) {
      return List.of(List.of());
    }
    List<List<Answer>> all = new ArrayList<>();
    for (List<Answer> fewer : everyCombination(liars - 1)) {
      for (Answer lie : LIES) {
        List<Answer> more = new ArrayList<>(fewer);
        more.add(lie);
        all.add(more);
      }
    }
    return all;
  }

  private static CoinSpendVerdict.Own only(CoinSpendVerdict verdict, TxCore core) {
    List<CoinSpendVerdict.Own> matching =
        verdict.own().stream().filter(own -> own.core().equals(core)).toList();
    assertThat(matching).hasSize(1);
    return matching.getFirst();
  }

  /** Groups the answers as the gateway does. */
  private static CoinStateReply state(List<Answer> answers) {
    List<Integer> unspent = new ArrayList<>();
    List<CoinStateReply.Shown> shown = new ArrayList<>();
    Map<TransferRequest, List<Integer>> byRequest = new LinkedHashMap<>();
    for (int i = 0; i < answers.size(); i++) {
      switch (answers.get(i)) {
        case Shows shows ->
            byRequest.computeIfAbsent(shows.request(), any -> new ArrayList<>()).add(i + 1);
        case Plain.UNSPENT -> unspent.add(i + 1);
        case Plain.UNREADABLE ->
            shown.add(new CoinStateReply.Shown(List.of(i + 1), Optional.empty()));
        default -> {
          // no answer
        }
      }
    }
    byRequest.forEach((request, authorities) ->
        shown.add(new CoinStateReply.Shown(authorities, Optional.of(request))));
    return new CoinStateReply(TRUE.statement().leadSerial(), unspent, shown);
  }

  private static CoinStateReply state(List<Integer> unspent, CoinStateReply.Shown... shown) {
    return new CoinStateReply(TRUE.statement().leadSerial(), unspent, List.of(shown));
  }

  private static CoinStateReply.Shown shown(TransferRequest request, Integer... authorities) {
    return new CoinStateReply.Shown(List.of(authorities), Optional.of(request));
  }

  private static TxCore core(TransferRequest request) {
    return request.statement().core(Samples.NETWORK);
  }

  /**
   * A request.
   *
   * @param evidence distinguishes requests of one core
   */
  private static TransferRequest request(int memo, int evidence) {
    TransferRequest like = Samples.transferRequest();
    byte[] block = new byte[Attachments.MEMO_BYTES];
    block[0] = (byte) memo;
    Attachments attachments = Attachments.withoutPayout(block, new Random(memo));
    TransferStatement s = like.statement();
    Evidence e = like.evidence();
    byte[] proof = e.proof();
    proof[0] = (byte) evidence;
    return new TransferRequest(
        new TransferStatement(
            s.family(),
            s.serials(),
            s.outputs(),
            s.period(),
            s.withdrawn(),
            attachments.context(Samples.NETWORK)),
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion(),
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            proof,
            e.rkSignature()),
        attachments,
        List.of());
  }

  private static Committee committee(int f) {
    byte[] bytes = new byte[G2Point.BYTES];
    bytes[G2Point.BYTES - 1] = 1;
    G2Point point = new G2Point(bytes);
    List<CommitteeMember> members =
        IntStream.rangeClosed(1, 3 * f + 1)
            .mapToObj(
                index -> new CommitteeMember(index, point, point, Samples.point(1), new byte[32]))
            .toList();
    return new Committee(Samples.NETWORK, 0, f, point, point, Samples.point(1), members);
  }
}
