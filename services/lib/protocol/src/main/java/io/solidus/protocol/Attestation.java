package io.solidus.protocol;

/**
 * The registration authority's statement that a person was identified and registers exactly this
 * core, signed as a note. It names no person: the tag is a keyed hash of the identity.
 *
 * @param personTag equal for equal persons
 * @param registerCore core of the {@link RegisterStatement}, binding (apk, c_m, k)
 * @param issuedAtMillis Unix time
 */
public record Attestation(Digest32 personTag, TxCore registerCore, Apk apk, long issuedAtMillis) {
  private static final String KIND = "attestation";

  public Attestation {
    if (issuedAtMillis < 0) {
      throw ProtocolException.malformed("an attestation's number is out of range");
    }
  }

  public String toNoteText(NetworkId network) {
    return NoteText.write(KIND, network)
        .line("person-tag", personTag.hex())
        .line("register-core", registerCore.hex())
        .line("apk", apk.hex())
        .line("issued-at-millis", issuedAtMillis)
        .text();
  }

  public static Attestation parse(NetworkId network, String text) {
    NoteText.Reader in = NoteText.read(KIND, network, text);
    Attestation attestation =
        new Attestation(
            new Digest32(in.hex("person-tag")),
            TxCore.of(in.hex("register-core")),
            Apk.of(in.hex("apk")),
            in.number("issued-at-millis"));
    in.end();
    return attestation;
  }
}
