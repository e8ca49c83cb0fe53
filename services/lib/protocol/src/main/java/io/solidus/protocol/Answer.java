package io.solidus.protocol;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An authority's answer for one core.
 *
 * @param present in the epoch of its shares
 * @param former in the epoch before, while it holds that share too
 */
public record Answer(PartialSignature present, Optional<PartialSignature> former) {

  public Answer {
    former.ifPresent(other -> {
      if (other.authority() != present.authority()
          || other.shareEpoch() >= present.shareEpoch()
          || other.points().size() != present.points().size()) {
        throw ProtocolException.malformed(
            "an answer in a former epoch is of the same authority for the same outputs");
      }
    });
  }

  public static Answer of(PartialSignature present) {
    return new Answer(present, Optional.empty());
  }

  /** The partial signatures, the newest epoch first. */
  public List<PartialSignature> partials() {
    return Stream.concat(Stream.of(present), former.stream()).toList();
  }
}
