package io.solidus.loadtest.chaos.oracle;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.wire.v1.EventEnvelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares the outboxes with Kafka: every event of an outbox is on Kafka at least once, byte for
 * byte, and Kafka has no other events.
 *
 * @param written events of all outboxes
 * @param arrived records on Kafka
 * @param repeated records beyond the first of an event; consumers recognise them by the id
 * @param lost events that Kafka does not have
 * @param violations described, at most {@link InvariantChecks#MAX_WORDS} of each kind
 */
public record EventCheck(
    long written, long arrived, long repeated, long lost, List<String> violations) {

  public static EventCheck judge(List<Outboxes.Outbox> outboxes, List<ByteString> records) {
    Words words = new Words();
    Map<String, List<ByteString>> byId = new HashMap<>();
    records.forEach(
        record -> byId.computeIfAbsent(idOf(record), id -> new ArrayList<>(1)).add(record));
    long written = 0;
    long lost = 0;
    for (Outboxes.Outbox outbox : outboxes) {
      for (Outboxes.Written event : outbox.events()) {
        written++;
        List<ByteString> copies = byId.remove(event.eventId());
        if (copies == null) {
          lost++;
          words.add(
              "every event arrives",
              name(outbox)
                  + ": event "
                  + event.eventId()
                  + (event.published() ? ", marked as published," : "")
                  + " is not on Kafka");
        } else if (copies.stream().anyMatch(copy -> !copy.equals(event.payload()))) {
          words.add(
              "an event arrives as it was written",
              name(outbox) + ": event " + event.eventId() + " has other bytes on Kafka");
        }
      }
      countsAgree(outbox, words);
    }
    byId.keySet()
        .forEach(id ->
            words.add("nothing else arrives", "Kafka has event " + id + ", which no outbox holds"));
    return new EventCheck(
        written,
        records.size(),
        records.size() - (written - lost) - byId.size(),
        lost,
        words.lines());
  }

  public Map<String, Long> json() {
    Map<String, Long> json = new LinkedHashMap<>();
    json.put("written", written);
    json.put("arrived", arrived);
    json.put("repeated", repeated);
    json.put("lost", lost);
    return json;
  }

  /** The newest event has the shard's count, and counts only grow. */
  private static void countsAgree(Outboxes.Outbox outbox, Words words) {
    long newest = 0;
    for (Outboxes.Written event : outbox.events()) {
      if (isMoneyCounted(event.payload())) {
        continue;
      }
      long count = countOf(event.payload());
      if (count <= newest) {
        words.add("counts grow", name(outbox) + ": " + count + " comes after " + newest);
      }
      newest = count;
    }
    if (newest != outbox.signedTotal()) {
      words.add(
          "events are the ledger",
          name(outbox)
              + " counted "
              + outbox.signedTotal()
              + " and its newest event says "
              + newest);
    }
  }

  private static String name(Outboxes.Outbox outbox) {
    return "authority " + outbox.authority() + " shard " + outbox.shard();
  }

  private static String idOf(ByteString record) {
    try {
      return EventEnvelope.parseFrom(record).getEventId();
    } catch (InvalidProtocolBufferException e) {
      return "unreadable";
    }
  }

  private static boolean isMoneyCounted(ByteString payload) {
    try {
      return EventEnvelope.parseFrom(payload).hasMoneyCounted();
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
  }

  private static long countOf(ByteString payload) {
    try {
      return EventEnvelope.parseFrom(payload).getTransferSigned().getSignedCount();
    } catch (InvalidProtocolBufferException e) {
      return -1;
    }
  }

  private static final class Words {
    private final Map<String, Integer> counts = new HashMap<>();
    private final List<String> lines = new ArrayList<>();

    void add(String kind, String words) {
      if (counts.merge(kind, 1, Integer::sum) <= InvariantChecks.MAX_WORDS) {
        lines.add(kind + ": " + words);
      }
    }

    List<String> lines() {
      return List.copyOf(lines);
    }
  }
}
