package io.solidus.protocol;

/**
 * One version of the list of sanctioned address keys, signed by the sanctions service. The
 * signature does not prove the root: a service that relies on it rebuilds it from the whole list.
 *
 * @param version 1, 2, ...: never reused
 * @param root of the indexed Merkle tree
 * @param size number of keys listed
 * @param listDigest {@link SanctionList#digest}
 * @param publishedAtMillis Unix time
 */
public record SanctionCheckpoint(
    long version, FieldElement root, int size, Digest32 listDigest, long publishedAtMillis) {
  private static final String KIND = "sanction-checkpoint";

  /** The first line of the notes of sanction checkpoints. */
  public static final String FORMAT = NoteText.header(KIND);

  public SanctionCheckpoint {
    if (version < 1 || size < 0 || publishedAtMillis < 0) {
      throw ProtocolException.malformed("a checkpoint's number is out of range");
    }
  }

  public String toNoteText(NetworkId network) {
    return NoteText.write(KIND, network)
        .line("version", version)
        .line("root", root.hex())
        .line("size", size)
        .line("list-digest", listDigest.hex())
        .line("published-at-millis", publishedAtMillis)
        .text();
  }

  public static SanctionCheckpoint parse(NetworkId network, String text) {
    NoteText.Reader in = NoteText.read(KIND, network, text);
    SanctionCheckpoint checkpoint =
        new SanctionCheckpoint(
            in.number("version"),
            new FieldElement(in.hex("root")),
            in.smallNumber("size"),
            new Digest32(in.hex("list-digest")),
            in.number("published-at-millis"));
    in.end();
    return checkpoint;
  }
}
