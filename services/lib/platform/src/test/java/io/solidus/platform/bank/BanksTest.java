package io.solidus.platform.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.platform.bank.BankProperties.Bank;
import java.util.List;
import org.junit.jupiter.api.Test;

class BanksTest {
  private static Banks of(String... ids) {
    return new Banks(
        new BankProperties(
            List.of(ids).stream().map(id -> new Bank(id, "", List.of())).toList(), "", ""));
  }

  @Test
  void aPlatformHasOneBankUnlessSeveralAreConfigured() {
    assertThat(of().require("")).isEqualTo("default");
    assertThat(of("here").require("")).isEqualTo("here");
    assertThat(of("here", "there").require("there")).isEqualTo("there");
    assertThatThrownBy(() -> of("here", "there").require(""))
        .isInstanceOfSatisfying(
            BankRefusedException.class, e -> assertThat(e.code()).isEqualTo("bank-needed"));
    assertThatThrownBy(() -> of("here").require("default"))
        .isInstanceOfSatisfying(
            BankRefusedException.class, e -> assertThat(e.code()).isEqualTo("unknown-bank"));
  }

  @Test
  void olderWalletsNameNoBank() {
    List<Bank> two = List.of(new Bank("here", "", List.of()), new Bank("there", "", List.of()));
    assertThat(new Banks(new BankProperties(two, "there", "")).require("")).isEqualTo("there");
    assertThatIllegalStateException()
        .isThrownBy(() -> new Banks(new BankProperties(two, "elsewhere", "")));
  }

  @Test
  void anAccountIsItsBanks() {
    List<Bank> two =
        List.of(
            new Bank("here", "", List.of("DE1001", "DE100299")),
            new Bank("there", "", List.of("DE1002")));
    Banks banks = new Banks(new BankProperties(two, "", ""));
    assertThat(banks.ofAccount("DE891001000000")).contains("here");
    assertThat(banks.ofAccount("DE891002000000")).contains("there");
    assertThat(banks.ofAccount("DE891002990000")).as("the longest").contains("here");
    assertThat(banks.ofAccount("FR891002000000")).isEmpty();
    assertThat(banks.ofAccount("DE1001")).as("check digits do not count").isEmpty();
    assertThat(banks.ofAccount("DE")).isEmpty();
    assertThat(new Banks(new BankProperties(two, "there", "")).ofAccount("FR1")).contains("there");
    assertThat(of().ofAccount("FR1")).contains("default");
  }

  @Test
  void aWordOfPayersIsOneBanks() {
    List<Bank> two = List.of(new Bank("here", "", List.of()), new Bank("there", "", List.of()));
    Banks banks = new Banks(new BankProperties(two, "here", ""));
    assertThat(banks.ofWord("there:INVOICE-7")).contains("there");
    assertThat(banks.ofWord("There:INVOICE-7")).as("as a payer writes it").contains("there");
    assertThat(banks.isNamed("THERE:INVOICE-7")).isTrue();
    assertThat(banks.ofWord("INVOICE-7")).contains("here");
    assertThat(banks.isNamed("INVOICE-7")).isFalse();
    assertThat(banks.ofWord("elsewhere:INVOICE-7")).contains("here");
    assertThat(of("here", "there").ofWord("here:INVOICE-7")).contains("here");
    assertThat(of("here", "there").ofWord("INVOICE-7")).isEmpty();
    assertThat(of("here", "there").ofWord("thereINVOICE-7")).isEmpty();
  }

  @Test
  void staffActForTheirBank() {
    Banks banks = of("here", "there");
    assertThat(banks.choose(BankScope.of("here"), null)).isEqualTo("here");
    assertThat(banks.choose(BankScope.every(), "there")).isEqualTo("there");
    assertThatThrownBy(() -> banks.choose(BankScope.of("here"), "there"))
        .isInstanceOfSatisfying(
            BankRefusedException.class, e -> assertThat(e.code()).isEqualTo("unknown-bank"));
    assertThatThrownBy(() -> banks.choose(BankScope.every(), null))
        .isInstanceOfSatisfying(
            BankRefusedException.class, e -> assertThat(e.code()).isEqualTo("bank-needed"));
    assertThatThrownBy(() -> BankScope.of("here").requireEvery())
        .isInstanceOfSatisfying(
            BankRefusedException.class, e -> assertThat(e.code()).isEqualTo("central-staff-only"));
  }

  @Test
  void idsArePlainAndDiffer() {
    for (String id : List.of("", "Here", "-here", "h ere", "h'", "x".repeat(33))) {
      assertThatIllegalStateException().as(id).isThrownBy(() -> of(id));
    }
    assertThatIllegalStateException().isThrownBy(() -> of("here", "here"));
    assertThatIllegalStateException()
        .isThrownBy(() ->
            new Banks(
                new BankProperties(List.of(new Bank("centre", "", List.of())), "", "centre")));
  }

  @Test
  void aScopeIsOfOneBankOrOfEvery() {
    assertThat(BankScope.every().allows("here")).isTrue();
    assertThat(BankScope.of("here").allows("here")).isTrue();
    assertThat(BankScope.of("here").allows("there")).isFalse();
    assertThat(BankScope.of("here").isEvery()).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> BankScope.of(""));
    assertThatIllegalArgumentException().isThrownBy(() -> BankScope.of("Here"));
  }
}
