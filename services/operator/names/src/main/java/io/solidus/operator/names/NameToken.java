package io.solidus.operator.names;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A word of a name in Latin letters with everything its comparison needs.
 *
 * @param text lower-case Latin letters and digits, at most {@link #MAX_CHARS}
 * @param writing what the script of the word says of its sound
 * @param phonetic the {@link PhoneticKey} of the text
 * @param skeleton its consonants
 * @param readings the skeletons of all ways to read it, each with the vowels that may be written
 * @param spellings other ways to write a syllable in Latin letters; empty for words
 */
record NameToken(
    String text,
    Writing writing,
    String phonetic,
    String skeleton,
    Map<String, List<String>> readings,
    List<String> spellings) {
  static final int MAX_CHARS = 40;

  private static final double PARTICLE_WEIGHT = 0.2;

  /** Particles and honorifics; too common to distinguish names. */
  private static final Set<String> PARTICLES =
      Set.of(
          "al", "el", "ul", "ud", "ad", "an", "ar", "as", "at", "abu", "abou", "abw", "bin", "ben",
          "bn", "ibn", "bint", "umm", "de", "da", "do", "dos", "del", "della", "di", "du", "la",
          "le", "las", "los", "van", "von", "der", "den", "ter", "y", "e", "mr", "mrs", "ms", "dr",
          "haji", "hajji", "sheikh", "shaykh", "the", "of", "and");

  /** So many syllables together may be a foreign name, of which consonants are right at most. */
  private static final int FOREIGN_SYLLABLES = 3;

  private static final String ARTICLE = "al";
  private static final int MAX_READINGS = 4;

  /** "Servant of", however it is joined to what follows. */
  private static final Pattern SERVANT = Pattern.compile("abd([aeiou][lrnstz]?)?");

  /** What the script of a word says of its sound. */
  enum Writing {
    /** Consonants and vowels. */
    FULL,
    /** Consonants and long vowels. */
    BARE,
    /** A syllable with a sound, but without one way to write it in Latin letters. */
    SYLLABLE
  }

  /** A token of a word of Latin, Cyrillic, Greek or another alphabet with vowels. */
  static NameToken of(String word) {
    return of(word, Writing.FULL, List.of(), List.of());
  }

  /**
   * A token of a word that is cut to {@link #MAX_CHARS}.
   *
   * @param variants other readings of the word's consonants
   */
  static NameToken of(String word, Writing writing, List<String> variants, List<String> spellings) {
    String text = word.substring(0, Math.min(word.length(), MAX_CHARS));
    String phonetic = PhoneticKey.of(text);
    String skeleton = SERVANT.matcher(text).matches() ? "bdl" : PhoneticKey.skeleton(phonetic);
    Map<String, List<String>> readings = new TreeMap<>();
    add(readings, skeleton, vowels(text, writing));
    variants.forEach(variant ->
        add(readings, PhoneticKey.skeleton(PhoneticKey.of(variant)), vowels(variant, writing)));
    if (skeleton.equals("bd") && writing == Writing.BARE) {
      add(readings, "bdl", "");
    }
    return new NameToken(text, writing, phonetic, skeleton, readings, List.copyOf(spellings));
  }

  private static void add(Map<String, List<String>> readings, String skeleton, String vowels) {
    List<String> known = readings.computeIfAbsent(skeleton, unknown -> new ArrayList<>(1));
    if (!known.contains(vowels) && known.size() < MAX_READINGS) {
      known.add(vowels);
    }
  }

  /** An a at the start of a bare word may stand for any vowel. */
  private static String vowels(String text, Writing writing) {
    String vowels = PhoneticKey.vowels(text);
    return writing == Writing.BARE && text.startsWith("a") ? vowels.substring(1) : vowels;
  }

  /** The token of words that are written together. */
  static NameToken joined(List<NameToken> parts) {
    StringBuilder text = new StringBuilder();
    Writing writing = Writing.FULL;
    for (NameToken part : parts) {
      text.append(part.text);
      if (part.writing == Writing.BARE) {
        writing = Writing.BARE;
      }
    }
    if (parts.size() >= FOREIGN_SYLLABLES
        && parts.stream().allMatch(part -> part.writing == Writing.SYLLABLE)) {
      String word = text.toString();
      return of(word, Writing.BARE, NameNormaliser.foreignReadings(word), List.of());
    }
    NameToken whole = of(text.toString(), writing, List.of(), List.of());
    if (writing != Writing.BARE) {
      return whole;
    }
    Map<String, List<String>> readings = new TreeMap<>(Map.of("", List.of("")));
    for (NameToken part : parts) {
      Map<String, List<String>> longer = new TreeMap<>();
      readings.forEach((start, vowels) -> {
        part.readings.entrySet().stream()
            .limit(MAX_READINGS)
            .forEach(end ->
                add(longer, start + end.getKey(), vowels.getFirst() + end.getValue().getFirst()));
        if (part.text.equals(ARTICLE)) {
          // assimilated to the next letter: Abdurrahman
          add(longer, start, vowels.getFirst());
        }
      });
      readings = longer;
    }
    add(readings, whole.skeleton, PhoneticKey.vowels(whole.text));
    return new NameToken(whole.text, writing, whole.phonetic, whole.skeleton, readings, List.of());
  }

  boolean isParticle() {
    return PARTICLES.contains(text);
  }

  boolean isInitial() {
    return writing == Writing.FULL && text.length() == 1 && Character.isLetter(text.charAt(0));
  }

  boolean isNumber() {
    return Character.isDigit(text.charAt(0));
  }

  /** What the token weighs where nothing is known of its rarity: 1, or less for a particle. */
  double weight() {
    return isParticle() ? PARTICLE_WEIGHT : 1;
  }
}
