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
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.Spec;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.Samples;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.CoinStateReply;
import io.solidus.wire.Codecs;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
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
    /** It holds a core, and no request that it signed is shown. */
    WITHOUT_REQUEST
  }

  private record Shows(TransferRequest request) implements Answer {}

  private static final List<Answer> LIES =
      List.of(
          Plain.SILENT,
          Plain.UNSPENT,
          Plain.WITHOUT_REQUEST,
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
      return CoinSpendVerdict.of(CoinSpendVerdictTest.answers(answers()), committee, this::counter);
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
            if (lie instanceof Shows shows && FOREIGN.contains(shows.request())) {
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
    SignedAnswers answers =
        answers(
            List.of(
                new Shows(INVALID_EVIDENCE),
                new Shows(TRUE),
                new Shows(TRUE),
                new Shows(TRUE_RENEWED)));
    CoinSpendVerdict verdict =
        CoinSpendVerdict.of(answers, committee(1), request -> OptionalLong.of(0));
    assertThat(only(verdict, core(TRUE)).requests())
        .containsExactly(TRUE, INVALID_EVIDENCE, TRUE_RENEWED);
    assertThat(only(verdict, core(TRUE)).holders()).containsExactly(1, 2, 3, 4);
  }

  /**
   * Attack: the gateway changes the request that an honest authority stored, or leaves it out. The
   * wallet must not tell its user that the authority lied.
   */
  @Test
  @Spec("W-09")
  void anAuthorityIsNotBlamedForWhatTheGatewayShows() {
    SerialNumber lead = TRUE.statement().leadSerial();
    SignedStates honest = signed(2, held(lead, core(TRUE), TRUE));
    for (List<TransferRequest> shown :
        List.of(
            List.<TransferRequest>of(), List.of(FOREIGN.getFirst()), List.of(INVALID_EVIDENCE))) {
      SignedAnswers answers =
          SignedAnswers.of(new CoinStateReply.Coin(lead, shown, List.of()), List.of(honest));
      CoinSpendVerdict verdict = CoinSpendVerdict.of(answers, committee(1), like(TRUE));
      assertThat(verdict.disbelieved()).as("%s", shown).isEmpty();
      assertThat(verdict.free()).isEmpty();
      assertThat(answers.held().values())
          .singleElement()
          .satisfies(held -> assertThat(held.request()).isEmpty());
    }
  }

  /** Own evidence proves itself; a stranger's request with a signature is the authority's word. */
  @Test
  @Spec("W-09")
  void anAuthorityIsBlamedForTheRequestThatItSigned() {
    SerialNumber lead = TRUE.statement().leadSerial();
    TransferRequest foreign = FOREIGN.getFirst();
    assertThat(disbelieved(foreign, held(lead, core(foreign), foreign))).containsExactly(2);
    assertThat(disbelieved(TRUE, held(lead, core(foreign), TRUE))).containsExactly(2);
    assertThat(disbelieved(TRUE, held(lead, core(TRUE), TRUE))).isEmpty();
  }

  private static Set<Integer> disbelieved(TransferRequest shown, SerialStates.State state) {
    SignedAnswers answers =
        SignedAnswers.of(
            new CoinStateReply.Coin(state.serial(), List.of(shown), List.of()),
            List.of(signed(2, state)));
    return CoinSpendVerdict.of(answers, committee(1), like(TRUE)).disbelieved();
  }

  @Test
  void rejectsTwoAnswersOfOneAuthority() {
    SerialNumber lead = TRUE.statement().leadSerial();
    SerialStates.State free = SerialStates.State.free(lead);
    for (SerialStates.State other : List.of(free, held(lead, core(TRUE), TRUE))) {
      WalletException failed =
          catchThrowableOfType(
              WalletException.class,
              () ->
                  SignedAnswers.of(
                      new CoinStateReply.Coin(lead, List.of(), List.of()),
                      List.of(signed(3, free), signed(3, other))));
      assertThat(failed).isNotNull();
      assertThat(failed.error()).isEqualTo(WalletError.GATEWAY_MISBEHAVED);
    }
  }

  private static Function<TransferRequest, OptionalLong> like(TransferRequest own) {
    return request -> core(request).equals(core(own)) ? OptionalLong.of(0) : OptionalLong.empty();
  }

  private static SerialStates.State held(
      SerialNumber serial, TxCore core, TransferRequest request) {
    return SerialStates.State.held(serial, core, Optional.of(Codecs.digest(request)));
  }

  private static SignedStates signed(int authority, SerialStates.State state) {
    return new SignedStates(
        authority,
        new SerialStates(1, StateFloors.NONE, List.of(state)),
        new SignedStates.StateSignature(new byte[64]));
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

  private static SignedAnswers answers(List<Answer> answers) {
    SortedMap<Integer, StateFloors> free = new TreeMap<>();
    SortedMap<Integer, SignedAnswers.Held> held = new TreeMap<>();
    Set<TransferRequest> shown = new LinkedHashSet<>();
    for (int i = 0; i < answers.size(); i++) {
      switch (answers.get(i)) {
        case Shows(TransferRequest request) -> {
          shown.add(request);
          held.put(
              i + 1, new SignedAnswers.Held(core(request), StateFloors.NONE, Optional.of(request)));
        }
        case Plain.UNSPENT -> free.put(i + 1, StateFloors.NONE);
        case Plain.WITHOUT_REQUEST ->
            held.put(
                i + 1,
                new SignedAnswers.Held(
                    core(FOREIGN.getFirst()), StateFloors.NONE, Optional.empty()));
        default -> {
          // no answer
        }
      }
    }
    return new SignedAnswers(
        TRUE.statement().leadSerial(), free, held, List.copyOf(shown), List.of());
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
