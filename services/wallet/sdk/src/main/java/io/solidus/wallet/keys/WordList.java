package io.solidus.wallet.keys;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;

/** The English word list of BIP-39: 2048 sorted words, distinct in their first four letters. */
final class WordList {
  static final int SIZE = 2048;
  private static final List<String> WORDS = load();

  private WordList() {}

  static String word(int index) {
    return WORDS.get(index);
  }

  /** The word's index, or a negative number for an unknown word. */
  static int indexOf(String word) {
    return Collections.binarySearch(WORDS, word);
  }

  static List<String> words() {
    return WORDS;
  }

  private static List<String> load() {
    try (InputStream in = WordList.class.getResourceAsStream("bip39-english.txt")) {
      if (in == null) {
        throw new IllegalStateException("the word list is missing from the class path");
      }
      List<String> words =
          new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
      if (words.size() != SIZE) {
        throw new IllegalStateException("the word list has " + words.size() + " words");
      }
      return words;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
