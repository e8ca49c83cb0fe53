package io.solidus.platform.audit;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Events in CSV (RFC 4180). Who may write an actor or an object must not run a formula at the
 * auditor's desk: a cell that begins as formulas do gets an apostrophe before it.
 */
final class EventCsv {
  private static final String HEADER = "position,sequence,at,service,actor,kind,object\r\n";
  private static final String FORMULAS = "=+-@\t\r";

  private EventCsv() {}

  static String of(List<AuditEvent> events) {
    return events.stream()
        .map(event ->
            Stream.of(
                        event.position() == null ? "" : Long.toString(event.position()),
                        Long.toString(event.sequence()),
                        event.time(),
                        event.service(),
                        event.actor(),
                        event.kind(),
                        event.object())
                    .map(EventCsv::cell)
                    .collect(Collectors.joining(","))
                + "\r\n")
        .collect(Collectors.joining("", HEADER, ""));
  }

  static String cell(String text) {
    String safe = !text.isEmpty() && FORMULAS.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    return safe.chars().anyMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r' || c == '\t')
        ? '"' + safe.replace("\"", "\"\"") + '"'
        : safe;
  }
}
