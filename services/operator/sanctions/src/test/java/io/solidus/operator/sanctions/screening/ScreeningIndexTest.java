package io.solidus.operator.sanctions.screening;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.sanctions.list.EntryKind;
import io.solidus.operator.sanctions.list.ListId;
import io.solidus.operator.sanctions.list.ListedEntry;
import io.solidus.operator.sanctions.list.Samples;
import io.solidus.operator.sanctions.list.YearRange;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScreeningIndexTest {
  private static final double THRESHOLD = 0.82;
  private static final Set<EntryKind> PERSONS = EnumSet.of(EntryKind.INDIVIDUAL);
  private static ScreeningIndex index;

  @BeforeAll
  static void index() throws Exception {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    Samples.parse(ListId.UN, Samples.un())
        .entries()
        .forEach(entry -> builder.add(ListId.UN, entry));
    Samples.parse(ListId.OFAC, Samples.ofac())
        .entries()
        .forEach(entry -> builder.add(ListId.OFAC, entry));
    Samples.parse(ListId.OFAC_ALT, Samples.ofacAlt())
        .entries()
        .forEach(entry -> builder.addAliases(ListId.OFAC, entry));
    index = builder.build();
  }

  private static List<Match> search(String name, @Nullable Integer year) {
    return index.search(name, year, PERSONS, THRESHOLD, 20);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // as listed, other case, other order, accents left out or put in
        "Vaskell Andrei Morodan | SAi.001",
        "morodan, vaskell andrei | SAi.001",
        "MORODAN Andrei Vaskéll | SAi.001",
        "Eloise Margaux Destrambert | SAi.005",
        "Jozef Lukomirski Thorne | SAi.006",
        // a part left out, a part too many
        "Vaskell Morodan | SAi.001",
        "Vaskell Andrei Pavel Morodan | SAi.001",
        // transliterations
        "Waskell Andrey Morodan | SAi.001",
        "Abdul Rahim Kirmazov | SAi.004",
        "Abdulrahim Qirmazow | SAi.004",
        "Кирмазов Абдуррахим | SAi.004",
        "Pavlo Grishkovets | 900001",
        "Pavlo Hryshkovetz | 900001",
        "Nooruddin Al Zamhareer | 900003",
        "Zamharir Nour el Din | 900003",
        "Idriso Alkhazourin | SAi.002",
        "إدريسو الخزورين | SAi.002",
        // a slip of the pen
        "Tamsin Orowe Belquary | SAi.003",
        "Cornelius Paderwick | SAi.008",
        "Lennart Ostervald | 900004",
        "Ximena Quentaro | 900005"
      })
  void findsListedPersons(String name, String reference) {
    assertThat(search(name, null)).extracting(Match::reference).startsWith(reference);
  }

  /** Invented names; the lists have them in Latin letters only. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "حسين القرماني | HUSSEIN AL-QARMANI",
        "حسين القرماني | Husayn Alqarmani",
        "عبد الرحيم البلقري | Abdul Rahim Belqari",
        "فرزاد حسینی‌کیا | Farzad Hosseinikia",
        "מנחם זלדנבוים | Menahem Zeldenboim",
        "후세인 카심 | Hussein Kasim",
        "侯赛因 马利 | Hussein Mali",
        "欧阳志豪 | OUYANG, Zhihao",
        "ჰუსეინ კარმანი | Hussein Karmani",
        "Գևորգ Զալմանյան | Gevorg Zalmanyan",
        "Хусейн Кармани | Hussein Karmani",
        "Χουσεΐν Καρμάνι | Housein Karmani",
        "フセイン カルマニ | Fusein Karumani"
      })
  void findsLatinNamesByTheirOriginalScriptAndViceVersa(String original, String latin) {
    assertThat(only(latin).search(original, null, PERSONS, THRESHOLD, 1)).hasSize(1);
    assertThat(only(original).search(latin, null, PERSONS, THRESHOLD, 1)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "حسين القرماني | Hadi Al-Qarmati",
        "حسين القرماني | Hassan Al-Zamhari",
        "侯赛因 马利 | Hu Lianshan",
        "후세인 카심 | Hasan Kirmazov"
      })
  void doesNotMatchOtherNamesAcrossScripts(String original, String latin) {
    assertThat(only(latin).search(original, null, PERSONS, THRESHOLD, 1)).isEmpty();
  }

  private static ScreeningIndex only(String name) {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    builder.add(
        ListId.UN,
        new ListedEntry("ONLY", EntryKind.INDIVIDUAL, List.of(name), List.of(), List.of()));
    return builder.build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Ada Lindqvist", "Morodan", "Andrei Popescu", "Vaskell Tamberlaine", "Cornelius Baker",
            "Beatrix Ostrander",
        "Bin Al Abu", "Lennart", "Sea Wraith", "Lantern Gate", "12345", "x"
      })
  void doesNotMatchOtherNames(String name) {
    assertThat(search(name, null)).isEmpty();
  }

  @Test
  void anExactNameScoresOne() {
    assertThat(search("CORNELIUS PADDERWICK", null))
        .singleElement()
        .extracting(Match::score)
        .isEqualTo(1.0);
  }

  @Test
  void organisationsMatchOnlyOnRequest() {
    String name = "Order of the Lantern Gate";
    assertThat(search(name, null)).isEmpty();
    assertThat(
            index.search(
                name, null, EnumSet.of(EntryKind.INDIVIDUAL, EntryKind.ENTITY), THRESHOLD, 20))
        .extracting(Match::reference)
        .containsExactly("SAe.002");
  }

  @Test
  void marksMatchesOfWeakAliases() {
    assertThat(search("The Ferryman", null)).singleElement().matches(Match::weakAlias);
    assertThat(search("Vaskell Andrei Morodan", null))
        .singleElement()
        .matches(match -> !match.weakAlias());
  }

  @Test
  void listsEachEntryOnceWithItsBestName() {
    assertThat(search("Idrissou Al Khazourine", null))
        .singleElement()
        .extracting(Match::name)
        .isEqualTo("Idrissou Al Khazourine");
  }

  @Test
  void birthYearRanksMatchesAndNeverHidesThem() {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    builder.add(ListId.UN, person("OLD", 1930));
    builder.add(ListId.UN, person("NEAR", 1972));
    builder.add(ListId.UN, person("SAME", 1970));
    builder.add(
        ListId.UN,
        new ListedEntry(
            "UNKNOWN", EntryKind.INDIVIDUAL, List.of("Tamsin Bellquarry"), List.of(), List.of()));
    List<Match> matches = builder.build().search("Tamsin Bellquarry", 1970, PERSONS, THRESHOLD, 20);
    assertThat(matches)
        .extracting(Match::reference)
        .containsExactly("SAME", "NEAR", "UNKNOWN", "OLD");
    assertThat(matches)
        .extracting(Match::birthYear)
        .containsExactly(
            BirthYearAgreement.AGREES,
            BirthYearAgreement.CLOSE,
            BirthYearAgreement.UNKNOWN,
            BirthYearAgreement.DIFFERS);
  }

  private static ListedEntry person(String reference, int year) {
    return new ListedEntry(
        reference,
        EntryKind.INDIVIDUAL,
        List.of("Tamsin Bellquarry"),
        List.of(),
        List.of(new YearRange(year, year)));
  }

  @Test
  void theNumberOfMatchesIsLimited() {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    for (int i = 0; i < 100; i++) {
      builder.add(ListId.UN, person("R" + i, 1970));
    }
    assertThat(builder.build().search("Tamsin Bellquarry", null, PERSONS, THRESHOLD, 7)).hasSize(7);
  }

  @Test
  void ignoresAliasesOfMissingEntries() {
    assertThat(search("Orphan Nobody", null)).isEmpty();
  }

  @Test
  void anEmptyIndexFindsNothing() {
    assertThat(ScreeningIndex.empty().search("Vaskell Morodan", null, PERSONS, THRESHOLD, 20))
        .isEmpty();
  }
}
