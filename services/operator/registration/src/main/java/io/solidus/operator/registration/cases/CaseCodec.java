package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Organisation;
import io.solidus.operator.registration.person.Person;
import io.solidus.operator.registration.person.PersonVault;
import io.solidus.operator.registration.screening.ScreeningMatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes the sealed columns of a case, under the case's own key. What is under the master
 * key, as before there were keys of cases, is read too. What was erased reads as erased; nothing is
 * added to it. Plain bytes are overwritten after use.
 */
final class CaseCodec {
  static final String PERSON = "person";
  static final String MATCHES = "matches";
  static final String REASON = "reason";
  static final String CHANGE = "change/";
  static final String APPROVAL = "approval";
  static final String STEP = "step/";
  static final String DISPOSITION = "disposition";
  static final String OPINION = "opinion/";

  private static final String ERASED = "(erased)";

  /** Under the keys of two cases, the other's outside. */
  private static final byte TWO_CASES = 3;

  private final PersonVault vault;
  private final DataKeys keys;
  private final JsonMapper json = JsonMapper.builder().build();

  CaseCodec(PersonVault vault, DataKeys keys) {
    this.vault = vault;
    this.keys = keys;
  }

  /** A key for a case that is not in the database yet. */
  DataKeys.Fresh newKey(UUID id) {
    return keys.fresh(id);
  }

  /**
   * The key of a case, for the columns of one row.
   *
   * @param found the sealed key; null when the row has none
   */
  DataKeys.Lookup key(UUID id, byte @Nullable [] found) {
    return keys.of(id, found);
  }

  byte[] sealPerson(DataKeys.Fresh key, UUID id, Applicant applicant) {
    return seal(key.key(), id, PERSON, bytes(applicant));
  }

  byte[] sealPerson(UUID id, Applicant applicant) {
    return seal(id, PERSON, bytes(applicant));
  }

  private byte[] bytes(Applicant applicant) {
    return json.writeValueAsBytes(
        switch (applicant) {
          case Person person -> person;
          case Organisation body -> Map.of(Organisation.KIND, body);
        });
  }

  Applicant openPerson(UUID id, byte[] sealed) {
    return openPerson(sealed, keys.of(id));
  }

  Applicant openPerson(byte[] sealed, DataKeys.Lookup key) {
    return open(key, PERSON, sealed, plain -> applicant(json.readTree(plain)), Person.ERASED);
  }

  private Applicant applicant(JsonNode node) {
    JsonNode body = node.get(Organisation.KIND);
    return body == null
        ? json.treeToValue(node, Person.class)
        : json.treeToValue(body, Organisation.class);
  }

  byte[] sealMatches(UUID id, List<ScreeningMatch> matches) {
    return seal(id, MATCHES, json.writeValueAsBytes(matches.toArray(ScreeningMatch[]::new)));
  }

  List<ScreeningMatch> openMatches(UUID id, byte @Nullable [] sealed) {
    return openMatches(sealed, keys.of(id));
  }

  List<ScreeningMatch> openMatches(byte @Nullable [] sealed, DataKeys.Lookup key) {
    return sealed == null
        ? List.of()
        : open(
            key,
            MATCHES,
            sealed,
            plain -> List.of(json.readValue(plain, ScreeningMatch[].class)),
            List.of());
  }

  byte @Nullable [] sealReason(UUID id, @Nullable String reason) {
    return reason == null ? null : seal(id, REASON, reason.getBytes(StandardCharsets.UTF_8));
  }

  @Nullable String openReason(byte @Nullable [] sealed, DataKeys.Lookup key) {
    return sealed == null ? null : openText(key, REASON, sealed);
  }

  /** Under the keys of both cases, so that who erases one erases what was said of the two. */
  byte[] sealOpinion(UUID id, UUID otherId, String reason) {
    return sealOpinion(id, otherId, reason.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] sealOpinion(UUID id, UUID otherId, byte[] plain) {
    byte[] inner = seal(id, OPINION + otherId, plain);
    if (keys.isErased(otherId)) {
      return inner; // an officer compares a case with what is left of an erased one
    }
    byte[] outer = seal(otherId, OPINION + id, inner);
    return ByteBuffer.allocate(1 + outer.length).put(TWO_CASES).put(outer).array();
  }

  String openOpinion(UUID id, UUID otherId, byte[] sealed) {
    if (sealed.length == 0 || sealed[0] != TWO_CASES) {
      return openText(keys.of(id), OPINION + otherId, sealed);
    }
    byte[] outer = Arrays.copyOfRange(sealed, 1, sealed.length);
    Optional<SecretKey> key = keys.of(otherId).get();
    return key.isEmpty()
        ? ERASED
        : openText(
            keys.of(id), OPINION + otherId, vault.open(key.get(), otherId, OPINION + id, outer));
  }

  byte[] sealDisposition(UUID id, String reason) {
    return seal(id, DISPOSITION, reason.getBytes(StandardCharsets.UTF_8));
  }

  String openDisposition(UUID id, byte[] sealed) {
    return openText(keys.of(id), DISPOSITION, sealed);
  }

  byte[] sealStep(UUID id, UUID stepId, String reason) {
    return seal(id, STEP + stepId, reason.getBytes(StandardCharsets.UTF_8));
  }

  String openStep(UUID id, UUID stepId, byte[] sealed) {
    return openText(keys.of(id), STEP + stepId, sealed);
  }

  byte[] sealApproval(UUID id, String reason) {
    return seal(id, APPROVAL, reason.getBytes(StandardCharsets.UTF_8));
  }

  String openApproval(UUID id, byte[] sealed) {
    return openText(keys.of(id), APPROVAL, sealed);
  }

  byte[] sealChange(UUID id, UUID changeId, String reason) {
    return seal(id, CHANGE + changeId, reason.getBytes(StandardCharsets.UTF_8));
  }

  String openChange(UUID id, UUID changeId, byte[] sealed) {
    return openText(keys.of(id), CHANGE + changeId, sealed);
  }

  /** Seals a value that is under the master key anew; leaves others as they are. */
  byte[] sealAnew(UUID id, String column, byte[] sealed) {
    return PersonVault.isUnderMasterKey(sealed)
        ? seal(id, column, vault.open(id, column, sealed))
        : sealed;
  }

  /** Seals an opinion that is under the master key anew, under the keys of both cases. */
  byte[] sealOpinionAnew(UUID id, UUID otherId, byte[] sealed) {
    return sealOpinion(id, otherId, vault.open(id, OPINION + otherId, sealed));
  }

  private byte[] seal(UUID id, String column, byte[] plain) {
    return seal(keys.forSealing(id), id, column, plain);
  }

  private byte[] seal(SecretKey key, UUID id, String column, byte[] plain) {
    try {
      return vault.seal(key, id, column, plain);
    } finally {
      Arrays.fill(plain, (byte) 0);
    }
  }

  private String openText(DataKeys.Lookup key, String column, byte[] sealed) {
    return open(key, column, sealed, plain -> new String(plain, StandardCharsets.UTF_8), ERASED);
  }

  private <T> T open(
      DataKeys.Lookup lookup, String column, byte[] sealed, Function<byte[], T> read, T erased) {
    byte[] plain;
    if (PersonVault.isUnderMasterKey(sealed)) {
      plain = vault.open(lookup.caseId(), column, sealed);
    } else {
      Optional<SecretKey> key = lookup.get();
      if (key.isEmpty()) {
        return erased;
      }
      plain = vault.open(key.get(), lookup.caseId(), column, sealed);
    }
    try {
      return read.apply(plain);
    } finally {
      Arrays.fill(plain, (byte) 0);
    }
  }
}
