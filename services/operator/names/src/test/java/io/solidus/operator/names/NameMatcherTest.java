package io.solidus.operator.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invented names; two of a row are of one person, or are not. */
class NameMatcherTest {
  private static final double THRESHOLD = NameMatcher.DEFAULT_THRESHOLD;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Tamsin Bellquarry | BELLQUARRY, Tamsin",
        "Tamsin Bellquarry | Tamsin Belquary",
        "Tamsin Bellquarry | Tamsinbellquarry",
        "Abdul Rahman Karmani | Abdurrahman Karmani",
        "T a m s i n Bellquarry | Tamsin Bellquarry",
        "Hussein Karmani | Хусейн Кармани",
        "حسين القرماني | Husayn Al-Qarmani",
        "طارق عزوزي | Tarek Azouzi",
        "نور الله شمسي | Nurullah Shamsi",
        "يحيى الصحراوي | Yahia El Sahraoui",
        "فيض الله كاظمي | Faizullah Kazemi",
        "יצחק לוינסון | LEVINSON, Yitzhak",
        "יעקב חדד | HADAD, Yaakov",
        "김성철 | KIM, Song Chol",
        "박지훈 | PARK, Jihoon",
        "이정식 | Lee Jung-sik",
        "黃永祥 | HUANG, Yung-hsiang",
        "周学军 | CHOU, Hsueh-chun",
        "니콜라스 카르마니 | Nicolas Karmani",
        "타마라 벨쿠아리 | Tamara Belquari",
        "尼古拉斯·卡尔马尼 | Nicolas Karmani",
        "ニコラス・カルマニ | Nicolas Karmani",
        "राजेश शर्मा | SHARMA, Rajesh",
        "முருகன் செல்வராஜ் | SELVARAJ, Murugan",
        "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ | SINGH, Gurpreet",
        "Հուսեին Կարմանի | Hussein Karmani"
      })
  void oneNameInTwoSpellingsIsLike(String a, String b) {
    assertThat(NameMatcher.likeness(a, b)).isGreaterThanOrEqualTo(THRESHOLD);
    assertThat(NameMatcher.likeness(b, a)).isGreaterThanOrEqualTo(THRESHOLD);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Tamsin Bellquarry | Ada Lindqvist",
        "Tamsin Bellquarry | Tamsin Lindqvist",
        "Tamsin Bellquarry | Beatrix Bellquarry",
        "حسين القرماني | Hassan Al-Zamhari",
        "김성철 | PAK, Yong Nam",
        "周学军 | CHOU, Ta-wei",
        "राजेश शर्मा | VERMA, Rajesh",
        "12 | 12",
        "'' | Tamsin"
      })
  void otherNamesAreNot(String a, String b) {
    if (!a.equals(b)) {
      assertThat(NameMatcher.likeness(a, b)).isLessThan(THRESHOLD);
    }
  }

  @Test
  void equalNamesHaveLikenessOne() {
    assertThat(NameMatcher.likeness("Tamsin Bellquarry", "tamsin bellquarry")).isEqualTo(1);
  }

  @Test
  void explainsTokenByToken() {
    assertThat(NameMatcher.explain("T. Belquary Orowe", "Tamsin Bellquarry"))
        .extracting(TokenMatch::asked, TokenMatch::listed, TokenMatch::how)
        .containsExactly(
            tuple("t", "tamsin", "initial"),
            tuple("belquary", "bellquarry", "sound"),
            tuple("orowe", "", "missing"));
  }

  /** The work of a comparison is bounded, whatever somebody sends. */
  @Test
  void comparesTheLongestNames() {
    String many = "ab ".repeat(200);
    assertThat(NameMatcher.likeness(many, many)).isBetween(0.0, 1.0);
    assertThat(NameMatcher.likeness("ابراهيم".repeat(60), "ابراهيم".repeat(60))).isEqualTo(1);
  }

  /** Words that are not looked at would hide the family name. */
  @Test
  void aNameWithMoreWordsThanAreComparedIsUnreadable() {
    assertThat(NameReading.read("ab cd ".repeat(12)).readable()).isTrue();
    assertThat(NameReading.read("ab cd ".repeat(12) + "Bellquarry").readable()).isFalse();
    assertThat(NameReading.read("a ".repeat(24) + "Bellquarry").readable()).isFalse();
    // one word, and each of its characters a token
    assertThat(NameReading.read("\u738b".repeat(24) + " Bellquarry").readable()).isFalse();
    assertThat(NameReading.read("\u738b".repeat(3) + " Bellquarry").readable()).isTrue();
  }
}
