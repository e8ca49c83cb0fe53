package io.solidus.authority.shard;

import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.AdmissionCheck;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.TransferRequest;
import java.time.Clock;

/** Admits transfers by the rules in force. */
class TransferAdmission implements AdmissionCheck<Transfer> {

  private final NetworkId network;
  private final Committee committee;
  private final RulesCache rules;
  private final AdmissionRule rule;
  private final ShardFloors floors;
  private final Clock clock;

  TransferAdmission(
      NetworkId network,
      Committee committee,
      RulesCache rules,
      AdmissionRule rule,
      ShardFloors floors,
      Clock clock) {
    this.network = network;
    this.committee = committee;
    this.rules = rules;
    this.rule = rule;
    this.floors = floors;
    this.clock = clock;
  }

  @Override
  public void require(SpendRequest<Transfer> request, boolean holdsLead) {
    TransferRequest transfer = request.content().request();
    // only counted: the signer verifies the partial signatures
    boolean finishing = transfer.certificate().size() >= committee.weakQuorum();
    rule.admit(
        rules.current(),
        transfer.statement(),
        transfer.evidence(),
        finishing || holdsLead,
        clock.instant());
    if (!finishing && !holdsLead) {
      floors.require(transfer);
    }
    transfer.requireContext(network);
  }
}
