package io.solidus.loadtest.chaos.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.solidus.wire.v1.EventEnvelope;
import io.solidus.wire.v1.TransferSigned;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The check of outboxes against Kafka detects every difference. */
class EventCheckTest {

  private final List<Outboxes.Written> written = new ArrayList<>();
  private final List<ByteString> records = new ArrayList<>();
  private long total = 12;

  EventCheckTest() {
    write(5);
    write(12);
  }

  @Test
  void repeatedEventsAreAllowed() {
    records.add(records.getFirst());
    EventCheck check = judge();
    assertThat(check).isEqualTo(new EventCheck(2, 3, 1, 0, List.of()));
  }

  @Test
  void anEventThatNeverArrivedIsDetected() {
    records.removeFirst();
    EventCheck check = judge();
    assertThat(check.lost()).isEqualTo(1);
    assertThat(check.violations()).singleElement().asString().startsWith("every event arrives");
  }

  @Test
  void otherBytesUnderTheSameIdAreDetected() {
    String id = written.getFirst().eventId();
    records.add(event(id, 6));
    assertThat(judge().violations())
        .singleElement()
        .asString()
        .startsWith("an event arrives as it was written");
  }

  @Test
  void anEventOfNoOutboxIsDetected() {
    records.add(event(UUID.randomUUID().toString(), 7));
    EventCheck check = judge();
    assertThat(check.repeated()).isZero();
    assertThat(check.violations()).singleElement().asString().startsWith("nothing else arrives");
  }

  @Test
  void aCountWithoutItsEventIsDetected() {
    total = 13;
    assertThat(judge().violations()).singleElement().asString().startsWith("events are the ledger");
  }

  @Test
  void aCountThatShrinksIsDetected() {
    write(11);
    total = 11;
    assertThat(judge().violations()).singleElement().asString().startsWith("counts grow");
  }

  private void write(long count) {
    String id = UUID.randomUUID().toString();
    written.add(new Outboxes.Written(id, event(id, count), true));
    records.add(event(id, count));
  }

  private EventCheck judge() {
    return EventCheck.judge(List.of(new Outboxes.Outbox(1, 0, written, total)), records);
  }

  private static ByteString event(String id, long count) {
    return EventEnvelope.newBuilder()
        .setEventId(id)
        .setTransferSigned(TransferSigned.newBuilder().setAuthority(1).setSignedCount(count))
        .build()
        .toByteString();
  }
}
