package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Person;
import io.solidus.operator.registration.person.PersonVault;
import io.solidus.operator.registration.screening.ScreeningMatch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes the sealed columns of a case. Plain bytes are overwritten after use. */
final class CaseCodec {
  private static final String PERSON = "person";
  private static final String MATCHES = "matches";
  private static final String REASON = "reason";

  private final PersonVault vault;
  private final JsonMapper json = JsonMapper.builder().build();

  CaseCodec(PersonVault vault) {
    this.vault = vault;
  }

  byte[] sealPerson(UUID id, Person person) {
    return seal(id, PERSON, json.writeValueAsBytes(person));
  }

  Person openPerson(UUID id, byte[] sealed) {
    return open(id, PERSON, sealed, plain -> json.readValue(plain, Person.class));
  }

  byte[] sealMatches(UUID id, List<ScreeningMatch> matches) {
    return seal(id, MATCHES, json.writeValueAsBytes(matches.toArray(ScreeningMatch[]::new)));
  }

  List<ScreeningMatch> openMatches(UUID id, byte @Nullable [] sealed) {
    return sealed == null
        ? List.of()
        : open(
            id, MATCHES, sealed, plain -> List.of(json.readValue(plain, ScreeningMatch[].class)));
  }

  byte @Nullable [] sealReason(UUID id, @Nullable String reason) {
    return reason == null ? null : seal(id, REASON, reason.getBytes(StandardCharsets.UTF_8));
  }

  @Nullable String openReason(UUID id, byte @Nullable [] sealed) {
    return sealed == null
        ? null
        : open(id, REASON, sealed, plain -> new String(plain, StandardCharsets.UTF_8));
  }

  private byte[] seal(UUID id, String column, byte[] plain) {
    try {
      return vault.seal(id, column, plain);
    } finally {
      Arrays.fill(plain, (byte) 0);
    }
  }

  private <T> T open(UUID id, String column, byte[] sealed, Function<byte[], T> read) {
    byte[] plain = vault.open(id, column, sealed);
    try {
      return read.apply(plain);
    } finally {
      Arrays.fill(plain, (byte) 0);
    }
  }
}
