package io.solidus.wallet.cli;

import tools.jackson.databind.json.JsonMapper;

/** Writes a command's result as one line of JSON. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }
}
