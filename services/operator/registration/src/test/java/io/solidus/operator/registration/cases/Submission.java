package io.solidus.operator.registration.cases;

import io.solidus.protocol.Family;
import io.solidus.protocol.ProofBytes;
import io.solidus.wire.json.Base64Url;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Builds the body of a registration. */
final class Submission {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final LocalDate FIRST_BIRTH_DATE = LocalDate.of(1930, 1, 1);
  private static final LocalDate LAST_BIRTH_DATE = LocalDate.of(2020, 1, 1);
  private static final int MONTHS = 12;
  private static final AtomicInteger PERSONS = new AtomicInteger();
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Map<String, @Nullable Object> person = new LinkedHashMap<>();
  private final Map<String, @Nullable Object> organisation = new LinkedHashMap<>();
  private final Map<String, @Nullable Object> registration = new LinkedHashMap<>();
  private final Map<String, Object> bank = new LinkedHashMap<>();

  /** A new person with a new address; no two have the same birth date, or dates that are alike. */
  static Submission fresh() {
    Submission submission = new Submission();
    String unique = UUID.randomUUID().toString().replaceAll("[^a-f]", "");
    submission
        .person("givenName", "Ada")
        .person("familyName", "Canaryname" + unique)
        .person("birthDate", birthDate(PERSONS.getAndIncrement()).toString())
        .person("nationality", "GB")
        .person("documentNumber", "CANARY" + UUID.randomUUID().toString().substring(0, 8))
        .registration("circuitVersion", 1)
        .renewEvidence();
    return submission.otherAddress();
  }

  /** A new organisation with a new address, one owner and one director. */
  static Submission organisation() {
    String unique = UUID.randomUUID().toString().replaceAll("[^a-f]", "");
    return fresh()
        .organisation("legalName", "Canaryworks" + unique + " GmbH")
        .organisation("legalForm", "GmbH")
        .organisation("register", "Amtsgericht München")
        .organisation("registrationNumber", "HRB " + UUID.randomUUID().toString().substring(0, 8))
        .organisation("country", "DE")
        .organisation("founded", birthDate(PERSONS.getAndIncrement()).toString())
        .organisation("people", List.of(member(fresh(), 60, false), member(fresh(), 40, true)));
  }

  /** Who is behind an organisation; 0 percent for nothing. */
  static Map<String, @Nullable Object> member(
      Submission details, Object sharePercent, boolean representative) {
    Map<String, @Nullable Object> member = new LinkedHashMap<>();
    member.put("person", details.person);
    member.put("sharePercent", sharePercent.equals(0) ? null : sharePercent);
    member.put("representative", representative);
    return member;
  }

  Submission organisation(String field, @Nullable Object value) {
    organisation.put(field, value);
    return this;
  }

  Submission sameOrganisationAs(Submission other) {
    organisation.putAll(other.organisation);
    return this;
  }

  String organisationField(String field) {
    return String.valueOf(organisation.get(field));
  }

  Map<String, @Nullable Object> organisationJson() {
    return organisation;
  }

  /**
   * Digit sums are multiples of ten, so that no two dates differ in one digit; no day is a month.
   */
  private static LocalDate birthDate(int number) {
    return FIRST_BIRTH_DATE
        .datesUntil(LAST_BIRTH_DATE)
        .filter(date -> date.getDayOfMonth() > MONTHS)
        .filter(date ->
            date.toString().chars().filter(Character::isDigit).map(digit -> digit - '0').sum() % 10
                == 0)
        .skip(number)
        .findFirst()
        .orElseThrow();
  }

  Submission person(String field, @Nullable Object value) {
    person.put(field, value);
    return this;
  }

  Submission registration(String field, @Nullable Object value) {
    registration.put(field, value);
    return this;
  }

  Submission otherAddress() {
    return registration("apk", random(32))
        .registration("cm", random(32))
        .registration("k", random(96));
  }

  /** Whose customer the person becomes. */
  Submission at(Object id) {
    bank.put("bank", id);
    return this;
  }

  /** The same core with another proof. */
  Submission renewEvidence() {
    return registration("rk", random(64))
        .registration("proof", random(Family.REGISTER.proofBytes()))
        .registration("rkSignature", random(ProofBytes.RK_SIGNATURE));
  }

  Submission sameAddressAs(Submission other) {
    registration.putAll(other.registration);
    return this;
  }

  Submission samePersonAs(Submission other) {
    person.putAll(other.person);
    return this;
  }

  String personField(String field) {
    return String.valueOf(person.get(field));
  }

  Map<String, @Nullable Object> personJson() {
    return Map.copyOf(person);
  }

  String json() {
    Map<String, Object> body = new LinkedHashMap<>(bank);
    body.put(
        organisation.isEmpty() ? "person" : "organisation",
        organisation.isEmpty() ? person : organisation);
    body.put("registration", registration);
    return JSON.writeValueAsString(body);
  }

  /**
   * Random bytes; the first of every 16 is zero, so that field elements (32 bytes) and coordinates
   * (48) are below their moduli.
   */
  private static String random(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    for (int at = 0; at < length; at += 16) {
      bytes[at] = 0;
    }
    return Base64Url.encode(bytes);
  }
}
