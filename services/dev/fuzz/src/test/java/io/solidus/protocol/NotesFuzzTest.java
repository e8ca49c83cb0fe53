package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import io.solidus.dev.fuzz.Seeds;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Signed notes and their texts: a value has exactly one text, and a note has exactly one reading.
 */
class NotesFuzzTest {
  private static final NoteSigner SIGNER = NoteSigner.fromSeed("solidus-fuzz", new byte[32]);
  private static final Policy POLICY =
      new Policy(
          3,
          new Period(202611),
          new Amount(1),
          new Amount(2),
          new Amount(3),
          new Amount(7),
          4,
          new Amount(5),
          6);
  private static final SignedNote SIGNED =
      SignedNote.sign(POLICY.toNoteText(Seeds.NETWORK), SIGNER);
  private static final ShardMap SHARDS = ShardMap.equal(2, 1, 3);

  private static final Map<String, Function<String, String>> KINDS =
      Map.of(
          "policy", text -> Policy.parse(Seeds.NETWORK, text).toNoteText(Seeds.NETWORK),
          "checkpoint",
              text -> SanctionCheckpoint.parse(Seeds.NETWORK, text).toNoteText(Seeds.NETWORK),
          "heartbeat", text -> Heartbeat.parse(Seeds.NETWORK, text).toNoteText(Seeds.NETWORK),
          "attestation", text -> Attestation.parse(Seeds.NETWORK, text).toNoteText(Seeds.NETWORK),
          "shards", text -> ShardMap.parse(Seeds.NETWORK, text).toNoteText(Seeds.NETWORK));

  static Stream<String> texts() {
    return Stream.of(
        POLICY.toNoteText(Seeds.NETWORK),
        new SanctionCheckpoint(2, Seeds.field(5), 6, Seeds.digest(7), 8).toNoteText(Seeds.NETWORK),
        new Heartbeat(9, 10).toNoteText(Seeds.NETWORK),
        new Attestation(Seeds.digest(1), new TxCore(Seeds.digest(2)), Seeds.address().apk(), 11)
            .toNoteText(Seeds.NETWORK),
        SHARDS.toNoteText(Seeds.NETWORK),
        "solidus/policy/v1\nsolidus-fuzz\n",
        "\n\n\n");
  }

  @MethodSource("texts")
  @FuzzTest
  void readsTexts(@NotNull String text) {
    KINDS.forEach((kind, again) ->
        Hostile.decoded(text.length(), ProtocolException.class, () -> again.apply(text))
            .ifPresent(canonical -> assertThat(canonical).as(kind).isEqualTo(text)));
  }

  @Test
  void aShardMapWithCapitalsIsAnotherText() {
    String text = SHARDS.toNoteText(Seeds.NETWORK);
    int at = text.indexOf("shard-1: ") + "shard-1: ".length();
    String capitals =
        text.substring(0, at)
            + text.substring(at)
                .toUpperCase(Locale.ROOT)
                .replace("P\n", "p\n")
                .replace("SHARD", "shard");
    assertThat(capitals).isNotEqualTo(text);
    readsTexts(capitals);
  }

  static Stream<String> notes() {
    String good = SignedNote.sign(POLICY.toNoteText(Seeds.NETWORK), SIGNER).encode();
    return Stream.of(
        good,
        good + good.substring(good.lastIndexOf("\u2014")),
        "\n\n\n",
        "a\n\n\u2014 b AAAAAAA=\n",
        "\n\n\u2014 ");
  }

  @MethodSource("notes")
  @FuzzTest
  void readsNotes(@NotNull String note) {
    Hostile.decoded(note.length(), ProtocolException.class, () -> SignedNote.parse(note))
        .ifPresent(read -> {
          assertThat(read.encode()).isEqualTo(note);
          Hostile.decoded(
              note.length(),
              ProtocolException.class,
              () -> read.verifiedBy(List.of(SIGNER.publicKey())));
        });
  }

  static Stream<String> changes() {
    return Stream.of("", "x", "\n");
  }

  /** A changed text does not verify under the same signature line. */
  @MethodSource("changes")
  @FuzzTest
  void boundToItsSigner(@NotNull String inserted) {
    String text = inserted + SIGNED.text();
    Hostile.decoded(
            text.length(),
            ProtocolException.class,
            () -> new SignedNote(text, SIGNED.signatures()).requireSignedBy(SIGNER.publicKey()))
        .ifPresent(accepted -> assertThat(inserted).isEmpty());
  }

  static Stream<byte[]> lists() {
    byte[] two = new byte[40];
    two[19] = 1;
    two[39] = 2;
    return Stream.of(two, new byte[0], new byte[20], new byte[21], SanctionKey.LAST.bytes());
  }

  @MethodSource("lists")
  @FuzzTest
  void readsSanctionLists(byte @NotNull [] bytes) {
    Hostile.decoded(bytes.length, ProtocolException.class, () -> SanctionList.fromBytes(bytes))
        .ifPresent(list -> assertThat(list.toBytes()).isEqualTo(bytes));
  }
}
