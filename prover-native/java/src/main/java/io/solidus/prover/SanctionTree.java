package io.solidus.prover;

import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;

/**
 * The Merkle tree of a published sanction list. A service that relies on a root rebuilds it from
 * the whole list.
 */
public final class SanctionTree implements AutoCloseable {
  private final NativeHandle handle;
  private final FieldElement root;
  private final int size;

  private SanctionTree(NativeHandle handle, FieldElement root, int size) {
    this.handle = handle;
    this.root = root;
    this.size = size;
  }

  /**
   * Builds the tree of a list.
   *
   * @param sortedKeys20 the list's keys, 20 bytes each, ascending
   * @throws NativeException LIST_NOT_SORTED, LIST_DUPLICATE, LIST_SENTINEL or LIST_TOO_LARGE
   */
  public static SanctionTree build(NetworkId network, byte[] sortedKeys20) {
    NativeReply reply = NativeRequest.of(Operation.TREE_BUILD, network).sized(sortedKeys20).send();
    return new SanctionTree(new NativeHandle(reply.u64()), reply.field(), reply.u32());
  }

  public FieldElement root() {
    return root;
  }

  /** The number of keys. */
  public int size() {
    return size;
  }

  /**
   * Returns the path that shows that an address is not on the list.
   *
   * @throws NativeException LISTED when the address is on the list
   */
  public MembershipPath path(Apk apk) {
    return MembershipPath.read(
        NativeRequest.of(Operation.TREE_PATH).u64(handle.id()).field(apk.value()).send());
  }

  @Override
  public void close() {
    handle.close();
  }
}
