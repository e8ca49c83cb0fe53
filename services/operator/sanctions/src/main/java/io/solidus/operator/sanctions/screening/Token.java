package io.solidus.operator.sanctions.screening;

import java.util.List;
import java.util.Set;

/**
 * A normalised word of a name with everything its comparison needs.
 *
 * @param letters a bit for each letter a to z of the skeleton, to pass over hopeless comparisons
 *     cheaply
 */
record Token(String text, String skeleton, String consonants, int letters) {
  static final int MAX_CHARS = 40;

  /**
   * Articles, particles and honorifics: they part the names of whole regions from each other by
   * nothing.
   */
  private static final Set<String> PARTICLES =
      Set.of(
          "al", "el", "ul", "ud", "ad", "an", "ar", "as", "at", "abu", "abou", "bin", "ben", "ibn",
          "bint", "umm", "de", "da", "do", "dos", "del", "della", "di", "du", "la", "le", "las",
          "los", "van", "von", "der", "den", "ter", "y", "e", "mr", "mrs", "ms", "dr", "haji",
          "hajji", "sheikh", "shaykh", "the", "of", "and");

  static Token of(String text) {
    String skeleton = Skeleton.of(text);
    int letters = 0;
    for (int i = 0; i < skeleton.length(); i++) {
      char c = skeleton.charAt(i);
      if (c >= 'a' && c <= 'z') {
        letters |= 1 << (c - 'a');
      }
    }
    return new Token(text, skeleton, Skeleton.consonants(skeleton), letters);
  }

  static List<Token> ofName(String name) {
    return NameNormaliser.tokens(name).stream().map(Token::of).toList();
  }

  boolean isParticle() {
    return PARTICLES.contains(text);
  }

  double likeness(Token other) {
    if (Integer.bitCount(letters & other.letters) * 2
        < Math.min(Integer.bitCount(letters), Integer.bitCount(other.letters))) {
      return text.equals(other.text) ? 1 : 0;
    }
    return TokenSimilarity.of(this, other);
  }
}
