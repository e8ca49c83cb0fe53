package io.solidus.protocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A text with signatures of named keys, in the C2SP signed-note format: the text, an empty line,
 * then one line per signature.
 *
 * @param text ends with a newline, which is signed too
 */
@Spec("F-24")
public record SignedNote(String text, List<NoteSignature> signatures) {
  private static final int MAX_CHARS = 64 * 1024;
  private static final int MAX_SIGNATURES = 2 * Committee.MAX_MEMBERS;

  public SignedNote {
    signatures = List.copyOf(signatures);
    requireText(text);
    if (signatures.isEmpty() || signatures.size() > MAX_SIGNATURES) {
      throw ProtocolException.malformed("a note carries at least one signature and not too many");
    }
    // a copy of a line says nothing, and would be verified again
    if (signatures.stream().distinct().count() != signatures.size()) {
      throw ProtocolException.malformed("a note carries a signature line twice");
    }
  }

  public static SignedNote sign(String text, NoteSigner... signers) {
    List<NoteSignature> lines = new ArrayList<>();
    for (NoteSigner signer : signers) {
      lines.add(signer.sign(text));
    }
    return new SignedNote(text, lines);
  }

  /**
   * Reads a note. No signature is verified.
   *
   * @throws ProtocolException malformed-request
   */
  public static SignedNote parse(String note) {
    if (note.length() > MAX_CHARS || !note.endsWith("\n")) {
      throw ProtocolException.malformed("a signed note is too long or does not end with a newline");
    }
    int split = note.lastIndexOf("\n\n");
    if (split < 0) {
      throw ProtocolException.malformed("a signed note has no signatures");
    }
    String block = note.substring(split + 2, Math.max(split + 2, note.length() - 1));
    List<NoteSignature> lines = new ArrayList<>();
    for (String line : block.split("\n", -1)) {
      lines.add(NoteSignature.parse(line));
    }
    return new SignedNote(note.substring(0, split + 1), lines);
  }

  /** Returns the whole note, as {@link #parse} reads it. */
  public String encode() {
    StringBuilder out = new StringBuilder(text).append('\n');
    signatures.forEach(signature -> out.append(signature.line()).append('\n'));
    return out.toString();
  }

  /** Returns this note with one more signature, unless it already has the same line. */
  public SignedNote with(NoteSignature signature) {
    if (signatures.contains(signature)) {
      return this;
    }
    List<NoteSignature> lines = new ArrayList<>(signatures);
    lines.add(signature);
    return new SignedNote(text, lines);
  }

  /**
   * Returns the names among {@code keys} whose signature is on this note. Lines of unknown keys are
   * ignored.
   *
   * @throws ProtocolException signature-invalid when the line of a known key does not verify
   */
  public Set<String> verifiedBy(Collection<NoteKey> keys) {
    Set<String> names = new LinkedHashSet<>();
    byte[] message = Bytes.utf8(text);
    for (NoteKey key : keys) {
      for (NoteSignature signature : signatures) {
        if (signature.isOf(key)) {
          if (!key.publicKey().verify(message, signature.signature())) {
            throw new ProtocolException(
                RejectionCode.SIGNATURE_INVALID, "a note's signature does not verify");
          }
          names.add(key.name());
        }
      }
    }
    return names;
  }

  /** As {@link #verifiedBy}, with keys by name. */
  public Set<String> verify(Map<String, Ed25519PublicKey> keys) {
    return verifiedBy(
        keys.entrySet().stream().map(e -> new NoteKey(e.getKey(), e.getValue())).toList());
  }

  /**
   * Requires the signature of one key.
   *
   * @throws ProtocolException signature-invalid unless {@code key} signed this note
   */
  public SignedNote requireSignedBy(NoteKey key) {
    if (!verifiedBy(List.of(key)).contains(key.name())) {
      throw new ProtocolException(
          RejectionCode.SIGNATURE_INVALID, "a note lacks the signature of its issuer");
    }
    return this;
  }

  /** Whether a key signed this note. */
  public boolean isSignedBy(NoteKey key) {
    try {
      return verifiedBy(List.of(key)).contains(key.name());
    } catch (ProtocolException e) {
      return false;
    }
  }

  private static void requireText(String text) {
    boolean controls = text.chars().anyMatch(c -> c != '\n' && Character.isISOControl(c));
    if (!text.endsWith("\n") || controls || text.length() > MAX_CHARS) {
      throw ProtocolException.malformed(
          "a note's text ends with a newline and holds no control characters");
    }
  }
}
