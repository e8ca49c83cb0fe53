package io.solidus.operator.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NameIndexTest {
  private static List<Integer> found(NameIndex index, String name) {
    return index.search(name, 0.82, id -> true).stream().map(NameIndex.Hit::name).sorted().toList();
  }

  @Test
  void findsNamesByAnyOfTheirTokens() {
    NameIndex.Builder builder = NameIndex.builder();
    builder.add("Tamsin Orowe Bellquarry");
    builder.add("Lennart Ostervald");
    builder.add(" - ");
    builder.add("Abd al-Rahman Karmazin");
    NameIndex index = builder.build();
    assertThat(index.size()).isEqualTo(4);
    assertThat(found(index, "Tamsim Bellquarri")).containsExactly(0);
    assertThat(found(index, "LENNARTOSTERVALD")).containsExactly(1);
    assertThat(found(index, "Abdulrahman Karmazin")).containsExactly(3);
    assertThat(found(index, "عبد الرحمن كرمازين")).containsExactly(3);
    assertThat(found(index, "L. Ostervald")).containsExactly(1);
    assertThat(found(index, "Nobody Else")).isEmpty();
    assertThat(index.search("Lennart Ostervald", 0.82, id -> id != 1)).isEmpty();
  }

  /** What many names have tells less than what one has. */
  @Test
  void aCommonTokenTellsLittle() {
    NameIndex.Builder builder = NameIndex.builder();
    for (int i = 0; i < 2000; i++) {
      builder.add("Tamsin Word" + "abcdefghij".charAt(i % 10) + "x".repeat(i % 7));
    }
    builder.add("Beatrix Bellquarry");
    NameIndex index = builder.build();
    NameIndex.Hit rare = index.search("Beatrix Bellquarry", 0.82, id -> true).getFirst();
    NameIndex.Hit common = index.search("Tamsin Worda", 0.82, id -> true).getFirst();
    assertThat(rare.bits()).isGreaterThan(20);
    assertThat(common.bits()).isLessThan(12);
  }

  /** A choice ends early where it can, and never misses what the whole index finds. */
  @Test
  void aChoiceFindsWhatTheIndexFindsWithItsPredicate() {
    Random random = new Random(20_261_126);
    NameIndex.Builder builder = NameIndex.builder();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      String name = name(random);
      names.add(name);
      builder.add(name);
    }
    builder.add("عبد الرحمن كرمازين");
    names.add("Abdulrahman Karmazin");
    builder.add("ван дер Лоок");
    names.add("Vanderlook");
    NameIndex index = builder.build();
    IntPredicate chosen = id -> id % 60 == 0 || id >= 3000;
    NameIndex.Choice choice = index.choose(chosen);
    int found = 0;
    int early = 0;
    for (int i = 0; i < names.size(); i++) {
      String asked = i % 3 == 0 || i >= 3000 ? careless(names.get(i), random) : name(random);
      List<NameIndex.Hit> hits = choice.search(asked, 0.6, id -> id % 7 != 1);
      assertThat(hits)
          .as(asked)
          .containsExactlyInAnyOrderElementsOf(
              index.search(asked, 0.6, id -> chosen.test(id) && id % 7 != 1));
      found += hits.size();
      early += hits.isEmpty() ? 1 : 0;
    }
    assertThat(found).isGreaterThan(50);
    assertThat(early).isGreaterThan(500);
  }

  @Test
  void aChoiceFindsOneWordThatTheQuestionWritesInTwo() {
    NameIndex.Builder builder = NameIndex.builder();
    builder.add("Tamsin Orowe");
    builder.add("Lennartostervald");
    NameIndex.Choice choice = builder.build().choose(id -> id == 1);
    assertThat(choice.search("Lennart Ostervald", 0.82, id -> true))
        .extracting(NameIndex.Hit::name)
        .containsExactly(1);
  }

  private static String name(Random random) {
    return words(random, 1 + random.nextInt(2)) + ' ' + words(random, 1);
  }

  private static String words(Random random, int count) {
    String[] syllables = {
      "ta", "lo", "mir", "sen", "ka", "bel", "quar", "ry", "o", "ster", "val", "d", "lo"
    };
    return IntStream.range(0, count)
        .mapToObj(word ->
            IntStream.range(0, 2 + random.nextInt(3))
                .mapToObj(i -> syllables[random.nextInt(syllables.length)])
                .collect(Collectors.joining()))
        .collect(Collectors.joining(" "));
  }

  /** The name with a letter left out, an initial, or two words in one. */
  private static String careless(String name, Random random) {
    int at = random.nextInt(name.length());
    return switch (random.nextInt(4)) {
      case 0 -> name.substring(0, at) + name.substring(at + 1);
      case 1 -> name.charAt(0) + ". " + name.substring(name.indexOf(' ') + 1);
      case 2 -> name.replace(" ", "");
      default -> name;
    };
  }
}
