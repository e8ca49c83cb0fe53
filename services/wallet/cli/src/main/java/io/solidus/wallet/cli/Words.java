package io.solidus.wallet.cli;

import java.util.Locale;

/** Enum constants as they stand in output. */
final class Words {
  private Words() {}

  static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
