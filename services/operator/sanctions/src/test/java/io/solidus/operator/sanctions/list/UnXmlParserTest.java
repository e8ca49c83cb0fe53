package io.solidus.operator.sanctions.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.operator.sanctions.list.ListRefusedException.Reason;
import io.solidus.operator.sanctions.list.Samples.Parsed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnXmlParserTest {
  private static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

  private static String list(String individuals) {
    return HEAD
        + "<CONSOLIDATED_LIST dateGenerated=\"2026-01-01\"><INDIVIDUALS>"
        + individuals
        + "</INDIVIDUALS></CONSOLIDATED_LIST>";
  }

  private static String individual(String reference, String inner) {
    return "<INDIVIDUAL><REFERENCE_NUMBER>"
        + reference
        + "</REFERENCE_NUMBER>"
        + inner
        + "</INDIVIDUAL>";
  }

  @Test
  void readsIndividualsAndEntitiesWithAllTheirNames() throws Exception {
    Parsed parsed = Samples.parse(ListId.UN, Samples.un());
    assertThat(parsed.report().entries()).isEqualTo(10);
    assertThat(parsed.report().malformed()).isZero();
    assertThat(parsed.report().published()).isEqualTo("2026-01-05T00:00:00.000Z");
    ListedEntry person = parsed.entry("SAi.002");
    assertThat(person.kind()).isEqualTo(EntryKind.INDIVIDUAL);
    assertThat(person.names())
        .containsExactly(
            "IDRISU AL-KHAZURIN", "إدريسو الخزورين", "Idrissou Al Khazourine", "Idrisu Alkhazurin");
    assertThat(parsed.entry("SAi.001").weakNames()).containsExactly("The Ferryman");
    assertThat(parsed.entry("SAe.002").kind()).isEqualTo(EntryKind.ENTITY);
    assertThat(parsed.entry("SAe.002").names()).contains("Lantern Gate Relief Fund");
  }

  @Test
  void readsBirthYearsExactApproximateAndBetween() throws Exception {
    Parsed parsed = Samples.parse(ListId.UN, Samples.un());
    assertThat(parsed.entry("SAi.001").birthYears()).containsExactly(new YearRange(1964, 1964));
    assertThat(parsed.entry("SAi.002").birthYears()).containsExactly(new YearRange(1969, 1973));
    assertThat(parsed.entry("SAi.003").birthYears()).containsExactly(new YearRange(1958, 1961));
    assertThat(parsed.entry("SAi.008").birthYears()).isEmpty();
  }

  @Test
  void readsDatesDocumentsNationalitiesAndGender() throws Exception {
    ListedEntry entry =
        Samples.parse(
                ListId.UN,
                list(
                    individual(
                        "A.1",
                        "<FIRST_NAME>ONE</FIRST_NAME><GENDER>Male</GENDER>"
                            + "<NATIONALITY><VALUE>Northland</VALUE><VALUE>Southland</VALUE></NATIONALITY>"
                            + "<INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT>"
                            + "<NUMBER>OB 0243318</NUMBER><DATE_OF_ISSUE>2013-06-11</DATE_OF_ISSUE></INDIVIDUAL_DOCUMENT>"
                            + "<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1964-03-09</DATE></INDIVIDUAL_DATE_OF_BIRTH>"
                            + "<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><DATE>1966-03-09</DATE></INDIVIDUAL_DATE_OF_BIRTH>")))
            .entry("A.1");
    assertThat(entry.details())
        .isEqualTo(
            new EntryDetails(
                List.of(LocalDate.of(1964, 3, 9)),
                List.of("OB 0243318"),
                List.of("Northland", "Southland"),
                "male"));
    assertThat(entry.birthYears())
        .containsExactly(new YearRange(1964, 1964), new YearRange(1964, 1968));
  }

  @Test
  void countsMalformedEntriesWithTheirPositions() throws Exception {
    String good = individual("A.1", "<FIRST_NAME>ONE</FIRST_NAME>");
    String nameless = individual("A.2", "<FIRST_NAME> </FIRST_NAME>");
    String unreferenced = "<INDIVIDUAL><FIRST_NAME>THREE</FIRST_NAME></INDIVIDUAL>";
    Parsed parsed = Samples.parse(ListId.UN, list(good + nameless + unreferenced + good + good));
    assertThat(parsed.report().entries()).isEqualTo(3);
    assertThat(parsed.report().malformed()).isEqualTo(2);
    assertThat(parsed.report().malformedAt()).containsExactly(2, 3);
  }

  @Test
  void anOverlongNameMakesItsEntryMalformedAndAnOverlongCommentDoesNot() throws Exception {
    String good = individual("A.1", "<FIRST_NAME>ONE</FIRST_NAME>");
    String comment =
        individual(
            "A.2",
            "<FIRST_NAME>TWO</FIRST_NAME><COMMENTS1>" + "x".repeat(100_000) + "</COMMENTS1>");
    String name = individual("A.3", "<FIRST_NAME>" + "x".repeat(100_000) + "</FIRST_NAME>");
    Parsed parsed = Samples.parse(ListId.UN, list(good + comment + name));
    assertThat(parsed.entries()).extracting(ListedEntry::reference).containsExactly("A.1", "A.2");
    assertThat(parsed.report().malformedAt()).containsExactly(3);
  }

  @Test
  void namesDoNotLeakIntoTheNextEntry() throws Exception {
    String first =
        individual(
            "A.1",
            "<FIRST_NAME>ONE</FIRST_NAME><SECOND_NAME>SECOND</SECOND_NAME><INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY>"
                + "<ALIAS_NAME>Alias</ALIAS_NAME></INDIVIDUAL_ALIAS><INDIVIDUAL_DATE_OF_BIRTH><YEAR>1960</YEAR>"
                + "</INDIVIDUAL_DATE_OF_BIRTH>");
    Parsed parsed =
        Samples.parse(ListId.UN, list(first + individual("A.2", "<FIRST_NAME>TWO</FIRST_NAME>")));
    ListedEntry second = parsed.entry("A.2");
    assertThat(second.names()).containsExactly("TWO");
    assertThat(second.weakNames()).isEmpty();
    assertThat(second.birthYears()).isEmpty();
  }

  @Test
  void neverReadsExternalEntities(@TempDir Path directory) throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "CANARY");
    String file =
        HEAD
            + "<!DOCTYPE CONSOLIDATED_LIST [<!ENTITY x SYSTEM \""
            + secret.toUri()
            + "\">]>"
            + "<CONSOLIDATED_LIST><INDIVIDUALS>"
            + individual("A.1", "<FIRST_NAME>&x;</FIRST_NAME>")
            + "</INDIVIDUALS></CONSOLIDATED_LIST>";
    refused(file, Reason.NOT_THIS_FORMAT);
  }

  @Test
  void refusesAnyDocumentTypeDeclaration() {
    refused(
        HEAD
            + "<!DOCTYPE CONSOLIDATED_LIST><CONSOLIDATED_LIST><INDIVIDUALS>"
            + individual("A.1", "<FIRST_NAME>ONE</FIRST_NAME>")
            + "</INDIVIDUALS></CONSOLIDATED_LIST>",
        Reason.NOT_THIS_FORMAT);
  }

  @Test
  void refusesExpandingEntities() {
    StringBuilder bomb =
        new StringBuilder(HEAD + "<!DOCTYPE CONSOLIDATED_LIST [<!ENTITY a0 \"aaaaaaaaaa\">");
    for (int i = 1; i < 10; i++) {
      bomb.append("<!ENTITY a")
          .append(i)
          .append(" \"")
          .append(("&a" + (i - 1) + ";").repeat(10))
          .append("\">");
    }
    bomb.append("]><CONSOLIDATED_LIST><INDIVIDUALS>")
        .append(individual("A.1", "<FIRST_NAME>&a9;</FIRST_NAME>"))
        .append("</INDIVIDUALS></CONSOLIDATED_LIST>");
    refused(bomb.toString(), Reason.NOT_THIS_FORMAT);
  }

  @Test
  void refusesDeepNesting() {
    refused(
        list("<INDIVIDUAL>".repeat(5000) + "</INDIVIDUAL>".repeat(5000)), Reason.NOT_THIS_FORMAT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not xml",
        "<html><body>Service unavailable</body></html>",
        "<CONSOLIDATED_LIST></CONSOLIDATED_LIST>",
        "<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL>",
        "36,\"SOMETHING\",-0- ,\"CUBA\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- "
      })
  void refusesOtherXmlFiles(String file) {
    refused(file, Reason.NOT_THIS_FORMAT);
  }

  @Test
  void refusesATruncatedFile() throws Exception {
    byte[] whole = Samples.un();
    String truncated =
        new String(whole, 0, whole.length / 2, java.nio.charset.StandardCharsets.UTF_8);
    refused(truncated, Reason.NOT_THIS_FORMAT);
  }

  @Test
  void refusesAFileThatIsMostlyMalformed() {
    String good = individual("A.1", "<FIRST_NAME>ONE</FIRST_NAME>");
    refused(list(good + individual("A.2", "").repeat(3)), Reason.TOO_MANY_MALFORMED);
  }

  private static void refused(String file, Reason reason) {
    assertThatThrownBy(() -> Samples.parse(ListId.UN, file))
        .isInstanceOfSatisfying(
            ListRefusedException.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
  }
}
