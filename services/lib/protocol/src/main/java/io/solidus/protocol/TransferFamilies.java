package io.solidus.protocol;

import java.util.Set;

/**
 * The transfer families that a network takes: the one of its kind, and the shapes that its file of
 * shapes names. A family that is not installed is refused as an unknown number is.
 *
 * @param shapes of a regulated network; an unregulated one has none
 */
public record TransferFamilies(NetworkKind kind, Set<Family> shapes) {
  public TransferFamilies {
    shapes = Set.copyOf(shapes);
    if (!shapes.stream().allMatch(family -> family.isShape() && family.isTransferOf(kind))) {
      throw new IllegalArgumentException("not shapes of this kind of network");
    }
  }

  /** Those of a network without shapes. */
  public static TransferFamilies of(NetworkKind kind) {
    return new TransferFamilies(kind, Set.of());
  }

  public boolean contains(Family family) {
    return family == kind.transferFamily() || shapes.contains(family);
  }

  /**
   * Requires a family of the network. A network is regulated or not, never both: the transfers of
   * the other kind would bypass every limit.
   *
   * @throws ProtocolException malformed-request
   */
  @Spec("V-40")
  public void require(Family family) {
    if (!contains(family)) {
      throw ProtocolException.malformed("this network does not accept the statement's family");
    }
  }
}
