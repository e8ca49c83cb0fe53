package io.solidus.validator.shard;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.validator.facts.AdmissionRule;
import io.solidus.validator.facts.FactBook;
import io.solidus.validator.shard.Failpoints.Step;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.PartialSignature;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The order of work on a request (protocol section 5): answered before, policy, cheap checks, proof, reserve the lead
 * serial durably, reserve the others, sign, store, answer. Whatever step a crash interrupts, the same core sent again
 * goes through the steps again and ends in the same bytes.
 *
 * <p>Specification: [V-02], [V-07], [V-08].
 */
class Submissions {

  private final NetworkId network;
  private final NetworkKind kind;
  private final Committee committee;
  private final Ownership ownership;
  private final SerialStore serials;
  private final CoreStore cores;
  private final MintCap mintCap;
  private final Siblings siblings;
  private final Signer signer;
  private final Admissions admissions;
  private final Failpoints failpoints;
  private final TransactionTemplate transaction;

  Submissions(
      ShardIdentity identity,
      Stores stores,
      Neighbours neighbours,
      Admissions admissions,
      Failpoints failpoints,
      TransactionTemplate transaction) {
    this.network = identity.network();
    this.kind = identity.kind();
    this.committee = identity.committee();
    this.ownership = stores.ownership();
    this.serials = stores.serials();
    this.cores = stores.cores();
    this.mintCap = stores.mintCap();
    this.siblings = neighbours.siblings();
    this.signer = neighbours.signer();
    this.admissions = admissions;
    this.failpoints = failpoints;
    this.transaction = transaction;
  }

  /** Which network and committee this shard works for. */
  record ShardIdentity(NetworkId network, NetworkKind kind, Committee committee) {}

  record Stores(Ownership ownership, SerialStore serials, CoreStore cores, MintCap mintCap) {}

  record Neighbours(Siblings siblings, Signer signer) {}

  /** The rule about policies and checkpoints, applied to what is known now. */
  record Admissions(FactBook book, AdmissionRule rule, Clock clock) {

    void require(TransferRequest request, boolean finishing) {
      rule.admit(book.facts(), request.statement(), request.evidence(), finishing, clock.instant());
    }

    Amount mintCap() {
      return rule.admitMint(book.facts(), clock.instant()).mintCapPerDay();
    }
  }

  /** The answer's exact bytes: a PartialSignature message. */
  byte[] transfer(TransferRequest request) {
    TransferStatement statement = request.statement();
    requireFamily(statement.family());
    TxCore core = statement.core(network);
    Optional<byte[]> answer = cores.answer(core);
    if (answer.isPresent()) {
      return answer.get();
    }
    ownership.requireOwned(statement.leadSerial());
    admissions.require(request, claimsToFinish(request));
    request.requireContext(network);
    List<SerialNumber> own = statement.serials().stream().filter(ownership::owns).toList();
    List<SerialNumber> foreign = statement.serials().stream().filter(s -> !ownership.owns(s)).toList();
    serials.requireNoOther(own, core);
    siblings.requireNoOther(foreign, core);

    io.solidus.wire.v1.TransferRequest wire = Codecs.toWire(request);
    signer.check(wire);
    failpoints.reach(Step.CHECKED);
    transaction.executeWithoutResult(
        t -> {
          serials.reserve(own, core);
          cores.put(core, statement.family(), statement.leadSerial(), wire.toByteArray());
        });
    failpoints.reach(Step.OWN_SERIALS_RESERVED);
    siblings.reserve(foreign, core);
    failpoints.reach(Step.ALL_SERIALS_RESERVED);
    return store(core, signer.sign(wire));
  }

  byte[] mint(MintRequest request) {
    TxCore core = request.statement().core(network);
    Optional<byte[]> answer = cores.answer(core);
    if (answer.isPresent()) {
      return answer.get();
    }
    SerialNumber serial = request.statement().serial(network);
    ownership.requireOwned(serial);
    Amount cap = admissions.mintCap();
    asMintConflict(() -> serials.requireNoOther(List.of(serial), core));

    io.solidus.wire.v1.MintRequest wire = Codecs.toWire(request);
    signer.check(wire);
    failpoints.reach(Step.CHECKED);
    asMintConflict(
        () ->
            transaction.executeWithoutResult(
                t -> {
                  // a mint reserved before was counted then
                  if (serials.reserve(List.of(serial), core) > 0) {
                    mintCap.use(request.statement().value(), cap);
                  }
                  cores.put(core, Family.MINT, serial, wire.toByteArray());
                }));
    failpoints.reach(Step.OWN_SERIALS_RESERVED);
    failpoints.reach(Step.ALL_SERIALS_RESERVED);
    return store(core, signer.sign(wire));
  }

  private byte[] store(TxCore core, PartialSignature signed) {
    failpoints.reach(Step.SIGNED);
    byte[] bytes = signed.toByteArray();
    Boolean first = transaction.execute(t -> cores.answered(core, bytes, signed.getShareEpoch()));
    byte[] answer = Boolean.TRUE.equals(first) ? bytes : cores.answer(core).orElseThrow();
    failpoints.reach(Step.ANSWER_STORED);
    return answer;
  }

  /** A network is regulated or not, never both: the other kind's transfers would bypass every limit. */
  private void requireFamily(Family family) {
    Family accepted = kind == NetworkKind.REGULATED ? Family.TRANSFER : Family.TRANSFER_UNREGULATED;
    if (family != accepted) {
      throw ProtocolException.malformed("this network does not accept the statement's family");
    }
  }

  /** Only counts; whether the partial signatures are valid is the signer's to say. */
  private boolean claimsToFinish(TransferRequest request) {
    return request.certificate().size() >= committee.weakQuorum();
  }

  private static void asMintConflict(Runnable step) {
    try {
      step.run();
    } catch (ProtocolException e) {
      if (e.code() == RejectionCode.SERIAL_CONFLICT) {
        throw new ProtocolException(RejectionCode.MINT_CONFLICT, "the mint id was used for another mint", e);
      }
      throw e;
    }
  }
}
