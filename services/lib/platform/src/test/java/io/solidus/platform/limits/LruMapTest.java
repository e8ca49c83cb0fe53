package io.solidus.platform.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LruMapTest {

  @Test
  void removesTheEntryThatWasNotUsedForLongest() {
    LruMap<String, Integer> map = new LruMap<>(2);
    map.remember("a", 1);
    map.remember("b", 2);
    assertThat(map.find("a")).contains(1);
    map.remember("c", 3);
    assertThat(map.find("b")).isEmpty();
    assertThat(map.find("a")).contains(1);
    assertThat(map.find("c")).contains(3);
    assertThat(map.size()).isEqualTo(2);
  }
}
