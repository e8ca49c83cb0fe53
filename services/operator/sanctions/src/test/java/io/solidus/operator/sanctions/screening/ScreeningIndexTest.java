package io.solidus.operator.sanctions.screening;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.sanctions.list.EntryDetails;
import io.solidus.operator.sanctions.list.EntryKind;
import io.solidus.operator.sanctions.list.ListId;
import io.solidus.operator.sanctions.list.ListedEntry;
import io.solidus.operator.sanctions.list.Samples;
import io.solidus.operator.sanctions.list.YearRange;
import java.time.LocalDate;
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
  private static final Set<EntryKind> PERSONS = Set.of(EntryKind.INDIVIDUAL);
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
    return search(index, name, year == null ? null : LocalDate.of(year, 5, 17));
  }

  private static List<Match> search(
      ScreeningIndex searched, String name, @Nullable LocalDate birthDate) {
    return searched.search(Asked.person(name, birthDate), THRESHOLD, 20).matches();
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
    assertThat(search(only(latin), original, null)).hasSize(1);
    assertThat(search(only(original), latin, null)).hasSize(1);
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
    assertThat(search(only(latin), original, null)).isEmpty();
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
            index
                .search(
                    new Asked(
                        List.of(name),
                        null,
                        "",
                        "",
                        List.of(),
                        Set.of(EntryKind.INDIVIDUAL, EntryKind.ENTITY)),
                    THRESHOLD,
                    20)
                .matches())
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

  @ParameterizedTest
  @CsvSource({
    "1970-04-09, EXACT, 1",
    "1970-09-04, SWAPPED, 1",
    "1971-04-09, SLIP, 1",
    "1980-04-09, SLIP, 1",
    "1970-11-09, SLIP, 1",
    "1970-11-23, OTHER_DAY, -1",
    "1930-08-30, DIFFERS, -1"
  })
  void aDateOfBirthRaisesOrLowersTheScore(
      LocalDate listed, BirthAgreement agreement, int direction) {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    builder.add(ListId.UN, person("R", listed));
    Match match = search(builder.build(), "Tamsin Belquary", LocalDate.of(1970, 4, 9)).getFirst();
    assertThat(match.birth()).isEqualTo(agreement);
    // a rare name stays a match whatever the date, because dates in lists are often wrong
    assertThat(Math.signum(match.score() - match.likeness())).isEqualTo(direction);
  }

  @ParameterizedTest
  @CsvSource({"1970, YEAR", "1972, CLOSE", "1990, DIFFERS"})
  void aListedYearIsWeakerEvidence(int year, BirthAgreement agreement) {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    builder.add(
        ListId.UN,
        new ListedEntry(
            "R",
            EntryKind.INDIVIDUAL,
            List.of("Tamsin Bellquarry"),
            List.of(),
            List.of(new YearRange(year, year))));
    assertThat(search(builder.build(), "Tamsin Bellquarry", LocalDate.of(1970, 4, 9)))
        .extracting(Match::birth)
        .containsExactly(agreement);
  }

  /** An ordinary name had 38 matches, most of them of another birth year. */
  @Test
  void aDateThatDiffersHidesACommonName() {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    for (int i = 0; i < 400; i++) {
      String other = "Name" + (char) ('a' + i % 26) + (char) ('a' + i / 26);
      builder.add(ListId.UN, named("T" + i, "Tamsin " + other, LocalDate.of(1950, 1, 2)));
      builder.add(ListId.UN, named("B" + i, other + " Bellquarry", LocalDate.of(1950, 1, 2)));
    }
    builder.add(ListId.UN, named("BOTH", "Tamsin Bellquarry", LocalDate.of(1950, 3, 4)));
    ScreeningIndex index = builder.build();
    assertThat(search(index, "Tamsin Bellquarry", null))
        .extracting(Match::reference)
        .contains("BOTH");
    assertThat(search(index, "Tamsin Bellquarry", LocalDate.of(1950, 3, 4)))
        .extracting(Match::reference)
        .startsWith("BOTH");
    assertThat(search(index, "Tamsin Bellquarry", LocalDate.of(1991, 7, 30))).isEmpty();
  }

  @Test
  void whoHasAListedDocumentIsAMatchWhateverHerName() {
    ScreeningIndex index =
        single(
            new EntryDetails(
                List.of(), List.of("OB 0243318", "C.C. 1234567-8 (Northland)"), List.of(), ""));
    assertThat(documents(index, "ob-0243318"))
        .singleElement()
        .satisfies(match -> assertThat(match.score()).isGreaterThan(0.9))
        .satisfies(match ->
            assertThat(match.evidence())
                .extracting(Match.Evidence::kind)
                .containsExactly("document"));
    assertThat(documents(index, "12345678")).hasSize(1);
    assertThat(documents(index, "0243319")).isEmpty();
    assertThat(documents(index, "OB")).isEmpty();
  }

  private static List<Match> documents(ScreeningIndex index, String number) {
    return index
        .search(
            new Asked(List.of("Nobody Else"), null, "", "", List.of(number), PERSONS), THRESHOLD, 5)
        .matches();
  }

  @Test
  void nationalityAndGenderAreEvidence() {
    ScreeningIndex index =
        single(new EntryDetails(List.of(), List.of(), List.of("Islamic Republic of Iran"), "male"));
    double alone = score(index, "", "");
    assertThat(score(index, "IR", "male")).isGreaterThan(alone);
    assertThat(score(index, "SE", "")).isEqualTo(alone);
    assertThat(score(index, "", "female")).isLessThan(alone);
  }

  private static double score(ScreeningIndex index, String nationality, String gender) {
    return index
        .search(
            new Asked(List.of("Tamsin Belquaryy"), null, nationality, gender, List.of(), PERSONS),
            0.5,
            1)
        .matches()
        .getFirst()
        .score();
  }

  private static ScreeningIndex single(EntryDetails details) {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    builder.add(
        ListId.UN,
        new ListedEntry(
            "ONLY",
            EntryKind.INDIVIDUAL,
            List.of("Tamsin Bellquarry"),
            List.of(),
            List.of(),
            details));
    return builder.build();
  }

  @Test
  void theLatinNameIsComparedToo() {
    ScreeningIndex index = single(EntryDetails.NONE);
    Asked asked =
        new Asked(List.of("แทมซิน", "Bellquarry Tamsin"), null, "", "", List.of(), PERSONS);
    assertThat(index.search(asked, THRESHOLD, 5).matches()).hasSize(1);
  }

  /** A disposition holds until what the list says of the entry changes. */
  @Test
  void theDigestOfAnEntryChangesWithItsContentOnly() {
    ListedEntry entry = person("R", LocalDate.of(1970, 4, 9));
    String digest = EntryDigest.of(ListId.UN, entry, List.of("A", "B"));
    assertThat(EntryDigest.of(ListId.UN, entry, List.of("B", "A"))).isEqualTo(digest);
    assertThat(EntryDigest.of(ListId.UN, entry, List.of("A"))).isNotEqualTo(digest);
    assertThat(EntryDigest.of(ListId.OFAC, entry, List.of("A", "B"))).isNotEqualTo(digest);
    assertThat(EntryDigest.of(ListId.UN, person("R", LocalDate.of(1970, 4, 8)), List.of("A", "B")))
        .isNotEqualTo(digest);
  }

  @Test
  void entriesThatDidNotChangeCanBeLeftOut() {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    builder.add(ListId.UN, person("R1", LocalDate.of(1970, 4, 9)));
    Set<String> known = builder.digests();
    builder.add(ListId.UN, person("R2", LocalDate.of(1970, 4, 9)));
    assertThat(
            builder
                .build()
                .without(known)
                .search(Asked.person("Tamsin Bellquarry", null), THRESHOLD, 5)
                .matches())
        .extracting(Match::reference)
        .containsExactly("R2");
  }

  private static ListedEntry person(String reference, LocalDate birthDate) {
    return named(reference, "Tamsin Bellquarry", birthDate);
  }

  private static ListedEntry named(String reference, String name, LocalDate birthDate) {
    return new ListedEntry(
        reference,
        EntryKind.INDIVIDUAL,
        List.of(name),
        List.of(),
        List.of(new YearRange(birthDate.getYear(), birthDate.getYear())),
        new EntryDetails(List.of(birthDate), List.of(), List.of(), ""));
  }

  @Test
  void theNumberOfMatchesIsLimitedAndTheAnswerSaysSo() {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    for (int i = 0; i < 100; i++) {
      builder.add(ListId.UN, person("R" + i, LocalDate.of(1970, 4, 9)));
    }
    ScreeningIndex index = builder.build();
    Asked asked = Asked.person("Tamsin Bellquarry", null);
    assertThat(index.search(asked, THRESHOLD, 7).matches()).hasSize(7);
    assertThat(index.search(asked, THRESHOLD, 7).cut()).isTrue();
    assertThat(index.search(asked, THRESHOLD, 100).cut()).isFalse();
  }

  @Test
  void ignoresAliasesOfMissingEntries() {
    assertThat(search("Orphan Nobody", null)).isEmpty();
  }

  @Test
  void anEmptyIndexFindsNothing() {
    assertThat(search(ScreeningIndex.empty(), "Vaskell Morodan", null)).isEmpty();
  }
}
