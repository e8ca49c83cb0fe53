package io.solidus.authority.shard;

import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.shard.SubmittedRequest.Mint;
import io.solidus.authority.spend.AdmissionCheck;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.protocol.Amount;
import java.time.Clock;
import java.util.List;

/**
 * Admits mints while a policy is in force, and counts them against its cap when their mint ids are
 * reserved for the first time.
 */
class MintAdmission implements AdmissionCheck<Mint>, SqlSpendStore.FirstTime<Mint> {

  private final RulesCache rules;
  private final AdmissionRule rule;
  private final DailyMintCap cap;
  private final Clock clock;

  MintAdmission(RulesCache rules, AdmissionRule rule, DailyMintCap cap, Clock clock) {
    this.rules = rules;
    this.rule = rule;
    this.cap = cap;
    this.clock = clock;
  }

  @Override
  public void require(SpendRequest<Mint> request, boolean holdsLead) {
    capPerDay();
  }

  @Override
  public void count(List<SpendRequest<Mint>> requests) {
    Amount capPerDay = capPerDay();
    requests.forEach(
        request -> cap.use(request.content().request().statement().value(), capPerDay));
  }

  private Amount capPerDay() {
    return rule.admitMint(rules.current(), clock.instant()).mintCapPerDay();
  }
}
