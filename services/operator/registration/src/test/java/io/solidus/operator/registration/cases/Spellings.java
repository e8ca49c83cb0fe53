package io.solidus.operator.registration.cases;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Different spellings of one identity. */
final class Spellings {
  private static final List<UnaryOperator<String>> WAYS =
      List.of(
          text -> text,
          text -> text.toUpperCase(Locale.ROOT),
          text -> text.toLowerCase(Locale.ROOT),
          text -> text.replace('é', 'e'),
          text -> text.replace("ß", "ss"),
          text -> text.replace(' ', '-'),
          text -> text.replace(" ", ""),
          text -> text.replace('\'', '’'),
          text -> text.replace("'", ""),
          text -> text.replace('-', ' '),
          text -> "  " + text + " ",
          text -> Normalizer.normalize(text, Normalizer.Form.NFD));

  private Spellings() {}

  /** One of 144 combinations. */
  static String name(String name, int variant) {
    int way = Math.floorMod(variant, WAYS.size());
    int next = Math.floorMod(variant / WAYS.size(), WAYS.size());
    return WAYS.get(next).apply(WAYS.get(way).apply(name));
  }

  static String document(String number, int variant) {
    return switch (variant % 4) {
      case 0 -> number;
      case 1 -> number.toLowerCase(Locale.ROOT);
      case 2 -> number.substring(0, 3) + " " + number.substring(3);
      default -> number.substring(0, 4) + "-" + number.substring(4);
    };
  }
}
