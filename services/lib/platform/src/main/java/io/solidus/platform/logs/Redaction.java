package io.solidus.platform.logs;

import java.util.regex.Pattern;
import org.springframework.boot.json.JsonWriter.Members;
import org.springframework.boot.json.JsonWriter.ValueProcessor;
import org.springframework.boot.logging.structured.StructuredLoggingJsonMembersCustomizer;

/**
 * Replaces texts in JSON logs that look like a key, a token, a serial number or an address. The
 * platform logs none of these; this covers messages and exception texts of libraries. Trace ids are
 * shorter and stay.
 */
final class Redaction implements StructuredLoggingJsonMembersCustomizer<Object> {
  static final String REPLACEMENT = "[redacted]";

  /**
   * Long hexadecimal, an address, a long decimal number, long base64 in either alphabet, a bearer
   * token.
   */
  private static final Pattern LOOKS_SECRET =
      Pattern.compile(
          "(?<![A-Za-z0-9_+/-])(?:"
              + "[0-9a-fA-F]{40,}"
              + "|sld1[02-9a-z]{20,}"
              + "|[0-9]{20,}"
              + "|(?=[A-Za-z0-9_+/-]*[0-9])(?=[A-Za-z0-9_+/-]*[A-Z])(?=[A-Za-z0-9_+/-]*[a-z])[A-Za-z0-9_+][A-Za-z0-9_+/-]{39,}={0,2}"
              + ")|(?i:bearer +[^ \"']{8,})");

  @Override
  public void customize(Members<Object> members) {
    members.applyingValueProcessor(ValueProcessor.of(String.class, Redaction::redact));
  }

  static String redact(String text) {
    return LOOKS_SECRET.matcher(text).replaceAll(REPLACEMENT);
  }
}
