package io.solidus.operator.sanctions.list;

import io.solidus.operator.sanctions.approval.Proposal;
import io.solidus.operator.sanctions.approval.ProposalKind;
import io.solidus.operator.sanctions.approval.Proposals;
import io.solidus.operator.sanctions.list.ListRefusedException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Reads one file completely or not at all, and proposes it as the next version of a list. Screening
 * uses it when another person has accepted it.
 */
@Service
class ListImport {
  private static final Logger log = LoggerFactory.getLogger(ListImport.class);

  /** How many imports of a list may wait for a decision. */
  private static final int MAX_PENDING = 3;

  private final ListStore store;
  private final ListDelta delta;
  private final Proposals proposals;
  private final Clock clock;

  ListImport(ListStore store, ListDelta delta, Proposals proposals, Clock clock) {
    this.store = store;
    this.delta = delta;
    this.proposals = proposals;
    this.clock = clock;
  }

  /**
   * What the approver decides on. Numbers of entries in the delta count references.
   *
   * @param version the version that the file becomes
   * @param base the version in force that the delta is against; 0 when there is none
   * @param fileDigest SHA-256 of the file, hexadecimal
   * @param published the date that the file states, or empty
   * @param malformed how many entries of the file were skipped
   * @param before how many entries the version in force has
   * @param objections codes of {@link Objection}; each needs the reason and its confirmation
   * @param reason of the person who imports; null when none was given
   * @param reader which reader read the file; null in proposals from before readers had numbers
   */
  record Payload(
      String list,
      long version,
      long base,
      String fileDigest,
      long fileBytes,
      String published,
      int entries,
      int names,
      int malformed,
      List<Integer> malformedAt,
      int before,
      int added,
      int removed,
      int changed,
      List<String> objections,
      @Nullable String reason,
      @Nullable Integer reader) {}

  /**
   * The result of an import.
   *
   * @param inForce the version in force, or null
   * @param proposal null when the file is the version in force already
   */
  record Result(@Nullable ListVersion inForce, @Nullable Proposal proposal) {}

  /**
   * Proposes a file as the next version of a list.
   *
   * @param reason why the file is right although something speaks against it
   * @throws ListRefusedException when the file is refused; nothing of it is stored
   */
  @Transactional(rollbackFor = Exception.class)
  public Result propose(ListId list, ListFile file, @Nullable String reason, String operator)
      throws IOException, ListRefusedException {
    long base = store.lockHead(list);
    ListVersion inForce = store.version(list, base).orElse(null);
    if (inForce != null
        && inForce.fileDigest().equals(file.digest())
        && inForce.reader() >= ListParser.READER) {
      return new Result(inForce, null);
    }
    store.deleteUnacceptable(list);
    if (store.pendingImports(list) >= MAX_PENDING) {
      throw new ListRefusedException(
          Reason.TOO_MANY_PENDING,
          MAX_PENDING + " imports of this list wait for a decision; accept or refuse one first");
    }
    long version = store.freeVersion(list);
    ParseReport report = write(list, version, file);
    ListDelta.Counts counts = delta.count(list, base, version);
    List<Objection> objections = Objection.to(report, counts, inForce, clock.instant());
    if (!objections.isEmpty() && reason == null) {
      throw new ListRefusedException(Reason.NEEDS_REASON, detail(objections, counts, report));
    }
    Payload payload =
        new Payload(
            list.id(),
            version,
            base,
            file.digest(),
            file.bytes(),
            report.published(),
            report.entries(),
            report.names(),
            report.malformed(),
            report.malformedAt(),
            counts.before(),
            counts.added(),
            counts.removed(),
            counts.changed(),
            objections.stream().map(Objection::code).toList(),
            reason,
            ListParser.READER);
    Proposal proposal = proposals.propose(ProposalKind.LIST_IMPORT, payload, operator, null);
    store.insertImport(list, version, base, proposal.id());
    log.info(
        "list {} version {} proposed: {} entries, {} malformed, {} added, {} removed, {} changed,"
            + " objections {}",
        list.id(),
        version,
        report.entries(),
        report.malformed(),
        counts.added(),
        counts.removed(),
        counts.changed(),
        payload.objections());
    return new Result(inForce, proposal);
  }

  private static String detail(
      List<Objection> objections, ListDelta.Counts counts, ParseReport report) {
    return "objections: "
        + String.join(", ", objections.stream().map(Objection::code).toList())
        + "; the file has "
        + report.entries()
        + " entries and "
        + report.malformed()
        + " malformed ones; of "
        + counts.before()
        + " entries in force it removes "
        + counts.removed()
        + " and changes "
        + counts.changed()
        + "; repeat with a reason if the file is right";
  }

  private ParseReport write(ListId list, long version, ListFile file)
      throws IOException, ListRefusedException {
    ListStore.Writer writer = store.writer(list, version);
    try (InputStream in = file.open()) {
      ParseReport report = ListParser.of(list).parse(in, writer);
      writer.flush();
      return report;
    }
  }
}
