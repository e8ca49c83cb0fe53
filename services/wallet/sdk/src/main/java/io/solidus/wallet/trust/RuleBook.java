package io.solidus.wallet.trust;

import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.Spec;
import io.solidus.prover.NativeException;
import io.solidus.prover.SanctionTree;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.store.WalletStore;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The newest rules, believed on the countersignatures of f+1 authorities only, and never older than
 * those seen before. The sanction tree is rebuilt from the whole list: a root is only as honest as
 * its builder.
 */
@Spec("W-07")
public final class RuleBook implements AutoCloseable {
  private final NetworkId network;
  private final Committee committee;
  private final GatewayClient gateway;
  private final WalletStore store;
  private final ListCache cache;
  private @Nullable SanctionTree tree;
  private @Nullable SanctionCheckpoint treeOf;

  /**
   * @param cacheFolder where the last list is kept, or null
   */
  public RuleBook(
      Committee committee, GatewayClient gateway, WalletStore store, @Nullable Path cacheFolder) {
    this.network = committee.network();
    this.committee = committee;
    this.gateway = gateway;
    this.store = store;
    this.cache = new ListCache(cacheFolder);
  }

  /**
   * Fetches and checks policy, checkpoint and list, and remembers their versions.
   *
   * @throws WalletException {@code rules-untrusted} or {@code rules-rolled-back}
   */
  public Rules newest() {
    String policyText = Countersigned.text(committee, gateway.policyNote(), "policy");
    String checkpointText =
        Countersigned.text(committee, gateway.checkpointNote(), "sanction checkpoint");
    Policy policy = parse("policy", () -> Policy.parse(network, policyText));
    SanctionCheckpoint checkpoint =
        parse("sanction checkpoint", () -> SanctionCheckpoint.parse(network, checkpointText));
    WalletState state = store.state();
    var policyMark =
        RollbackGuard.advance(state.policyMark(), policy.version(), policyText, "policy");
    var checkpointMark =
        RollbackGuard.advance(
            state.checkpointMark(), checkpoint.version(), checkpointText, "sanction checkpoint");
    Rules rules = new Rules(policy, checkpoint, tree(checkpoint));
    if (!policyMark.equals(state.policyMark()) || !checkpointMark.equals(state.checkpointMark())) {
      store.update(draft -> {
        draft.policyMark = policyMark;
        draft.checkpointMark = checkpointMark;
      });
    }
    return rules;
  }

  @Override
  public void close() {
    if (tree != null) {
      tree.close();
    }
  }

  private SanctionTree tree(SanctionCheckpoint checkpoint) {
    if (tree != null && checkpoint.equals(treeOf)) {
      return tree;
    }
    SanctionTree built = build(checkpoint);
    close();
    tree = built;
    treeOf = checkpoint;
    return built;
  }

  private SanctionTree build(SanctionCheckpoint checkpoint) {
    byte[] list = list(checkpoint);
    SanctionTree built = buildTree(list);
    if (!built.root().equals(checkpoint.root()) || built.size() != checkpoint.size()) {
      built.close();
      throw untrusted(
          "the sanction list does not have the root or the size that its checkpoint states", null);
    }
    return built;
  }

  private byte[] list(SanctionCheckpoint checkpoint) {
    Optional<byte[]> cached =
        cache.read(checkpoint.listDigest()).filter(bytes -> matches(checkpoint, bytes));
    if (cached.isPresent()) {
      return cached.get();
    }
    byte[] fetched = gateway.sanctionList(checkpoint.version());
    if (!matches(checkpoint, fetched)) {
      throw untrusted("the sanction list is not the one that its checkpoint names", null);
    }
    cache.write(checkpoint.listDigest(), fetched);
    return fetched;
  }

  private boolean matches(SanctionCheckpoint checkpoint, byte[] list) {
    try {
      return SanctionList.fromBytes(list).digest(network).equals(checkpoint.listDigest());
    } catch (ProtocolException e) {
      return false;
    }
  }

  private SanctionTree buildTree(byte[] list) {
    try {
      return SanctionTree.build(network, list);
    } catch (NativeException e) {
      throw untrusted("the sanction list cannot be a tree", e);
    }
  }

  private static <T> T parse(String what, java.util.function.Supplier<T> parse) {
    try {
      return parse.get();
    } catch (ProtocolException e) {
      throw untrusted("the " + what + " does not have the expected text: " + e.detail(), e);
    }
  }

  private static WalletException untrusted(String detail, @Nullable Throwable cause) {
    return new WalletException(WalletError.RULES_UNTRUSTED, detail, cause);
  }
}
