package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tables of the mailbox, the chain of a bucket's tables, and the lists that fix them. */
class MailTableTest {
  private static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final Digest32 A = Digest32.sha256(new byte[] {1});
  private static final Digest32 B = Digest32.sha256(new byte[] {2});
  private static final MailboxBucket BUCKET = new MailboxBucket(70);

  @Test
  @Spec("F-51")
  void theStateIsADigestOfTheOneBeforeAndOfAllThatTheTableSays() {
    MailTable table = new MailTable(BUCKET, 600, 5, 3, A, B);
    byte[] expected =
        Transcript.digest(
            "SHA-256",
            Bytes.utf8("solidus/mail-table/v1"),
            new byte[32],
            new byte[8],
            new byte[] {70},
            new byte[] {0, 0, 0, 0, 0, 0, 2, 88},
            new byte[] {0, 0, 0, 0, 0, 0, 0, 5},
            new byte[] {0, 0, 0, 3},
            A.bytes(),
            B.bytes());
    assertThat(table.after(MailState.NONE)).isEqualTo(new MailState(600, Digest32.of(expected)));
  }

  /** A gateway that changes anything of a table, or leaves one out, gets another state. */
  @Test
  void everythingThatIsChangedChangesTheState() {
    MailTable table = new MailTable(BUCKET, 600, 5, 3, A, B);
    Set<MailState> states = new HashSet<>();
    states.add(table.after(MailState.NONE));
    states.add(table.after(new MailState(0, A)));
    states.add(table.after(new MailState(1, MailState.NONE.digest())));
    states.add(new MailTable(new MailboxBucket(71), 600, 5, 3, A, B).after(MailState.NONE));
    states.add(new MailTable(BUCKET, 601, 5, 3, A, B).after(MailState.NONE));
    states.add(new MailTable(BUCKET, 600, 6, 3, A, B).after(MailState.NONE));
    states.add(new MailTable(BUCKET, 600, 5, 4, A, B).after(MailState.NONE));
    states.add(new MailTable(BUCKET, 600, 5, 3, B, B).after(MailState.NONE));
    states.add(new MailTable(BUCKET, 600, 5, 3, A, A).after(MailState.NONE));
    states.add(MailState.NONE);
    assertThat(states).hasSize(10);
  }

  @Test
  @Spec("F-52")
  void aListHasOneTextAndOnlyTheStatesThatChangedMove() {
    MailTableList first =
        new MailTableList(300, new TreeMap<>())
            .with(600, List.of(new MailTable(BUCKET, 600, 5, 3, A, B)));
    MailTableList second =
        first.with(900, List.of(new MailTable(MailboxBucket.WHOLE, 900, 9, 1, B, A)));
    assertThat(second.state(BUCKET)).isEqualTo(first.state(BUCKET));
    assertThat(first.state(MailboxBucket.WHOLE)).isEqualTo(MailState.NONE);
    String text = second.toNoteText(NETWORK);
    assertThat(text)
        .isEqualTo(
            "solidus/mail-tables/v1\nsolidus-test\nclosed: 900\nbucket-1: 900 "
                + second.state(MailboxBucket.WHOLE).digest().hex()
                + "\nbucket-70: 600 "
                + first.state(BUCKET).digest().hex()
                + "\n");
    assertThat(MailTableList.parse(NETWORK, text)).isEqualTo(second);
  }

  @Test
  void otherListsAndTablesAreRefused() {
    String text = new MailTableList(300, new TreeMap<>()).toNoteText(NETWORK);
    String state = ": 300 " + A.hex() + "\n";
    for (String other :
        List.of(
            text + "bucket-0" + state,
            text + "bucket-128" + state,
            text + "bucket-2" + state + "bucket-1" + state,
            text + "bucket-2" + state + "bucket-2" + state,
            text + "bucket-2: 300 " + A.hex().substring(2) + "\n",
            text + "bucket-2: 300 " + A.hex().toUpperCase(Locale.ROOT) + "\n",
            text + "bucket-2: 0300 " + A.hex() + "\n",
            text + "bucket-2: 301 " + A.hex() + "\n",
            text + "bucket-2: 0 " + A.hex() + "\n",
            text + "bucket-2: " + A.hex() + "\n",
            text + "bucket-2: x " + A.hex() + "\n",
            text.replace("300", "0"),
            text.replace("300", "0300"))) {
      assertThatThrownBy(() -> MailTableList.parse(NETWORK, other))
          .as(other)
          .isInstanceOf(ProtocolException.class);
    }
    assertThatThrownBy(() -> new MailTable(BUCKET, 600, 5, 0, A, B))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> new MailTable(BUCKET, 600, 5, 1, A, B).after(new MailState(600, A)))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> new MailTable(BUCKET, 0, 5, 1, A, B))
        .isInstanceOf(ProtocolException.class);
  }
}
