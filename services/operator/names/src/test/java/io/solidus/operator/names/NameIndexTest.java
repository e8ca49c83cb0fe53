package io.solidus.operator.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
}
