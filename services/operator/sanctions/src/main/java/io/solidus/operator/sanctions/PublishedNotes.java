package io.solidus.operator.sanctions;

import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SignedNote;
import java.util.List;

/**
 * Stored notes as they are published: under the present key. What a former key of this service
 * signed is signed anew; the text is the same. Any other note stays as it is, and nobody accepts
 * it.
 */
public final class PublishedNotes {
  private final NoteSigner signer;
  private final List<NoteKeys.Former> former;

  PublishedNotes(NoteSigner signer, List<NoteKeys.Former> former) {
    this.signer = signer;
    this.former = List.copyOf(former);
  }

  public String of(String stored) {
    SignedNote note = SignedNote.parse(stored);
    boolean ours = former.stream().anyMatch(one -> note.isSignedBy(one.key()));
    return ours ? SignedNote.sign(note.text(), signer).encode() : stored;
  }
}
