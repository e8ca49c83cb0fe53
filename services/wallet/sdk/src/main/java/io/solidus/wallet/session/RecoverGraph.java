package io.solidus.wallet.session;

import io.solidus.protocol.Committee;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Period;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.wallet.model.PaymentId;
import io.solidus.wallet.transfer.BelowList;
import io.solidus.wallet.transfer.OwnCore;
import io.solidus.wallet.transfer.OwnRecover;
import io.solidus.wallet.transfer.TransferDraft;
import io.solidus.wallet.trust.Rules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cores of this wallet that spend one compliance coin or a successor of it, and what the
 * authorities say of the serial numbers that these name. It only grows.
 */
final class RecoverGraph {
  /** A recover whose requests were all refused so often is left out: a liar may spoil many. */
  private static final int MAX_REFUSED = 3;

  /** Choices among variants that a recover is sent with. */
  private static final int MAX_CHOICES = 32;

  private final WalletSession session;
  private final SignedLookUp lookUp;
  private final SerialNumber lead;
  private final boolean evenIfPaid;
  private final Map<TxCore, KnownCore> known = new LinkedHashMap<>();

  /** The compliance coins that a known core may spend. */
  private final Map<SerialNumber, ComplianceCoin> coins = new HashMap<>();

  private final Map<SerialNumber, SignedAnswers> answers = new LinkedHashMap<>();

  /** What was judged: each look shows it again. */
  private final Set<TransferRequest> judged = new HashSet<>();

  private final Set<RecoverRequest> judgedRecovers = new HashSet<>();

  /** How often all requests of a recover were refused for their evidence. */
  private final Map<TxCore, Integer> refused = new HashMap<>();

  /** Which variants a recover is over, counted through those of all cores. */
  private int choice;

  private @Nullable Rules rules;

  /**
   * A graph of the cores that spend a compliance coin.
   *
   * @param evenIfPaid whether the owner has what may have completed burnt, too
   */
  RecoverGraph(WalletSession session, ComplianceCoin tip, boolean evenIfPaid) {
    this.session = session;
    this.evenIfPaid = evenIfPaid;
    this.lookUp = new SignedLookUp(session);
    this.lead = session.factory().serial(tip.rho());
    coins.put(lead, tip);
  }

  SerialNumber lead() {
    return lead;
  }

  /** Everything that a round may change: the cores, each with the number of its variants. */
  record Knowledge(Map<TxCore, Integer> cores, Set<SerialNumber> elsewhere) {
    boolean has(TxCore core) {
      return cores.containsKey(core);
    }

    /** Without a core that a round itself adds. */
    Knowledge without(TxCore core) {
      Map<TxCore, Integer> others = new HashMap<>(cores);
      others.remove(core);
      return new Knowledge(others, elsewhere);
    }
  }

  Knowledge knowledge() {
    Map<TxCore, Integer> cores = new HashMap<>();
    known.forEach((core, one) -> cores.put(core, one.levels().size()));
    return new Knowledge(cores, elsewhere());
  }

  /** Asks the authorities for the lead, for the successors, and for the coins that cores name. */
  void look() {
    Set<SerialNumber> asked = new HashSet<>();
    while (true) {
      List<SerialNumber> next = serials().filter(serial -> !asked.contains(serial)).toList();
      if (next.isEmpty()) {
        return;
      }
      asked.addAll(next);
      for (SignedAnswers answer : lookUp.ask(next)) {
        answers.merge(answer.serial(), answer, (before, now) -> now.behind(before));
        answer.shown().forEach(this::add);
        answer.recovers().forEach(this::add);
      }
    }
  }

  private Stream<SerialNumber> serials() {
    Set<SerialNumber> serials = new LinkedHashSet<>();
    serials.add(lead);
    known
        .values()
        .forEach(core -> {
          serials.add(core.own().nextSerial());
          serials.addAll(core.serials());
        });
    return serials.stream();
  }

  /** Adds a transfer of this wallet that spends the lead or a successor. */
  void add(TransferRequest request) {
    ComplianceCoin spent = coins.get(request.statement().leadSerial());
    if (spent == null || !judged.add(request)) {
      return;
    }
    Optional<TransferDraft> opened = session.factory().reopen(spent, request);
    if (opened.isEmpty()) {
      return;
    }
    try (TransferDraft draft = opened.get()) {
      OwnCore own = session.recovers().own(draft, request.evidence());
      KnownCore.Transfer before =
          known.get(own.core()) instanceof KnownCore.Transfer transfer
              ? transfer
              : new KnownCore.Transfer(List.of(), List.of(), List.of());
      // spoilt evidence of a transfer may be made anew
      put(before.with(own, request, level(request)));
      choice = 0;
    }
  }

  /** Adds a recover of this wallet that spends the lead or a successor. */
  void add(RecoverRequest request) {
    if (judgedRecovers.contains(request)) {
      return;
    }
    Optional<OwnRecover> opened =
        session.recovers().reopen(request).filter(own -> coins.containsKey(own.own().lead()));
    if (opened.isEmpty()) {
      return; // what it spends may become known yet
    }
    judgedRecovers.add(request);
    ShownRecover.Level level = ShownRecover.level(session, opened.get(), rules());
    if (level != ShownRecover.Level.SPOILT
        && refused.getOrDefault(opened.get().core(), 0) < MAX_REFUSED) {
      put(with(opened.get(), level));
      choice = 0;
    }
  }

  private KnownCore.Recover with(OwnRecover opened, ShownRecover.Level level) {
    return known.get(opened.core()) instanceof KnownCore.Recover before
        ? before.with(opened, level)
        : new KnownCore.Recover(
            List.of(opened), List.of(level), opened.request().resolve(session.network()).serials());
  }

  /** Adds a recover that this wallet made. */
  void add(OwnRecover opened) {
    judgedRecovers.add(opened.request());
    put(with(opened, ShownRecover.Level.RIGHT));
  }

  Optional<KnownCore.Recover> recover(TxCore core) {
    return known.get(core) instanceof KnownCore.Recover recover
        ? Optional.of(recover)
        : Optional.empty();
  }

  /** Forgets a recover of which authorities refuse all evidence; another may show a better one. */
  void forget(TxCore core) {
    known.remove(core);
    refused.merge(core, 1, Integer::sum);
  }

  /**
   * Goes on to the next choice of variants after a recover over them was refused for evidence,
   * which may be that of any core below it.
   *
   * @return whether there is one
   */
  boolean chooseNext(OwnRecover made) {
    known.remove(made.core());
    long all = 1;
    for (KnownCore core : known.values()) {
      all = Math.min(MAX_CHOICES, all * core.choices());
    }
    choice++;
    return choice < all;
  }

  private void put(KnownCore core) {
    known.put(core.core(), core);
    coins.put(core.own().nextSerial(), core.own().next());
  }

  /** What the evidence is worth, as far as the wallet knows the rules that it names. */
  private ShownRecover.Level level(TransferRequest request) {
    Evidence evidence = request.evidence();
    TxCore core = request.statement().core(session.network());
    if (!session.platform().suite().verifyCore(evidence.rk(), core, evidence.rkSignature())) {
      return ShownRecover.Level.SPOILT;
    }
    Rules newest = rules();
    if (evidence.policyVersion() != newest.policy().version()
        || evidence.checkpointVersion() != newest.checkpoint().version()) {
      return ShownRecover.Level.UNKNOWN;
    }
    NativeErrorCode verdict =
        session
            .platform()
            .proofCheck()
            .verifyTransfer(request.statement(), evidence, newest.limits(), newest.tree().root());
    return verdict == NativeErrorCode.OK ? ShownRecover.Level.RIGHT : ShownRecover.Level.SPOILT;
  }

  private Rules rules() {
    if (rules == null) {
      rules = session.rules().newest();
    }
    return rules;
  }

  /** The names of the requests and lines that transfers of this graph paid, or may pay. */
  List<PaymentId> requestNames() {
    return known.values().stream()
        .filter(KnownCore.Transfer.class::isInstance)
        .map(core -> ((KnownCore.Transfer) core).requests().getFirst())
        .flatMap(request -> {
          ComplianceCoin spent = coins.get(request.statement().leadSerial());
          return spent == null ? Stream.of() : RequestNames.of(session, spent, request).stream();
        })
        .toList();
  }

  /** Whether no known core spends the lead. */
  boolean isEmpty() {
    return atLead().isEmpty();
  }

  /** Whether 2f+1 authorities signed that the lead is free. */
  boolean leadIsFree() {
    SignedAnswers answer = answers.get(lead);
    return answer != null && answer.free().size() >= session.platform().committee().quorum();
  }

  private List<KnownCore> atLead() {
    return known.values().stream().filter(core -> core.own().lead().equals(lead)).toList();
  }

  /** What may still complete and is below no known recover, the one with most below it first. */
  List<KnownCore> toSend() {
    return atLead().stream()
        .filter(core -> !isBurnt(core))
        .sorted(
            Comparator.comparingInt((KnownCore core) -> -core.own().below().size())
                .thenComparing(core -> core.core().hex()))
        .toList();
  }

  /** Whether a core may be burnt. */
  boolean isRefused(KnownCore core) {
    return neverCompletes(core) || (evenIfPaid && isDoubtful(core));
  }

  /**
   * Whether a core has not completed and never does, unless authorities lie: f+1 signed that
   * another core has one of its serial numbers, or 2f+1 that they never take it, so that no f+1 are
   * left that could vote for it. The answers of the others need not be known, and a gateway that
   * leaves some out can only delay.
   */
  private boolean neverCompletes(KnownCore core) {
    Committee committee = session.platform().committee();
    return conflicting(core).size() >= committee.weakQuorum()
        || neverTake(core).size() >= committee.quorum();
  }

  /** The authorities that signed that another core has one of its serial numbers. */
  private Set<Integer> conflicting(KnownCore core) {
    Set<Integer> all = new HashSet<>();
    for (SerialNumber serial : core.serials()) {
      SignedAnswers answer = answers.get(serial);
      if (answer != null) {
        answer
            .held()
            .forEach((authority, held) -> {
              if (!core.own().covers(held.core())) {
                all.add(authority);
              }
            });
      }
    }
    return all;
  }

  /** The authorities that signed that they never take a core, but for votes of f+1. */
  private Set<Integer> neverTake(KnownCore core) {
    Set<Integer> all = conflicting(core);
    SignedAnswers ofLead = answers.get(core.own().lead());
    if (ofLead != null && core instanceof KnownCore.Transfer transfer) {
      Period period = transfer.requests().getFirst().statement().period();
      ofLead
          .free()
          .forEach((authority, floors) -> {
            if (floors.period().compareTo(period) > 0) {
              all.add(authority);
            }
          });
    }
    return all;
  }

  /** Whether a core, and each one that it follows from, may have completed. */
  private boolean mayComplete(KnownCore core) {
    return !neverCompletes(core)
        && (isAtLead(core.own())
            || known.values().stream()
                .anyMatch(parent ->
                    parent.own().nextSerial().equals(core.own().lead()) && mayComplete(parent)));
  }

  /**
   * The cores that a recover would burn although they may have completed, or although 2f+1
   * authorities hold them where their owner has the others burnt, too. What a known recover burns
   * is not among them.
   */
  List<KnownCore> waitedFor() {
    return known.values().stream()
        .filter(core -> !isBurnt(core))
        .filter(core -> evenIfPaid ? isHeld(core) && !neverCompletes(core) : mayComplete(core))
        .toList();
  }

  private boolean isBurnt(KnownCore core) {
    return known.values().stream().anyMatch(k -> k.own().below().contains(core.core()));
  }

  /**
   * Whether one authority signed that another core of this wallet holds one of its serial numbers,
   * or f+1 that they never take it: a transfer that at most f honest ones hold, and whose period is
   * over, does not complete without the others, and is not given up without them. What a quorum
   * holds is not doubtful.
   */
  boolean isDoubtful(KnownCore core) {
    if (isHeld(core)) {
      return false;
    }
    return neverTake(core).size() >= session.platform().committee().weakQuorum()
        || core.serials().stream()
            .flatMap(serial -> holders(serial).stream())
            .anyMatch(holder -> !core.own().covers(holder) && isFamily(holder));
  }

  /**
   * Whether 2f+1 authorities signed for each serial number of a core that it, or one below it,
   * holds it: then the core has completed, or completes as soon as they get it.
   */
  private boolean isHeld(KnownCore core) {
    int quorum = session.platform().committee().quorum();
    return core.serials().stream()
        .allMatch(serial -> holders(serial).stream().filter(core.own()::covers).count() >= quorum);
  }

  private Collection<TxCore> holders(SerialNumber serial) {
    SignedAnswers answer = answers.get(serial);
    return answer == null
        ? List.of()
        : answer.held().values().stream().map(SignedAnswers.Held::core).toList();
  }

  /** Cores that hold a serial number of this graph and that the wallet cannot place in it. */
  Set<TxCore> strangers() {
    return answers.keySet().stream()
        .flatMap(serial -> holders(serial).stream())
        .filter(holder -> !isFamily(holder))
        .collect(Collectors.toSet());
  }

  private boolean isFamily(TxCore core) {
    return known.values().stream().anyMatch(one -> one.own().covers(core));
  }

  /**
   * The coins that another core holds at f+1 authorities, so at an honest one. Fewer may lie, and
   * the recover needs only 2f+1 of them.
   */
  Set<SerialNumber> elsewhere() {
    int enough = session.platform().committee().weakQuorum();
    return known.values().stream()
        .flatMap(core -> core.own().coins().stream())
        .flatMap(List::stream)
        .filter(coin -> holders(coin).stream().filter(h -> !isFamily(h)).count() >= enough)
        .collect(Collectors.toSet());
  }

  /**
   * A recover over everything known.
   *
   * @param made recovers that this session proved
   */
  OwnRecover recover(Function<TxCore, Optional<OwnRecover>> made) {
    List<OwnCore> order = order();
    Set<SerialNumber> elsewhere = elsewhere();
    OwnCore last = order.getFirst();
    @Nullable OwnRecover newest = null;
    for (OwnCore core : order.size() == 1 ? order : order.subList(1, order.size())) {
      if (order.size() == 1 || !last.covers(core.core())) {
        newest = session.recovers().make(last, core, elsewhere, made);
        last = newest.own();
      }
    }
    if (newest != null) {
      return newest;
    }
    TxCore all = last.core();
    return known.values().stream()
        .filter(one -> one.core().equals(all))
        .map(one -> ((KnownCore.Recover) one).opened())
        .findFirst()
        .orElseThrow();
  }

  /**
   * The known cores in the order in which a recover takes them: children into their branch, then
   * branches, then older recovers. A recover over transfers that the wallet does not know comes
   * first, because only its first core brings the coins below it. Where nothing spends a successor,
   * the recover with most below it comes first, so that nothing is proved twice.
   */
  private List<OwnCore> order() {
    SortedSet<OwnCore> rest =
        new TreeSet<>(
            Comparator.comparing(OwnCore::recover)
                .thenComparingInt(core -> core.below().size())
                // of two claims of 16 the longer one has the coins of the other
                .thenComparingInt(core -> -core.claimsOfMany())
                .thenComparing(core -> core.core().hex()));
    rest.addAll(chosen());
    List<OwnCore> order = new ArrayList<>();
    Set<SerialNumber> leads = new HashSet<>(Set.of(lead));
    while (true) {
      Optional<OwnCore> next =
          (order.isEmpty() ? first(rest) : Optional.<OwnCore>empty())
              .or(() -> related(rest, leads, child -> !child.recover() && !isAtLead(child)))
              .or(() -> related(rest, leads, core -> true));
      if (next.isEmpty()) {
        return order;
      }
      rest.remove(next.get());
      leads.add(next.get().nextSerial());
      order.add(next.get());
    }
  }

  /** The known cores with the evidence whose turn it is, also where one is below another. */
  private List<OwnCore> chosen() {
    List<OwnCore> cores = new ArrayList<>();
    Map<TxCore, BelowList.Entry> transfers = new HashMap<>();
    int rest = choice;
    for (KnownCore one :
        known.values().stream()
            .sorted(Comparator.comparing((KnownCore core) -> core.core().hex()))
            .toList()) {
      OwnCore own = one.own(rest % one.choices());
      rest /= one.choices();
      cores.add(own);
      if (one instanceof KnownCore.Transfer) {
        transfers.put(own.core(), own.requests().getLast());
      }
    }
    return cores.stream().map(core -> core.with(transfers)).toList();
  }

  private boolean isAtLead(OwnCore core) {
    return core.lead().equals(lead);
  }

  private static Optional<OwnCore> related(
      SortedSet<OwnCore> rest, Set<SerialNumber> leads, Predicate<OwnCore> which) {
    return rest.stream().filter(core -> leads.contains(core.lead())).filter(which).findFirst();
  }

  private Optional<OwnCore> first(SortedSet<OwnCore> rest) {
    Set<SerialNumber> leads = rest.stream().map(OwnCore::lead).collect(Collectors.toSet());
    boolean childless = leads.equals(Set.of(lead));
    Comparator<OwnCore> largest =
        Comparator.comparingInt((OwnCore core) -> childless ? -core.below().size() : 0);
    return rest.stream()
        .filter(this::isAtLead)
        .min(
            Comparator.comparing((OwnCore core) -> core.transfers().noneMatch(this::isUnknown))
                .thenComparing(largest)
                .thenComparing(core -> !leads.contains(core.nextSerial()))
                .thenComparing(rest.comparator()));
  }

  private boolean isUnknown(TxCore core) {
    return !known.containsKey(core);
  }
}
