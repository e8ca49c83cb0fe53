package io.solidus.operator.registration.person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PersonVaultTest {
  private static final byte[] PLAIN = "Ada Lovelace".getBytes(StandardCharsets.UTF_8);
  private final UUID id = UUID.randomUUID();
  private final PersonVault vault = new PersonVault(List.of(key(1)));

  @Test
  void aDataKeyOpensItsOwnCaseAloneAndOutlivesTheMasterKey() {
    UUID other = UUID.randomUUID();
    byte[] sealedKey = vault.newDataKey(id);
    byte[] sealed = vault.seal(vault.openDataKey(id, sealedKey), id, "person", new byte[] {42});
    assertThatIllegalStateException().isThrownBy(() -> vault.openDataKey(other, sealedKey));
    assertThatIllegalStateException()
        .isThrownBy(() -> vault.open(vault.openDataKey(id, sealedKey), other, "person", sealed));
    assertThatIllegalStateException()
        .isThrownBy(() -> vault.open(vault.openDataKey(id, sealedKey), id, "reason", sealed));
    assertThatIllegalStateException()
        .as("the master key alone opens nothing")
        .isThrownBy(() -> vault.open(id, "person", sealed));
    PersonVault both = new PersonVault(List.of(key(2), key(1)));
    byte[] again = both.sealAgain(id, sealedKey);
    PersonVault renewed = new PersonVault(List.of(key(2)));
    assertThat(renewed.open(renewed.openDataKey(id, again), id, "person", sealed))
        .containsExactly(42);
    assertThatIllegalStateException().isThrownBy(() -> renewed.openDataKey(id, sealedKey));
  }

  @Test
  void opensSealedValues() {
    byte[] sealed = vault.seal(id, "person", PLAIN);
    assertThat(vault.open(id, "person", sealed)).isEqualTo(PLAIN);
    assertThat(new String(sealed, StandardCharsets.ISO_8859_1))
        .doesNotContain("Ada")
        .doesNotContain("Lovelace");
    assertThat(sealed).isNotEqualTo(vault.seal(id, "person", PLAIN));
  }

  @Test
  void refusesAValueOfAnotherRowOrColumn() {
    byte[] sealed = vault.seal(id, "person", PLAIN);
    assertThatIllegalStateException()
        .isThrownBy(() -> vault.open(UUID.randomUUID(), "person", sealed));
    assertThatIllegalStateException().isThrownBy(() -> vault.open(id, "reason", sealed));
  }

  @Test
  void refusesChangedAndTruncatedValues() {
    byte[] sealed = vault.seal(id, "person", PLAIN);
    for (int at = 0; at < sealed.length; at++) {
      byte[] changed = sealed.clone();
      changed[at] ^= 1;
      byte[] cut = Arrays.copyOf(sealed, at);
      assertThatIllegalStateException().isThrownBy(() -> vault.open(id, "person", changed));
      assertThatIllegalStateException().isThrownBy(() -> vault.open(id, "person", cut));
    }
  }

  @Test
  void aRetiredKeyOpensButDoesNotSeal() {
    byte[] old = vault.seal(id, "person", PLAIN);
    PersonVault renewed = new PersonVault(List.of(key(2), key(1)));
    assertThat(renewed.open(id, "person", old)).isEqualTo(PLAIN);
    byte[] fresh = renewed.seal(id, "person", PLAIN);
    assertThatIllegalStateException().isThrownBy(() -> vault.open(id, "person", fresh));
  }

  private static byte[] key(int value) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) value);
    return key;
  }
}
