package io.solidus.edge.gateway.parameters;

import io.solidus.protocol.NoteKey;
import io.solidus.protocol.NoteSignature;
import io.solidus.protocol.SignedNote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One text as several authorities signed it. Kept are each authority's own line, which was
 * verified, and lines that f+1 of them carry (the issuer's): a bad line that one faulty authority
 * adds under another's name would spoil the note for every wallet.
 */
final class MergedNote {
  private final String text;
  private final long version;
  private final List<NoteSignature> countersignatures = new ArrayList<>();
  private final Map<NoteSignature, Integer> others = new LinkedHashMap<>();

  MergedNote(String text, long version) {
    this.text = text;
    this.version = version;
  }

  long version() {
    return version;
  }

  int countersigned() {
    return countersignatures.size();
  }

  /**
   * @param own key of the authority, whose signature on {@code note} was verified
   */
  void add(SignedNote note, NoteKey own) {
    boolean counted = false;
    for (NoteSignature line : note.signatures()) {
      if (!line.isOf(own)) {
        others.merge(line, 1, Integer::sum);
      } else if (!counted) {
        countersignatures.add(line);
        counted = true;
      }
    }
  }

  String encode(int weakQuorum) {
    List<NoteSignature> lines = new ArrayList<>();
    others.forEach((line, count) -> {
      if (count >= weakQuorum) {
        lines.add(line);
      }
    });
    lines.addAll(countersignatures);
    return new SignedNote(text, lines.stream().distinct().toList()).encode();
  }
}
