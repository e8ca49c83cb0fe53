package io.solidus.wallet.cli;

import java.util.Locale;

/** Writes enum constants in output: lower case with hyphens. */
final class EnumText {
  private EnumText() {}

  static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
