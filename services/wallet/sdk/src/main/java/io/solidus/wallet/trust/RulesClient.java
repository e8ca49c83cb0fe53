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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fetches and verifies the rules in force: countersigned by f+1 authorities and not older than
 * those seen before. The sanction tree is rebuilt from the whole list, because a root alone does
 * not show that its builder was honest.
 */
@Spec("W-07")
public final class RulesClient implements AutoCloseable {
  private final NetworkId network;
  private final Committee committee;
  private final GatewayClient gateway;
  private final WalletStore store;
  private final SanctionListCache cache;
  private @Nullable SanctionTree tree;
  private @Nullable SanctionCheckpoint treeCheckpoint;

  /**
   * @param cacheFolder for the last sanction list; null for no cache
   */
  public RulesClient(
      Committee committee, GatewayClient gateway, WalletStore store, @Nullable Path cacheFolder) {
    this.network = committee.network();
    this.committee = committee;
    this.gateway = gateway;
    this.store = store;
    this.cache = new SanctionListCache(cacheFolder);
  }

  /**
   * Fetches and verifies policy, checkpoint and list, and stores their versions.
   *
   * @throws WalletException {@code rules-untrusted} or {@code rules-rolled-back}
   */
  public Rules newest() {
    String policyText = CountersignatureCheck.text(committee, gateway.policyNote(), "policy");
    String checkpointText =
        CountersignatureCheck.text(committee, gateway.checkpointNote(), "sanction checkpoint");
    Policy policy = parse("policy", () -> Policy.parse(network, policyText));
    SanctionCheckpoint checkpoint =
        parse("sanction checkpoint", () -> SanctionCheckpoint.parse(network, checkpointText));
    WalletState state = store.state();
    var policyMark =
        RollbackGuard.advance(state.policyMark(), policy.version(), policyText, "the policy");
    var checkpointMark =
        RollbackGuard.advance(
            state.checkpointMark(),
            checkpoint.version(),
            checkpointText,
            "the sanction checkpoint");
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
    if (tree != null && checkpoint.equals(treeCheckpoint)) {
      return tree;
    }
    SanctionTree built = build(checkpoint);
    close();
    tree = built;
    treeCheckpoint = checkpoint;
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
      throw untrusted(
          "the sanction list does not have the digest that its checkpoint states", null);
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
      throw untrusted("the sanction list does not form a tree", e);
    }
  }

  private static <T> T parse(String what, Supplier<T> parse) {
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
