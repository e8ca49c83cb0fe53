package io.solidus.prover;

import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;

/**
 * The tree of a published sanction list. Whoever relies on a root builds it from the whole list.
 */
public final class SanctionTree implements AutoCloseable {
  private final Handle handle;
  private final FieldElement root;
  private final int size;

  private SanctionTree(Handle handle, FieldElement root, int size) {
    this.handle = handle;
    this.root = root;
    this.size = size;
  }

  /**
   * @param sortedKeys20 the list's keys, 20 bytes each, ascending
   * @throws NativeException LIST_NOT_SORTED, LIST_DUPLICATE, LIST_SENTINEL or LIST_TOO_LARGE
   */
  public static SanctionTree build(NetworkId network, byte[] sortedKeys20) {
    Reply reply = Call.of(Operation.TREE_BUILD, network).sized(sortedKeys20).send();
    return new SanctionTree(new Handle(reply.u64()), reply.field(), reply.u32());
  }

  public FieldElement root() {
    return root;
  }

  /** The number of keys. */
  public int size() {
    return size;
  }

  /**
   * @throws NativeException LISTED when the address is on the list
   */
  public MembershipPath path(Apk apk) {
    return MembershipPath.read(
        Call.of(Operation.TREE_PATH).u64(handle.id()).field(apk.value()).send());
  }

  @Override
  public void close() {
    handle.close();
  }
}
