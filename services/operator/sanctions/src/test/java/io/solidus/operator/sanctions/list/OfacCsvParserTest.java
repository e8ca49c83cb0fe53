package io.solidus.operator.sanctions.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.operator.sanctions.list.ListRefusedException.Reason;
import io.solidus.operator.sanctions.list.Samples.Parsed;
import java.nio.charset.Charset;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OfacCsvParserTest {
  private static final String REST = ",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,";

  private static String row(int number, String name, String remarks) {
    return number + ",\"" + name + "\",\"individual\",\"SAMPLE\"" + REST + "\"" + remarks + "\"\n";
  }

  @Test
  void readsPersonsOrganisationsAndVessels() throws Exception {
    Parsed parsed = Samples.parse(ListId.OFAC, Samples.ofac());
    assertThat(parsed.report()).isEqualTo(new ParseReport(7, 7, 0, List.of(), "", true));
    assertThat(parsed.entry("900001").kind()).isEqualTo(EntryKind.INDIVIDUAL);
    assertThat(parsed.entry("900006").kind()).isEqualTo(EntryKind.ENTITY);
    assertThat(parsed.entry("900007").kind()).isEqualTo(EntryKind.OTHER);
    assertThat(parsed.entry("900002").names()).containsExactly("HALLOWMERE, Beatrix \"The Clerk\"");
  }

  @Test
  void readsBirthYearsFromTheRemarks() throws Exception {
    Parsed parsed = Samples.parse(ListId.OFAC, Samples.ofac());
    assertThat(parsed.entry("900001").birthYears()).containsExactly(new YearRange(1962, 1962));
    assertThat(parsed.entry("900002").birthYears()).containsExactly(new YearRange(1973, 1977));
    assertThat(parsed.entry("900003").birthYears()).containsExactly(new YearRange(1966, 1968));
    assertThat(parsed.entry("900004").birthYears())
        .containsExactly(new YearRange(1959, 1959), new YearRange(1960, 1960));
    assertThat(parsed.entry("900005").birthYears()).isEmpty();
  }

  @Test
  void readsWeakNamesDatesDocumentsNationalitiesAndGenderFromTheRemarks() throws Exception {
    ListedEntry entry =
        Samples.parse(
                ListId.OFAC,
                row(
                        1,
                        "ONE",
                        "DOB 14 Feb 1962; alt. DOB circa 1963; alt. DOB 31 Feb 1964; POB Invented Town; nationality"
                            + " Northland; alt. nationality Southland; citizen Eastland; Gender Female;"
                            + " Passport X0123456 (Northland) issued 11 May 2017 expires 11 May 2022;"
                            + " alt. Passport RL 998877 (Southland); Cedula No. 1234567-8 (Westland);"
                            + " C.U.R.P. ABCD620214HSLMVM09 (Westland); National ID No. 55 66 77; Linked To:"
                            + " COMPANY 12345; a.k.a. 'THE CLERK'; a.k.a. 'ABU-'OMAR'.")
                    + row(2, "TWO", "a.k.a. 'O'NEILL' (Northland).")
                    + row(3, "THREE", "-0-"))
            .entry("1");
    assertThat(entry.weakNames()).containsExactly("THE CLERK", "ABU-'OMAR");
    assertThat(entry.details())
        .isEqualTo(
            new EntryDetails(
                List.of(LocalDate.of(1962, 2, 14)),
                List.of("X0123456", "RL 998877", "1234567-8", "ABCD620214HSLMVM09", "55 66 77"),
                List.of("Northland", "Southland", "Eastland"),
                "female"));
  }

  @Test
  void readsAlternateNames() throws Exception {
    Parsed parsed = Samples.parse(ListId.OFAC_ALT, Samples.ofacAlt());
    assertThat(parsed.report().entries()).isEqualTo(5);
    assertThat(parsed.entry("900003").kind()).isEqualTo(EntryKind.ALIAS);
    assertThat(parsed.entry("900003").names()).containsExactly("ZAMHARIR, Nour al-Din");
  }

  @Test
  void anUnclosedQuoteInvalidatesOnlyItsRow() throws Exception {
    String file =
        row(1, "ONE", "-")
            + "2,\"TWO,\"individual\",\"X\n"
            + row(3, "THREE", "-")
            + row(4, "FOUR", "-");
    Parsed parsed = Samples.parse(ListId.OFAC, file);
    assertThat(parsed.entries()).extracting(ListedEntry::reference).containsExactly("1", "3", "4");
    assertThat(parsed.report().malformedAt()).containsExactly(2);
  }

  @Test
  void countsRowsWithMissingFieldsUnknownTypesAndBadNumbers() throws Exception {
    String good = row(1, "ONE", "-").repeat(6);
    String file =
        good
            + "7,\"SEVEN\"\n"
            + "8,\"EIGHT\",\"planet\",\"SAMPLE\""
            + REST
            + "-0- \n"
            + "x,\"NINE\",\"individual\",\"SAMPLE\""
            + REST
            + "-0- \n"
            + "10,-0- ,\"individual\",\"SAMPLE\""
            + REST
            + "-0- \n";
    assertThat(Samples.parse(ListId.OFAC, file).report().malformedAt())
        .containsExactly(7, 8, 9, 10);
  }

  @Test
  void readsCarriageReturnsByteOrderMarkBlankLinesAndTheEndMark() throws Exception {
    String file =
        "\uFEFF"
            + (row(1, "ONE", "-") + "\n" + row(2, "TWO", "-")).replace("\n", "\r\n")
            + "\u001A";
    Parsed parsed = Samples.parse(ListId.OFAC, file);
    assertThat(parsed.entries()).extracting(ListedEntry::reference).containsExactly("1", "2");
    assertThat(parsed.report().malformed()).isZero();
    assertThat(parsed.report().complete()).isTrue();
  }

  @Test
  void onlyTheEndMarkAtTheEndTellsThatAFileIsComplete() throws Exception {
    String row = row(1, "ONE", "-");
    assertThat(Samples.parse(ListId.OFAC, row + "\u001A\r\n\r\n").report().complete()).isTrue();
    assertThat(Samples.parse(ListId.OFAC, row).report().complete()).isFalse();
    assertThat(Samples.parse(ListId.OFAC, row + "\u001A\n" + row).report().complete()).isFalse();
  }

  @Test
  void readsUtf8AndWindows1252() throws Exception {
    String file = row(1, "PEÑA-ÜBERWALD", "-");
    assertThat(Samples.parse(ListId.OFAC, file).entry("1").names())
        .containsExactly("PEÑA-ÜBERWALD");
    assertThat(Samples.parse(ListId.OFAC, file, Charset.forName("windows-1252")).entry("1").names())
        .containsExactly("PEÑA-ÜBERWALD");
  }

  @Test
  void aTooLongLineCountsAsOneMalformedRow() throws Exception {
    String file =
        row(1, "ONE", "-") + "2,\"" + "x".repeat(3_000_000) + "\"\n" + row(3, "THREE", "-");
    Parsed parsed = Samples.parse(ListId.OFAC, file);
    assertThat(parsed.entries()).extracting(ListedEntry::reference).containsExactly("1", "3");
    assertThat(parsed.report().malformedAt()).containsExactly(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n\n\n",
        "<?xml version=\"1.0\"?><CONSOLIDATED_LIST/>",
        "ent_num,SDN_Name,SDN_Type\n",
        "a,b,c\n1,2,3\n"
      })
  void refusesFilesOfAnotherFormat(String file) {
    refused(ListId.OFAC, file, Reason.NOT_THIS_FORMAT);
  }

  @Test
  void stopsEarlyInALongFileOfAnotherFormat() {
    refused(ListId.OFAC, "1,2,3\n".repeat(100_000), Reason.NOT_THIS_FORMAT);
  }

  @Test
  void refusesSwappedFiles() throws Exception {
    byte[] sdn = Samples.ofac();
    byte[] alt = Samples.ofacAlt();
    assertThatThrownBy(() -> Samples.parse(ListId.OFAC_ALT, sdn))
        .isInstanceOf(ListRefusedException.class);
    assertThatThrownBy(() -> Samples.parse(ListId.OFAC, alt))
        .isInstanceOf(ListRefusedException.class);
  }

  @Test
  void refusesAFileOfWhichHalfIsMalformed() {
    refused(
        ListId.OFAC,
        row(1, "ONE", "-").repeat(10) + "broken\n".repeat(10),
        Reason.TOO_MANY_MALFORMED);
  }

  private static void refused(ListId list, String file, Reason reason) {
    assertThatThrownBy(() -> Samples.parse(list, file))
        .isInstanceOfSatisfying(
            ListRefusedException.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
  }
}
