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
import io.solidus.wallet.gateway.CoinState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every way in which up to f authorities can lie about a coin, with every number of correct ones
 * that hold its transfer and that are heard. Which authority says what makes no difference to the
 * judgement, how many do does.
 */
@Spec("W-08")
class FindingTest {
  private static final TransferRequest TRUE = request(1, 1);
  private static final TransferRequest TRUE_RENEWED = request(1, 2);
  private static final TransferRequest SPOILT = request(1, 3);

  /**
   * The wallet's own too, made out of the same coin: given up before, or made after the gateway had
   * lied.
   */
  private static final TransferRequest OTHER = request(2, 1);

  private static final List<TransferRequest> FOREIGN = List.of(request(3, 1), request(4, 1));

  /** What an authority answers. */
  private sealed interface Word permits Plain, Shows {}

  private enum Plain implements Word {
    SILENT,
    UNSPENT,
    UNREADABLE
  }

  private record Shows(TransferRequest request) implements Word {}

  private static final List<Word> LIES =
      List.of(
          Plain.SILENT,
          Plain.UNSPENT,
          Plain.UNREADABLE,
          new Shows(TRUE),
          new Shows(SPOILT),
          new Shows(OTHER),
          new Shows(FOREIGN.get(0)),
          new Shows(FOREIGN.get(1)));

  /** A case: the first 2f+1 are correct; of those {@code holders} hold the transfer. */
  private record Case(
      Committee committee,
      int holders,
      int heardHolders,
      int heardOthers,
      List<Word> lies,
      boolean otherIsLater) {
    int f() {
      return committee.f();
    }

    boolean allCorrectHeard() {
      return heardHolders + heardOthers == committee.quorum();
    }

    /** With the help of all liars it can have been signed. */
    boolean mayBeSigned() {
      return holders >= committee.weakQuorum();
    }

    List<Word> words() {
      List<Word> words = new ArrayList<>();
      for (int i = 0; i < committee.quorum(); i++) {
        boolean holds = i < holders;
        boolean heard = holds ? i < heardHolders : i - holders < heardOthers;
        words.add(
            !heard
                ? Plain.SILENT
                : holds ? new Shows(i % 2 == 0 ? TRUE : TRUE_RENEWED) : Plain.UNSPENT);
      }
      words.addAll(lies);
      return words;
    }

    Finding judged() {
      return Finding.of(state(words()), committee, this::counter);
    }

    OptionalInt counter(TransferRequest request) {
      TxCore core = core(request);
      if (core.equals(core(TRUE))) {
        return OptionalInt.of(1);
      }
      return core.equals(core(OTHER)) ? OptionalInt.of(otherIsLater ? 2 : 0) : OptionalInt.empty();
    }

    boolean liarShows(TransferRequest... any) {
      return lies.stream()
          .anyMatch(lie -> lie instanceof Shows shows && List.of(any).contains(shows.request()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatWasSignedIsNeverTakenForUnspent(int f) {
    everyCase(
        f,
        c -> {
          Finding finding = c.judged();
          if (c.mayBeSigned()) {
            assertThat(finding.unspent() && finding.own().isEmpty()).as("%s", c).isFalse();
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aForeignRequestCountsForNothingAndIsToldOf(int f) {
    everyCase(
        f,
        c -> {
          Finding finding = c.judged();
          assertThat(finding.own())
              .as("%s", c)
              .extracting(Finding.Own::core)
              .isSubsetOf(core(TRUE), core(OTHER));
          TreeSet<Integer> expected = new TreeSet<>();
          for (int i = 0; i < f; i++) {
            Word lie = c.lies().get(i);
            if (lie == Plain.UNREADABLE
                || lie instanceof Shows shows && FOREIGN.contains(shows.request())) {
              expected.add(c.committee().quorum() + i + 1);
            }
          }
          assertThat(finding.disbelieved()).as("%s", c).isEqualTo(expected);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void liarsCannotKeepTheWalletFromDecidingWhileAllCorrectOnesAnswer(int f) {
    everyCase(
        f,
        c -> {
          if (!c.allCorrectHeard()) {
            return;
          }
          Finding finding = c.judged().requireDecided();
          if (c.holders() == 0) {
            assertThat(finding.unspent()).as("%s", c).isTrue();
            assertThat(finding.own().isEmpty())
                .as("%s", c)
                .isEqualTo(!c.liarShows(TRUE, SPOILT, OTHER));
          } else {
            Finding.Own own = only(finding, core(TRUE));
            assertThat(own.requests()).as("%s", c).containsAnyOf(TRUE, TRUE_RENEWED);
          }
          if (c.mayBeSigned()) {
            assertThat(finding.own().getFirst().core()).as("%s", c).isEqualTo(core(TRUE));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void inDoubtItRefuses(int f) {
    everyCase(
        f,
        c -> {
          Finding finding = c.judged();
          long unspent = c.words().stream().filter(word -> word == Plain.UNSPENT).count();
          boolean own = c.heardHolders() > 0 || c.liarShows(TRUE, SPOILT, OTHER);
          ProtocolException refusal =
              catchThrowableOfType(ProtocolException.class, finding::requireDecided);
          if (own || unspent >= c.committee().quorum()) {
            assertThat(refusal).as("%s", c).isNull();
          } else {
            assertThat(refusal.code()).as("%s", c).isEqualTo(RejectionCode.NO_QUORUM);
          }
        });
  }

  /** Nothing that an authority showed is lost, and nothing is there twice. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void everyVariantIsKeptToBeTried(int f) {
    everyCase(
        f,
        c -> {
          List<TransferRequest> kept =
              c.judged().own().stream().flatMap(own -> own.requests().stream()).toList();
          List<TransferRequest> shown =
              c.words().stream()
                  .filter(Shows.class::isInstance)
                  .map(word -> ((Shows) word).request())
                  .filter(request -> !FOREIGN.contains(request))
                  .distinct()
                  .toList();
          assertThat(kept).as("%s", c).containsExactlyInAnyOrderElementsOf(shown);
        });
  }

  @Test
  void ofTwoOwnTransfersTheLaterIsTriedFirstUnlessEnoughHoldTheEarlier() {
    Committee committee = committee(1);
    Case either = new Case(committee, 1, 1, 2, List.of(new Shows(OTHER)), true);
    assertThat(either.judged().own())
        .extracting(Finding.Own::core)
        .containsExactly(core(OTHER), core(TRUE));
    Case earlier = new Case(committee, 2, 2, 1, List.of(new Shows(OTHER)), true);
    assertThat(earlier.judged().own())
        .extracting(Finding.Own::core)
        .containsExactly(core(TRUE), core(OTHER));
  }

  @Test
  void theVariantThatMostShowComesFirst() {
    CoinState state =
        new CoinState(
            TRUE.statement().leadSerial(),
            List.of(),
            List.of(shown(SPOILT, 1), shown(TRUE, 2, 3), shown(TRUE_RENEWED, 4)));
    Finding finding = Finding.of(state, committee(1), request -> OptionalInt.of(0));
    assertThat(only(finding, core(TRUE)).requests()).containsExactly(TRUE, SPOILT, TRUE_RENEWED);
    assertThat(only(finding, core(TRUE)).holders()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aGatewayThatMultipliesAuthoritiesIsNotBelieved() {
    for (CoinState state :
        List.of(
            state(List.of(1, 2, 2)),
            state(List.of(0, 1, 2)),
            state(List.of(1, 2, 5)),
            state(List.of(1, 2, 3), shown(TRUE, 3)),
            state(List.of(), shown(TRUE, 1), shown(SPOILT, 1)),
            state(List.of(1, 2, 3), shown(FOREIGN.getFirst())))) {
      WalletException failed =
          catchThrowableOfType(
              WalletException.class,
              () -> Finding.of(state, committee(1), request -> OptionalInt.of(0)));
      assertThat(failed).as("%s", state).isNotNull();
      assertThat(failed.error()).isEqualTo(WalletError.GATEWAY_MISBEHAVED);
    }
  }

  private static void everyCase(int f, Consumer<Case> check) {
    Committee committee = committee(f);
    int checked = 0;
    for (List<Word> lies : everyCombination(f)) {
      for (int holders = 0; holders <= committee.quorum(); holders++) {
        for (int heardHolders = 0; heardHolders <= holders; heardHolders++) {
          for (int heardOthers = 0; heardOthers <= committee.quorum() - holders; heardOthers++) {
            check.accept(new Case(committee, holders, heardHolders, heardOthers, lies, false));
            check.accept(new Case(committee, holders, heardHolders, heardOthers, lies, true));
            checked += 2;
          }
        }
      }
    }
    assertThat(checked).isGreaterThanOrEqualTo(2 * 20 * LIES.size());
  }

  private static List<List<Word>> everyCombination(int liars) {
    if (liars == 0) {
      return List.of(List.of());
    }
    List<List<Word>> all = new ArrayList<>();
    for (List<Word> fewer : everyCombination(liars - 1)) {
      for (Word lie : LIES) {
        List<Word> more = new ArrayList<>(fewer);
        more.add(lie);
        all.add(more);
      }
    }
    return all;
  }

  private static Finding.Own only(Finding finding, TxCore core) {
    List<Finding.Own> matching =
        finding.own().stream().filter(own -> own.core().equals(core)).toList();
    assertThat(matching).hasSize(1);
    return matching.getFirst();
  }

  /** As the gateway groups them. */
  private static CoinState state(List<Word> words) {
    List<Integer> unspent = new ArrayList<>();
    List<CoinState.Shown> shown = new ArrayList<>();
    Map<TransferRequest, List<Integer>> byRequest = new LinkedHashMap<>();
    for (int i = 0; i < words.size(); i++) {
      switch (words.get(i)) {
        case Shows shows ->
            byRequest.computeIfAbsent(shows.request(), any -> new ArrayList<>()).add(i + 1);
        case Plain.UNSPENT -> unspent.add(i + 1);
        case Plain.UNREADABLE -> shown.add(new CoinState.Shown(List.of(i + 1), Optional.empty()));
        default -> {
          // says nothing
        }
      }
    }
    byRequest.forEach((request, authorities) ->
        shown.add(new CoinState.Shown(authorities, Optional.of(request))));
    return new CoinState(TRUE.statement().leadSerial(), unspent, shown);
  }

  private static CoinState state(List<Integer> unspent, CoinState.Shown... shown) {
    return new CoinState(TRUE.statement().leadSerial(), unspent, List.of(shown));
  }

  private static CoinState.Shown shown(TransferRequest request, Integer... authorities) {
    return new CoinState.Shown(List.of(authorities), Optional.of(request));
  }

  private static TxCore core(TransferRequest request) {
    return request.statement().core(Samples.NETWORK);
  }

  /**
   * @param evidence versions of one core differ in it
   */
  private static TransferRequest request(int memo, int evidence) {
    TransferRequest like = Samples.transferRequest();
    byte[] block = new byte[Attachments.MEMO_BYTES];
    block[0] = (byte) memo;
    Attachments attachments = Attachments.withoutPayout(block);
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
