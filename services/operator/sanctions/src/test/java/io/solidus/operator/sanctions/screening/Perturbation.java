package io.solidus.operator.sanctions.screening;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Errors that people make when they write a name, at places that the random numbers choose. */
enum Perturbation {
  LETTER_REPLACED {
    @Override
    String apply(Listed person, Random random) {
      return edit(person.name(), random, 0);
    }
  },
  LETTER_DELETED {
    @Override
    String apply(Listed person, Random random) {
      return edit(person.name(), random, 1);
    }
  },
  TRANSPOSED {
    @Override
    String apply(Listed person, Random random) {
      return edit(person.name(), random, 2);
    }
  },
  INITIAL {
    @Override
    String apply(Listed person, Random random) {
      List<String> words = new ArrayList<>(person.words());
      words.set(person.given(), words.get(person.given()).substring(0, 1) + ".");
      return String.join(" ", words);
    }
  },
  FIRST_TWO_JOINED {
    @Override
    String apply(Listed person, Random random) {
      return person.name().replaceFirst("[\\s-]+", "");
    }
  },
  TWO_ERRORS {
    @Override
    String apply(Listed person, Random random) {
      return edit(edit(person.name(), random, random.nextInt(3)), random, random.nextInt(3));
    }
  };

  /**
   * A listed person.
   *
   * @param words of the primary name, without the comma
   * @param given which of them is the first given name
   * @param birthDate null where the list has no full one
   */
  record Listed(
      String list, String reference, List<String> words, int given, @Nullable LocalDate birthDate) {
    String name() {
      return String.join(" ", words);
    }
  }

  abstract String apply(Listed person, Random random);

  /** Replaces a letter, deletes it, or swaps it with the next; any letter of the name. */
  private static String edit(String name, Random random, int kind) {
    StringBuilder text = new StringBuilder(name);
    while (true) {
      int at = random.nextInt(name.length());
      boolean letter = Character.isLetter(text.charAt(at));
      boolean next = at + 1 < text.length() && Character.isLetter(text.charAt(at + 1));
      if (letter && kind == 0) {
        char other = (char) ('A' + random.nextInt(26));
        if (Character.toUpperCase(text.charAt(at)) != other) {
          text.setCharAt(at, other);
          return text.toString();
        }
      } else if (letter && kind == 1) {
        return text.deleteCharAt(at).toString();
      } else if (letter && next && text.charAt(at) != text.charAt(at + 1)) {
        char first = text.charAt(at);
        text.setCharAt(at, text.charAt(at + 1));
        text.setCharAt(at + 1, first);
        return text.toString();
      } else if (kind == 2 && name.chars().filter(Character::isLetter).count() < 2) {
        return name;
      }
    }
  }
}
