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
  private static final String CHANGE = "change/";
  private static final String STEP = "step/";
  private static final String DISPOSITION = "disposition";
  private static final String OPINION = "opinion/";

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

  byte[] sealOpinion(UUID id, UUID otherId, String reason) {
    return seal(id, OPINION + otherId, reason.getBytes(StandardCharsets.UTF_8));
  }

  String openOpinion(UUID id, UUID otherId, byte[] sealed) {
    return open(id, OPINION + otherId, sealed, plain -> new String(plain, StandardCharsets.UTF_8));
  }

  byte[] sealDisposition(UUID id, String reason) {
    return seal(id, DISPOSITION, reason.getBytes(StandardCharsets.UTF_8));
  }

  String openDisposition(UUID id, byte[] sealed) {
    return open(id, DISPOSITION, sealed, plain -> new String(plain, StandardCharsets.UTF_8));
  }

  byte[] sealStep(UUID id, UUID stepId, String reason) {
    return seal(id, STEP + stepId, reason.getBytes(StandardCharsets.UTF_8));
  }

  String openStep(UUID id, UUID stepId, byte[] sealed) {
    return open(id, STEP + stepId, sealed, plain -> new String(plain, StandardCharsets.UTF_8));
  }

  byte[] sealChange(UUID id, UUID changeId, String reason) {
    return seal(id, CHANGE + changeId, reason.getBytes(StandardCharsets.UTF_8));
  }

  String openChange(UUID id, UUID changeId, byte[] sealed) {
    return open(id, CHANGE + changeId, sealed, plain -> new String(plain, StandardCharsets.UTF_8));
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
