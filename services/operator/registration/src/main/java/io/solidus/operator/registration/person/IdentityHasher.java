package io.solidus.operator.registration.person;

import io.solidus.platform.bank.Banks;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TxCore;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Computes keyed hashes of identities, requests and case ids. Identities can be guessed, so every
 * hash of an identity is keyed. Each use has its own key, derived from the pepper. The pepper must
 * never change, because with another pepper nobody would be found who registers again.
 */
public final class IdentityHasher {
  private static final int MAX_WORDS = 12;

  private final MacKey details;
  private final MacKey document;
  private final MacKey birth;
  private final MacKey birthName;
  private final MacKey personTag;
  private final MacKey organisation;
  private final MacKey founding;
  private final MacKey organisationName;
  private final MacKey match;
  private final MacKey request;
  private final MacKey token;

  /** Derives the keys of a network from 32 bytes of pepper, which the caller overwrites. */
  public IdentityHasher(NetworkId network, byte[] pepper) {
    MacKey root = MacKey.of(pepper).derive(network.digest().bytes());
    details = root.derive("solidus/identity/v1");
    document = root.derive("solidus/document/v1");
    birth = root.derive("solidus/birth/v1");
    birthName = root.derive("solidus/birth-name/v1");
    personTag = root.derive("solidus/person-tag/v2");
    organisation = root.derive("solidus/organisation/v1");
    founding = root.derive("solidus/founding/v1");
    organisationName = root.derive("solidus/organisation-name/v1");
    match = root.derive("solidus/match/v1");
    request = root.derive("solidus/registration-request/v1");
    token = root.derive("solidus/case-token/v1");
  }

  public Identity identify(Applicant applicant) {
    return switch (applicant) {
      case Person person -> identify(person);
      case Organisation body -> identify(body);
    };
  }

  private Identity identify(Organisation body) {
    List<String> whole = new ArrayList<>();
    whole.add(Organisation.KIND);
    whole.add(IdentityText.name(body.legalName()));
    whole.add(body.latinName() == null ? "" : IdentityText.name(body.latinName()));
    whole.add(body.legalForm());
    whole.add(body.register());
    whole.add(IdentityText.registrationNumber(body.registrationNumber()));
    whole.add(body.country());
    whole.add(body.founded().toString());
    whole.add(body.lei() == null ? "" : body.lei());
    whole.add(String.valueOf(body.noOtherOwner()));
    for (Organisation.Member member : body.people()) {
      whole.add(identify(member.person()).detailsKey().hex());
      whole.add(member.sharePercent() == null ? "" : member.sharePercent().toPlainString());
      whole.add(String.valueOf(member.representative()));
    }
    return new Identity(
        details.mac(fields(whole.toArray(String[]::new))),
        registrationKey(body.country(), body.registrationNumber()),
        founding.mac(fields(body.country(), body.founded().toString())));
  }

  private Identity identify(Person person) {
    List<String> whole = new ArrayList<>();
    whole.add(IdentityText.name(person.familyName()));
    whole.add(IdentityText.name(person.givenName()));
    whole.add(person.birthDate().toString());
    whole.add(person.nationality());
    whole.add(IdentityText.documentNumber(person.documentNumber()));
    if (person.latinName() != null) {
      whole.add(IdentityText.name(person.latinName()));
    }
    return new Identity(
        details.mac(fields(whole.toArray(String[]::new))),
        documentKey(person.nationality(), person.documentNumber()),
        birthKey(person.birthDate()));
  }

  /**
   * Equal for the same document.
   *
   * @throws ProtocolException malformed-request when one of the two is none
   */
  public Digest32 documentKey(String nationality, String number) {
    return document.mac(fields(Country.alpha2(nationality), IdentityText.documentNumber(number)));
  }

  /**
   * Equal for the same number in a country's registers. The register itself is not part of it,
   * because its name is written in many ways.
   *
   * @throws ProtocolException malformed-request when one of the two is none
   */
  public Digest32 registrationKey(String country, String number) {
    return organisation.mac(
        fields(Country.alpha2(country, "country"), IdentityText.registrationNumber(number)));
  }

  /** Equal for the same birth date. */
  public Digest32 birthKey(LocalDate birthDate) {
    return birth.mac(fields(birthDate.toString()));
  }

  /**
   * Hashes of the birth date with each word of the name. A stranger to the key learns which cases
   * share a birth date and a word, and neither of the two.
   */
  public Set<Digest32> birthNameKeys(Applicant applicant) {
    return switch (applicant) {
      case Person person -> birthNameKeys(person, Set.of(person.birthDate()));
      case Organisation body -> organisationNameKeys(body);
    };
  }

  /** The same for each birth date that is one mistake away. */
  public Set<Digest32> nearBirthNameKeys(Applicant applicant) {
    return switch (applicant) {
      case Person person -> birthNameKeys(person, NearDates.of(person.birthDate()));
      case Organisation body -> organisationNameKeys(body);
    };
  }

  private Set<Digest32> organisationNameKeys(Organisation body) {
    Set<Digest32> keys = organisationNameKeys(body.country(), body.legalName());
    if (body.latinName() != null) {
      keys.addAll(organisationNameKeys(body.country(), body.latinName()));
    }
    return keys;
  }

  /**
   * Hashes of the country with each word of an organisation's name, and with each word that lacks
   * one character. A birth date, by which persons are found, it has none, and the date of its
   * founding is what it says.
   *
   * @throws ProtocolException malformed-request when there is no such country
   */
  public Set<Digest32> organisationNameKeys(String country, String name) {
    String code = Country.alpha2(country, "country");
    Set<Digest32> keys = new LinkedHashSet<>();
    OrganisationName.keys(name).forEach(key -> keys.add(organisationName.mac(fields(code, key))));
    return keys;
  }

  /** Of the keys of an organisation's names those of the whole names. */
  public Set<Digest32> wholeNameKeys(Organisation body) {
    Set<Digest32> keys = new LinkedHashSet<>();
    Stream.of(body.legalName(), body.latinName())
        .filter(Objects::nonNull)
        .flatMap(name -> OrganisationName.wholeKeys(name).stream())
        .forEach(key -> keys.add(organisationName.mac(fields(body.country(), key))));
    return keys;
  }

  private Set<Digest32> birthNameKeys(Person person, Set<LocalDate> dates) {
    Set<String> words = IdentityText.words(person.fullName());
    if (person.latinName() != null) {
      words.addAll(IdentityText.words(person.latinName()));
    }
    Set<Digest32> keys = new LinkedHashSet<>();
    words.stream()
        .limit(MAX_WORDS)
        .forEach(
            word -> dates.forEach(date -> keys.add(birthName.mac(fields(date.toString(), word)))));
    return keys;
  }

  /**
   * The tag that a person gets with her approval, from her names then and her birth date; an
   * organisation from its country and its number in the register. Compliance issuers keep it for
   * ever, so they refuse her second registration even when this service's database was lost. It
   * contains no document, because a person has several.
   */
  public Digest32 personTag(Applicant applicant) {
    return switch (applicant) {
      case Person person -> personTag(person);
      case Organisation body ->
          personTag.mac(
              fields(
                  Organisation.KIND,
                  body.country(),
                  IdentityText.registrationNumber(body.registrationNumber())));
    };
  }

  private Digest32 personTag(Person person) {
    return personTag.mac(
        fields(
            "name",
            IdentityText.name(person.familyName()),
            IdentityText.name(person.givenName()),
            person.birthDate().toString()));
  }

  /** The tag of a person whose names and birth date another person has too. */
  public Digest32 personTag(UUID personId) {
    return personTag.mac(fields("id", personId.toString()));
  }

  /** The tag of a person's later registration, after she lost the phrase of the one before. */
  public Digest32 personTag(UUID personId, int generation) {
    return personTag.mac(fields("id", personId.toString(), Integer.toString(generation)));
  }

  /**
   * What a disposition is about: a person's details, a listed entry and its content. Another hash
   * after one of them has changed.
   */
  public Digest32 matchSubject(Identity person, String entryKey, String entryDigest) {
    return match.mac(fields(person.detailsKey().hex(), entryKey, entryDigest));
  }

  /** The same for a match that says itself whom it concerns. */
  public Digest32 matchSubject(String entryKey, String entryDigest) {
    return match.mac(fields("", entryKey, entryDigest));
  }

  /** The key under which a repeated request is found. */
  public Digest32 requestKey(String idempotencyKey) {
    return request.mac(fields("key", idempotencyKey));
  }

  /**
   * The digest that is equal for equal requests: over the person, the core and the bank. Proofs are
   * not part of it, because they are malleable and may be renewed.
   */
  public Digest32 requestDigest(Identity person, TxCore core, String bank) {
    // digests from before there were several banks stay
    return request.mac(
        bank.equals(Banks.DEFAULT)
            ? fields("body", person.detailsKey().hex(), core.hex())
            : fields("body", person.detailsKey().hex(), core.hex(), bank));
  }

  /** The token that gives a wallet access to its case. It is recomputed and never stored. */
  public Digest32 caseToken(UUID caseId) {
    return token.mac(fields(caseId.toString()));
  }

  /** Each field with its length, so that two different lists of fields have different bytes. */
  private static byte[] fields(String... values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (String value : values) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written", e);
    }
    return bytes.toByteArray();
  }

  @Override
  public String toString() {
    return "IdentityHasher[redacted]";
  }
}
