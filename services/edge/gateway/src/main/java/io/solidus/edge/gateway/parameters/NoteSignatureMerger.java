package io.solidus.edge.gateway.parameters;

import io.solidus.protocol.NoteKey;
import io.solidus.protocol.NoteSignature;
import io.solidus.protocol.SignedNote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges the signature lines that several authorities returned for one text. It keeps each
 * authority's own line, which is verified, and every line that f+1 authorities returned (the
 * issuer's lines). An invalid line under another signer's name, added by one faulty authority,
 * would make every wallet reject the note.
 */
final class NoteSignatureMerger {
  private final String text;
  private final long version;
  private final List<NoteSignature> countersignatures = new ArrayList<>();
  private final Map<NoteSignature, Integer> others = new LinkedHashMap<>();

  NoteSignatureMerger(String text, long version) {
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
   * Adds the lines of one authority's note.
   *
   * @param own the authority's key; its signature on {@code note} was verified
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
