package io.solidus.authority.common.rules;

import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionList;
import io.solidus.prover.NativeException;
import io.solidus.prover.SanctionTree;

/**
 * Checks that the root of a checkpoint follows from its published list, including order and
 * sentinels: the builder of the indexed tree is not trusted. Remembers the roots it has rebuilt.
 */
public final class SanctionRootCheck {

  private static final int REMEMBERED = 16;

  private final NetworkId network;
  private final LruMap<Digest32, FieldElement> rebuilt = new LruMap<>(REMEMBERED);

  public SanctionRootCheck(NetworkId network) {
    this.network = network;
  }

  /** Whether the root follows from the list. Takes seconds for a long list. */
  public synchronized boolean follows(SanctionCheckpoint checkpoint, byte[] listBytes) {
    SanctionList list;
    try {
      list = SanctionList.fromBytes(listBytes);
    } catch (ProtocolException e) {
      return false;
    }
    if (list.keys().size() != checkpoint.size()
        || !list.digest(network).equals(checkpoint.listDigest())) {
      return false;
    }
    FieldElement root = rebuilt.find(checkpoint.listDigest()).orElseGet(() -> build(listBytes));
    rebuilt.remember(checkpoint.listDigest(), root);
    return root.equals(checkpoint.root());
  }

  private FieldElement build(byte[] listBytes) {
    try (SanctionTree tree = SanctionTree.build(network, listBytes)) {
      return tree.root();
    } catch (NativeException e) {
      throw new IllegalStateException("the sanction tree cannot be built", e);
    }
  }
}
