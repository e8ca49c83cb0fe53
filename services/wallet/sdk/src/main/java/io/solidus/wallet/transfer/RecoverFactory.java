package io.solidus.wallet.transfer;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Origin;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.RecoverBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.CoreOpening;
import io.solidus.prover.NativeException;
import io.solidus.prover.OutputToBlind;
import io.solidus.prover.PreparedRecover;
import io.solidus.prover.PreparedTransfer;
import io.solidus.prover.RecoverPlan;
import io.solidus.prover.RecoverWitness;
import io.solidus.prover.Suite;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.keys.RandomScalars;
import io.solidus.wallet.keys.RecoverSecrets;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.model.RecoverMemo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * Makes the recovers of a wallet, and opens stored ones again. Everything but the proof and its
 * key's randomisation follows from the seed, the two cores and the credits.
 */
public final class RecoverFactory {
  private static final int INPUTS = 2;

  private final NetworkId network;
  private final Suite suite;
  private final WalletKeys keys;
  private final TransferFactory transfers;
  private final MemoCipher memos;
  private final IntSupplier circuitVersion;
  private final RandomScalars random;
  private final Function<RecoverWitness, byte[]> prove;

  public RecoverFactory(
      Suite suite,
      WalletKeys keys,
      TransferFactory transfers,
      IntSupplier circuitVersion,
      RandomScalars random,
      Function<RecoverWitness, byte[]> prove) {
    this.network = suite.network();
    this.suite = suite;
    this.keys = keys;
    this.transfers = transfers;
    this.memos = new MemoCipher(keys);
    this.circuitVersion = circuitVersion;
    this.random = random;
    this.prove = prove;
  }

  /** A transfer of this wallet, as a recover needs it. */
  public OwnCore own(TransferDraft draft, Evidence evidence) {
    TransferStatement statement = draft.statement();
    ComplianceCoin spent = draft.plan().cc();
    ComplianceCoin next = draft.prepared().next();
    PreparedTransfer.Entry entry = draft.prepared().entry();
    CoreOpening opening =
        new CoreOpening(
            false,
            List.of(false, false),
            draft.plan().d(),
            draft.plan().seed(),
            draft.plan().s().get(1),
            next.period(),
            next.sent(),
            next.count(),
            next.held(),
            spent.com(),
            entry.counterparty(),
            List.of(draft.plan().paid(), entry.first(), entry.second()),
            draft.plan().withdrawn(),
            entry.origins(),
            draft.plan().escrow(),
            draft.plan().historyRandomness());
    TransferBelow below = new TransferBelow(statement, evidence);
    return new OwnCore(
        List.of(new BelowList.Entry(statement.core(network), below, List.of())),
        statement.leadSerial(),
        next,
        transfers.serial(next.rho()),
        FieldElement.ZERO,
        halves(statement, draft.memo().inputs().size()),
        Set.of(),
        Set.of(),
        opening,
        spent.held(),
        draft.memo().atMillis(),
        draft.memo().unfinished(),
        draft.memo().inputs().stream().map(input -> input.rho()).toList());
  }

  /** The claimed coins as a recover credits them, without the dummies behind them. */
  private static List<List<SerialNumber>> halves(TransferStatement statement, int claimed) {
    List<SerialNumber> coins = statement.serials().subList(1, 1 + claimed);
    int half = Math.min(claimed, statement.serials().size() / INPUTS);
    return List.of(coins.subList(0, half), coins.subList(half, claimed));
  }

  /**
   * Makes a recover over two cores of this wallet, with its proof.
   *
   * @param second spends the lead of {@code first}, or a successor of it or of a core below it; the
   *     same as {@code first} for a recover over one core
   * @param elsewhere coins that other cores hold, which are not credited
   * @param made recovers that were made before, which are not proved again: their proofs do not
   *     depend on the evidence of the requests below them
   * @throws ProtocolException malformed-request when the rules allow no recover over them
   */
  public OwnRecover make(
      OwnCore first,
      OwnCore second,
      Set<SerialNumber> elsewhere,
      Function<TxCore, Optional<OwnRecover>> made) {
    try (Draft draft = new Draft(first, second, elsewhere)) {
      Statement statement = draft.statement();
      RecoverRequest request =
          made.apply(statement.core())
              .map(before ->
                  new RecoverRequest(
                      draft.requests,
                      statement.statement(),
                      before.request().evidence(),
                      statement.attachments()))
              .orElseGet(() -> draft.request(statement));
      return reopen(request)
          .orElseThrow(() -> new IllegalStateException("an own recover does not open again"));
    }
  }

  private record Statement(
      TxCore core, RecoverStatement statement, RecoverPlan plan, Attachments attachments) {}

  /** A stored recover; empty when this wallet did not make it. */
  public Optional<OwnRecover> reopen(RecoverRequest request) {
    try {
      return opened(request);
    } catch (ProtocolException | NativeException e) {
      return Optional.empty();
    }
  }

  private Optional<OwnRecover> opened(RecoverRequest request) {
    ResolvedRecover resolved = request.resolve(network);
    request.requireContext(network);
    SerialNumber lead = resolved.serials().getFirst();
    Optional<RecoverMemo> sealed = memos.openRecover(lead, request.attachments().memoBlock());
    if (sealed.isEmpty()) {
      return Optional.empty();
    }
    RecoverMemo memo = sealed.get();
    RecoverStatement statement = request.statement();
    List<BelowList.Entry> requests = BelowList.entries(network, request.below());
    TxCore x1 = requests.get(statement.first()).core();
    TxCore x2 = requests.get(statement.second()).core();
    try (RecoverSecrets secrets = keys.recover(lead, x1, x2, statement.credits())) {
      List<FieldElement> rhos = suite.rhos(secrets.seed(), resolved.d());
      Coin returned = new Coin(Origin.OWN, memo.returned(), transfers.apk(), rhos.get(0));
      ComplianceCoin next =
          new ComplianceCoin(
              transfers.apk(),
              rhos.get(1),
              memo.period(),
              memo.sent(),
              memo.count(),
              memo.held(),
              memo.com());
      List<FieldElement> messages =
          List.of(suite.coinMessage(returned), suite.complianceMessage(next));
      if (!blinded(resolved, messages, secrets).equals(statement.outputs())) {
        return Optional.empty();
      }
      return Optional.of(
          new OwnRecover(
              own(request, resolved, requests, List.of(x1, x2), memo, secrets, next, returned),
              request,
              memo,
              returned,
              resolved.signed(),
              messages,
              secrets.historyRandomness()));
    }
  }

  /** One verified signature for each output: the returned coin, the next compliance coin. */
  public List<Signature> collect(
      OwnRecover recover, SignatureCollector collector, SignedReply reply) {
    List<TxCore> over = recover.own().requests().getLast().cores();
    int credits = recover.request().statement().credits();
    try (RecoverSecrets secrets =
        keys.recover(recover.own().lead(), over.getFirst(), over.getLast(), credits)) {
      List<BlindedOutputs.Opening> openings =
          IntStream.range(0, recover.messages().size())
              .mapToObj(
                  j -> new BlindedOutputs.Opening(recover.messages().get(j), secrets.b().get(j)))
              .toList();
      return collector.collect(
          recover.core(), new BlindedOutputs(recover.outputs(), openings), reply);
    }
  }

  private List<BlindedCoin> blinded(
      ResolvedRecover resolved, List<FieldElement> messages, RecoverSecrets secrets) {
    List<OutputToBlind> outputs =
        IntStream.range(0, messages.size())
            .mapToObj(
                j -> new OutputToBlind(messages.get(j), secrets.s().get(j), secrets.b().get(j)))
            .toList();
    return suite.blind(resolved.d(), resolved.signed().period(), outputs).coins();
  }

  private OwnCore own(
      RecoverRequest request,
      ResolvedRecover resolved,
      List<BelowList.Entry> below,
      List<TxCore> over,
      RecoverMemo memo,
      RecoverSecrets secrets,
      ComplianceCoin next,
      Coin returned) {
    List<BelowList.Entry> requests = new ArrayList<>(below);
    requests.add(
        new BelowList.Entry(
            resolved.core(), new RecoverBelow(request.statement(), request.evidence()), over));
    Set<SerialNumber> nexts = new HashSet<>();
    Set<SerialNumber> returnedBelow = new HashSet<>();
    for (BelowList.Entry entry : requests) {
      if (entry.request() instanceof RecoverBelow recover) {
        nexts.addAll(recover.statement().next());
        recover.statement().returned().stream()
            .filter(serial -> !serial.isZero())
            .forEach(serial -> returnedBelow.add(new SerialNumber(serial)));
      }
    }
    Set<SerialNumber> credited = new HashSet<>(resolved.serials());
    credited.remove(resolved.serials().getFirst());
    credited.removeAll(nexts);
    credited.removeAll(returnedBelow);
    SerialNumber returnedSerial = transfers.serial(returned.rho());
    returnedBelow.add(returnedSerial);
    CoreOpening opening =
        new CoreOpening(
            true,
            List.of(false, false),
            resolved.d(),
            secrets.seed(),
            secrets.s().get(1),
            memo.period(),
            memo.sent(),
            memo.count(),
            memo.held(),
            memo.first(),
            memo.second(),
            List.of(memo.returned(), memo.outflow(), memo.budget()),
            Amount.ZERO,
            List.of(Origin.PAYMENT, Origin.PAYMENT),
            false,
            secrets.historyRandomness());
    return new OwnCore(
        requests,
        resolved.serials().getFirst(),
        next,
        transfers.serial(next.rho()),
        returnedSerial.value(),
        List.of(),
        credited,
        returnedBelow,
        opening,
        memo.held(),
        memo.atMillis(),
        memo.unfinished(),
        memo.claimed());
  }

  /** A recover that is being made. */
  private final class Draft implements AutoCloseable {
    private final OwnCore first;
    private final OwnCore second;
    private final List<RequestBelow> requests;
    private final List<Integer> positions;
    private final List<CoreOpening> openings;
    private final int credits;
    private final RecoverSecrets secrets;
    private final ResolvedRecover related;

    Draft(OwnCore first, OwnCore second, Set<SerialNumber> elsewhere) {
      this.first = first;
      this.second = second;
      BelowList list = new BelowList().add(first.requests()).add(second.requests());
      this.requests = list.requests();
      this.positions = List.of(list.position(first.core()), list.position(second.core()));
      List<List<Boolean>> chosen = credits(elsewhere);
      this.openings = List.of(first.opening(chosen.getFirst()), second.opening(chosen.getLast()));
      int bits = 0;
      for (int j = 0; j < chosen.size(); j++) {
        for (int i = 0; i < INPUTS; i++) {
          bits |= (chosen.get(j).get(i) ? 1 : 0) << (INPUTS * j + i);
        }
      }
      this.credits = bits;
      // chain, covered, and whether a recover is allowed at all, do not depend on the outputs
      this.related = resolved(List.of(anyOutput(), anyOutput()), Digest32.sha256());
      this.secrets = keys.recover(first.lead(), first.core(), second.core(), credits);
    }

    private BlindedCoin anyOutput() {
      return switch (first.requests().getLast().request()) {
        case TransferBelow transfer -> transfer.statement().outputs().getFirst();
        case RecoverBelow recover -> recover.statement().outputs().getFirst();
      };
    }

    /** Each coin once, without those of another core and those that a recover below returned. */
    private List<List<Boolean>> credits(Set<SerialNumber> elsewhere) {
      Set<SerialNumber> counted = new HashSet<>(first.credited());
      counted.addAll(elsewhere);
      counted.addAll(first.returnedBelow());
      counted.addAll(second.returnedBelow());
      List<List<Boolean>> credits = new ArrayList<>();
      for (OwnCore core : List.of(first, second)) {
        List<Boolean> bits = new ArrayList<>();
        for (int i = 0; i < INPUTS; i++) {
          bits.add(i < core.coins().size() && credit(core.coins().get(i), counted));
        }
        credits.add(bits);
      }
      return credits;
    }

    /** Half of a claim of 16 counts as a whole: with all of its coins, or not. */
    private static boolean credit(List<SerialNumber> coins, Set<SerialNumber> counted) {
      if (coins.isEmpty() || coins.stream().anyMatch(counted::contains)) {
        return false;
      }
      counted.addAll(coins);
      return true;
    }

    private RecoverStatement statement(List<BlindedCoin> outputs, Digest32 context) {
      return new RecoverStatement(
          positions.getFirst(),
          positions.getLast(),
          List.of(first.nextSerial(), second.nextSerial()),
          List.of(first.returned(), second.returned()),
          credits,
          outputs,
          context);
    }

    private ResolvedRecover resolved(List<BlindedCoin> outputs, Digest32 context) {
      return ResolvedRecover.of(network, requests, statement(outputs, context));
    }

    private RecoverPlan plan(InputDigest d, Amount held) {
      return new RecoverPlan(
          keys.nullifierKey(),
          transfers.publicKey(),
          d,
          openings,
          related.chain(),
          related.covered(),
          held,
          secrets.seed(),
          secrets.historyRandomness(),
          secrets.s(),
          secrets.b());
    }

    /** The most that the new compliance coin may hold; the rest returns as a coin. */
    private Amount held() {
      PreparedRecover trial = suite.prepareRecover(plan(related.d(), Amount.ZERO));
      Amount issued = trial.returned().value();
      return issued.compareTo(first.base()) < 0 ? issued : first.base();
    }

    Statement statement() {
      Amount held = held();
      RecoverMemo memo = memo(suite.prepareRecover(plan(related.d(), held)));
      Attachments attachments =
          Attachments.withoutPayout(memos.seal(first.lead(), memo), secrets.payoutBlock());
      Digest32 context = attachments.context(network);
      RecoverPlan plan = plan(resolved(related.outputs(), context).d(), held);
      List<BlindedCoin> outputs = suite.prepareRecover(plan).outputs();
      return new Statement(
          resolved(outputs, context).core(), statement(outputs, context), plan, attachments);
    }

    RecoverRequest request(Statement made) {
      try (KeyScalar alpha = random.nextKey()) {
        RecoverEvidence evidence =
            new RecoverEvidence(
                circuitVersion.getAsInt(),
                suite.randomisedKey(transfers.publicKey(), alpha),
                prove.apply(new RecoverWitness(made.core(), made.plan(), alpha)),
                suite.signCore(keys.spendKey(), alpha, made.core()));
        return new RecoverRequest(requests, made.statement(), evidence, made.attachments());
      }
    }

    private RecoverMemo memo(PreparedRecover made) {
      ComplianceCoin next = made.next();
      List<FieldElement> claimed = RecoverMemo.claimed(first.claimed(), second.claimed());
      if (claimed.size() > RecoverMemo.MAX_CLAIMED) {
        throw ProtocolException.malformed("the cores below a recover claim too many coins");
      }
      return new RecoverMemo(
          Math.max(first.atMillis(), second.atMillis()),
          next.period(),
          next.sent(),
          next.count(),
          next.held(),
          next.com(),
          made.returned().value(),
          made.outflow(),
          made.budget(),
          first.next().com(),
          second.next().com(),
          Math.max(first.unfinished(), second.unfinished()),
          claimed);
    }

    @Override
    public void close() {
      secrets.close();
    }
  }
}
