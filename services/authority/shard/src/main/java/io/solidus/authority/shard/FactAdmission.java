package io.solidus.authority.shard;

import io.solidus.authority.common.facts.FactBook;
import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.spend.Admission;
import io.solidus.authority.spend.Spend;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import java.time.Clock;

/** The rule about policies and checkpoints, applied to what is known now. */
class FactAdmission implements Admission<Transfer> {

  private final NetworkId network;
  private final Committee committee;
  private final FactBook book;
  private final AdmissionRule rule;
  private final Clock clock;

  FactAdmission(
      NetworkId network, Committee committee, FactBook book, AdmissionRule rule, Clock clock) {
    this.network = network;
    this.committee = committee;
    this.book = book;
    this.rule = rule;
    this.clock = clock;
  }

  @Override
  public void require(Spend<Transfer> spend) {
    var request = spend.request().request();
    // only counts; whether the partial signatures are valid is the signer's to say
    boolean finishing = request.certificate().size() >= committee.weakQuorum();
    rule.admit(book.facts(), request.statement(), request.evidence(), finishing, clock.instant());
    request.requireContext(network);
  }
}
