package io.solidus.platform.outbox;

import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.v1.EventEnvelope;
import java.time.Clock;
import java.util.UUID;

/** Makes and reads event envelopes. */
public final class Events {
  private static final int MAX_BYTES = 256 * 1024;

  private Events() {}

  /** Makes an envelope with a new id and the current time. The caller sets its content. */
  public static EventEnvelope.Builder envelope(String type, Clock clock) {
    return EventEnvelope.newBuilder()
        .setEventId(UUID.randomUUID().toString())
        .setType(type)
        .setAtMillis(clock.millis());
  }

  /**
   * Reads an envelope. Its content is not verified.
   *
   * @throws ProtocolException malformed-request
   */
  public static EventEnvelope parse(byte[] payload) {
    if (payload.length > MAX_BYTES) {
      throw ProtocolException.malformed("an event is too large");
    }
    try {
      EventEnvelope envelope = EventEnvelope.parseFrom(payload);
      eventId(envelope);
      return envelope;
    } catch (InvalidProtocolBufferException e) {
      throw ProtocolException.malformed("an event cannot be parsed");
    }
  }

  static UUID eventId(EventEnvelope envelope) {
    try {
      return UUID.fromString(envelope.getEventId());
    } catch (IllegalArgumentException e) {
      throw ProtocolException.malformed("an event's id is not a UUID");
    }
  }
}
