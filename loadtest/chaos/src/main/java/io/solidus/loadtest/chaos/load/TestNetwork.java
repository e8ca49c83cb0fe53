package io.solidus.loadtest.chaos.load;

import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.loadtest.forge.SimulatedProofs;
import io.solidus.loadtest.forge.Simulator;
import io.solidus.protocol.Committee;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.Signature;
import io.solidus.prover.KeySet;
import io.solidus.prover.OutputToBlind;
import io.solidus.prover.SanctionTree;
import io.solidus.prover.Share;
import io.solidus.prover.Suite;
import io.solidus.wallet.proving.ProofSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The network as its wallets see it. It also holds the committee's shares, because these are
 * load-test keys, and issues first coins without registration or mint.
 */
public final class TestNetwork implements AutoCloseable {

  private final KeySet keys;
  private final Suite suite;
  private final List<Share> shares;
  private final Simulator simulator;
  private final ProofSource proofs;
  private final List<SanctionTree> trees = new ArrayList<>();
  private volatile WalletRules rules;
  private volatile Committee committee;

  private TestNetwork(KeySet keys, List<Share> shares, Simulator simulator, WalletRules rules) {
    this.keys = keys;
    this.suite = new Suite(keys.network());
    this.shares = shares;
    this.simulator = simulator;
    this.proofs = new SimulatedProofs(simulator);
    this.trees.add(rules.tree());
    this.rules = rules;
    this.committee = keys.committee();
  }

  public static TestNetwork open(
      LoadTestKeys files, Policy policy, SanctionCheckpoint checkpoint, List<SanctionKey> listed) {
    KeySet keys = files.open();
    List<Share> shares =
        IntStream.rangeClosed(1, keys.committee().n()).mapToObj(files::share).toList();
    return new TestNetwork(
        keys,
        shares,
        Simulator.start(files),
        new WalletRules(policy, checkpoint, tree(keys, listed)));
  }

  public KeySet keys() {
    return keys;
  }

  public Suite suite() {
    return suite;
  }

  public Committee committee() {
    return committee;
  }

  /** Goes on with the committee of refreshed keys, as wallets that get a new manifest do. */
  public void follow(Committee refreshed) {
    committee = refreshed;
  }

  public ProofSource proofs() {
    return proofs;
  }

  /** The newest policy and checkpoint. */
  public WalletRules rules() {
    return rules;
  }

  public synchronized void follow(SanctionCheckpoint checkpoint, List<SanctionKey> listed) {
    SanctionTree tree = tree(keys, listed);
    trees.add(tree);
    rules = new WalletRules(rules.policy(), checkpoint, tree);
  }

  public synchronized void follow(Policy policy) {
    rules = new WalletRules(policy, rules.checkpoint(), rules.tree());
  }

  /** The committee's signature on a coin. */
  public Signature issue(FieldElement message, SeededRandom random) {
    Scalar b = random.scalar();
    OutputToBlind output = new OutputToBlind(message, random.field(), b);
    Outputs outputs = suite.blind(new InputDigest(random.field()), Period.NONE, List.of(output));
    Map<Integer, G1Point> partials = new LinkedHashMap<>();
    for (Share share : shares.subList(0, committee().quorum())) {
      partials.put(share.index(), share.sign(suite, outputs, 0));
    }
    return suite.unblind(committee(), outputs, 0, suite.combine(committee(), partials), b);
  }

  @Override
  public void close() {
    simulator.close();
    shares.forEach(Share::close);
    trees.forEach(SanctionTree::close);
    keys.close();
  }

  private static SanctionTree tree(KeySet keys, List<SanctionKey> listed) {
    return SanctionTree.build(keys.network(), new SanctionList(listed).toBytes());
  }
}
