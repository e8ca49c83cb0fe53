package io.solidus.operator.registration.person;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.TxCore;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IdentityHasherTest {
  private static final NetworkId NETWORK = new NetworkId("solidus-test");
  private final IdentityHasher hasher = new IdentityHasher(NETWORK, pepper(1));

  @Test
  void spellingsOfOnePersonHaveTheSameIdentity() {
    Identity plain = hasher.identify(Persons.ada());
    Person other = new Person("ÁDA", "love-lace", LocalDate.of(1985, 12, 10), "gbr", "al181510");
    assertThat(hasher.identify(other)).isEqualTo(plain);
  }

  @Test
  void everyFieldChangesTheIdentity() {
    Person ada = Persons.ada();
    Set<Digest32> keys = new HashSet<>();
    for (Person person :
        List.of(
            ada,
            new Person(
                "Eda", ada.familyName(), ada.birthDate(), ada.nationality(), ada.documentNumber()),
            new Person(
                ada.givenName(), "Byron", ada.birthDate(), ada.nationality(), ada.documentNumber()),
            new Person(
                ada.givenName(),
                ada.familyName(),
                ada.birthDate().plusDays(1),
                "GB",
                ada.documentNumber()),
            new Person(
                ada.givenName(), ada.familyName(), ada.birthDate(), "FR", ada.documentNumber()),
            new Person(ada.givenName(), ada.familyName(), ada.birthDate(), "GB", "AL181511"))) {
      keys.add(hasher.identify(person).detailsKey());
    }
    assertThat(keys).hasSize(6);
  }

  @Test
  void fieldsAreSeparated() {
    Person one = new Person("Ann", "Asmith", LocalDate.of(1990, 1, 1), "GB", "X1");
    Person other = new Person("Anna", "Smith", LocalDate.of(1990, 1, 1), "GB", "X1");
    assertThat(hasher.identify(one).detailsKey()).isNotEqualTo(hasher.identify(other).detailsKey());
  }

  @Test
  void theDocumentKeyDependsOnlyOnTheDocument() {
    Person ada = Persons.ada();
    Person thief = new Person("Eve", "Other", LocalDate.of(1970, 1, 1), "GBR", "al-1815-10");
    assertThat(hasher.identify(thief).documentKey()).isEqualTo(hasher.identify(ada).documentKey());
    assertThat(hasher.identify(thief).detailsKey()).isNotEqualTo(hasher.identify(ada).detailsKey());
  }

  @Test
  void theBirthKeyDependsOnlyOnTheBirthDate() {
    Person ada = Persons.ada();
    Person other = new Person("Eve", "Other", ada.birthDate(), "FR", "X1");
    assertThat(hasher.identify(other).birthKey()).isEqualTo(hasher.identify(ada).birthKey());
  }

  @Test
  void theTagOutlivesDocumentAndNationality() {
    Person ada = Persons.ada();
    Person renewed = new Person("ÁDA", "love-lace", ada.birthDate(), "FR", "ANOTHER1");
    assertThat(hasher.personTag(renewed)).isEqualTo(hasher.personTag(ada));
    Person younger =
        new Person(ada.givenName(), ada.familyName(), ada.birthDate().plusDays(1), "GB", "X");
    assertThat(hasher.personTag(younger)).isNotEqualTo(hasher.personTag(ada));
  }

  @Test
  void hashesDependOnPepperAndNetwork() {
    Identity mine = hasher.identify(Persons.ada());
    assertThat(new IdentityHasher(NETWORK, pepper(2)).identify(Persons.ada())).isNotEqualTo(mine);
    assertThat(new IdentityHasher(new NetworkId("other-net"), pepper(1)).identify(Persons.ada()))
        .isNotEqualTo(mine);
  }

  @Test
  void hashesOfDifferentUsesDiffer() {
    UUID id = UUID.randomUUID();
    Identity ada = hasher.identify(Persons.ada());
    TxCore core = new TxCore(Digest32.sha256(new byte[] {1}));
    assertThat(
            Set.of(
                hasher.caseToken(id),
                hasher.requestKey(id.toString()),
                hasher.requestDigest(ada, core, "default"),
                hasher.requestDigest(ada, core, "second"),
                ada.detailsKey(),
                ada.documentKey(),
                ada.birthKey(),
                hasher.personTag(Persons.ada()),
                hasher.personTag(id)))
        .hasSize(9);
    assertThat(hasher.caseToken(id))
        .isEqualTo(new IdentityHasher(NETWORK, pepper(1)).caseToken(id));
  }

  @Test
  void toStringIsRedacted() {
    assertThat(hasher.toString()).isEqualTo("IdentityHasher[redacted]");
    assertThat(hasher.identify(Persons.ada()).toString()).isEqualTo("Identity[redacted]");
    assertThat(Persons.ada().toString()).isEqualTo("Person[redacted]");
  }

  private static byte[] pepper(int value) {
    byte[] pepper = new byte[32];
    Arrays.fill(pepper, (byte) value);
    return pepper;
  }
}
