package io.solidus.platform.audit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What somebody did or looked at.
 *
 * @param position of its seal, from 1 without gaps; null in the moments before it is sealed
 * @param sequence its number in the service's table, with gaps
 * @param service registration, sanctions or issuance
 * @param actor the subject of the token, or the part of the service
 * @param kind what happened, such as "mint approved"
 * @param object the id of what it happened to
 */
public record AuditEvent(
    @Nullable Long position,
    long sequence,
    Instant at,
    String service,
    String actor,
    String kind,
    String object) {
  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final JsonMapper PLAIN = JsonMapper.builder().build();

  /**
   * The text that seals of version 2 are made over. Another column of the table changes nothing of
   * it; another form of it is another version.
   */
  String sealed() {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("v", EventSeals.VERSION);
    content.put("service", service);
    content.put("sequence", sequence);
    content.put("at", time());
    content.put("actor", actor);
    content.put("kind", kind);
    content.put("object", object);
    return PLAIN.writeValueAsString(content);
  }

  /** The time in UTC, to the microsecond. */
  String time() {
    return MICROSECONDS.format(at);
  }
}
