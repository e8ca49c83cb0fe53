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

  /** An envelope with a new id and the time; the caller sets the fact. */
  public static EventEnvelope.Builder envelope(String type, Clock clock) {
    return EventEnvelope.newBuilder()
        .setEventId(UUID.randomUUID().toString())
        .setType(type)
        .setAtMillis(clock.millis());
  }

  /**
   * @throws ProtocolException malformed-request; nothing in the envelope is trusted yet
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
      throw ProtocolException.malformed("an event's id is no UUID");
    }
  }
}
