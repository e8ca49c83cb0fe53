package io.solidus.operator.names;

import java.util.Set;

/**
 * A normalised word of a name with everything its comparison needs.
 *
 * @param text Latin letters and digits, at most {@link #MAX_CHARS}
 * @param vowelsWritten false for a word of a script that writes consonants and long vowels only
 * @param phonetic the {@link PhoneticKey} of the text
 * @param consonants the phonetic key without vowels
 * @param letters a bit for each letter a to z of the phonetic key; rules out most comparisons
 *     cheaply
 */
public record NameToken(
    String text, boolean vowelsWritten, String phonetic, String consonants, int letters) {
  static final int MAX_CHARS = 40;

  private static final double PARTICLE_WEIGHT = 0.2;

  /** Particles and honorifics; too common to distinguish names. */
  private static final Set<String> PARTICLES =
      Set.of(
          "al", "el", "ul", "ud", "ad", "an", "ar", "as", "at", "abu", "abou", "abw", "bin", "ben",
          "bn", "ibn", "bint", "umm", "de", "da", "do", "dos", "del", "della", "di", "du", "la",
          "le", "las", "los", "van", "von", "der", "den", "ter", "y", "e", "mr", "mrs", "ms", "dr",
          "haji", "hajji", "sheikh", "shaykh", "the", "of", "and");

  /** A token of a word that is cut to {@link #MAX_CHARS}. */
  static NameToken of(String word, boolean vowelsWritten) {
    String text = word.substring(0, Math.min(word.length(), MAX_CHARS));
    String phonetic = PhoneticKey.of(text);
    int letters = 0;
    for (int i = 0; i < phonetic.length(); i++) {
      char c = phonetic.charAt(i);
      if (c >= 'a' && c <= 'z') {
        letters |= 1 << (c - 'a');
      }
    }
    return new NameToken(text, vowelsWritten, phonetic, PhoneticKey.consonants(phonetic), letters);
  }

  public boolean isParticle() {
    return PARTICLES.contains(text);
  }

  /** What the token weighs where nothing is known of its rarity: 1, or less for a particle. */
  public double weight() {
    return isParticle() ? PARTICLE_WEIGHT : 1;
  }

  /** How alike two tokens are, 0 to 1. */
  public double likeness(NameToken other) {
    if (Integer.bitCount(letters & other.letters) * 2
        < Math.min(Integer.bitCount(letters), Integer.bitCount(other.letters))) {
      return text.equals(other.text) ? 1 : 0;
    }
    return TokenSimilarity.of(this, other);
  }
}
