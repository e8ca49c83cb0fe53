package io.solidus.authority.custody;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FormerCommittee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Spec;
import io.solidus.prover.KeySet;

/**
 * What an envelope is sealed for. A share opens for nothing else, so a share of another epoch or of
 * replaced keys is refused before it signs anything.
 *
 * @param authority 1 to N
 * @param epoch of the committee's shares
 * @param manifest SHA-256 of the key manifest, which names the transcripts of the ceremonies
 */
@Spec("K-05")
public record Binding(NetworkId network, int authority, int epoch, Digest32 manifest) {
  public static Binding of(KeySet keys, int authority) {
    return new Binding(keys.network(), authority, keys.committee().epoch(), keys.manifestDigest());
  }

  /** The binding of a share of a former epoch: that of the manifest it was made for. */
  public static Binding of(KeySet keys, FormerCommittee former, int authority) {
    return new Binding(keys.network(), authority, former.committee().epoch(), former.manifest());
  }

  /**
   * Requires the same binding.
   *
   * @throws CustodyException OTHER_NETWORK, OTHER_AUTHORITY, OTHER_EPOCH or OTHER_MANIFEST
   */
  public void require(Binding found) {
    require(network.equals(found.network), CustodyCode.OTHER_NETWORK, found.network, network);
    require(authority == found.authority, CustodyCode.OTHER_AUTHORITY, found.authority, authority);
    require(epoch == found.epoch, CustodyCode.OTHER_EPOCH, found.epoch, epoch);
    require(
        manifest.equals(found.manifest),
        CustodyCode.OTHER_MANIFEST,
        found.manifest.hex(),
        manifest.hex());
  }

  private static void require(boolean same, CustodyCode code, Object found, Object wanted) {
    if (!same) {
      throw new CustodyException(code, "the envelope is for " + found + ", wanted " + wanted);
    }
  }
}
