package io.solidus.authority.shard;

import io.solidus.authority.common.facts.FactBook;
import io.solidus.authority.shard.Submitted.Mint;
import io.solidus.authority.spend.Admission;
import io.solidus.authority.spend.Spend;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.protocol.Amount;
import java.time.Clock;
import java.util.List;

/**
 * Mints are taken while a policy is in force, and counted against its cap when their mint ids are
 * reserved for the first time.
 */
class MintRules implements Admission<Mint>, SqlLedger.FirstTime<Mint> {

  private final FactBook book;
  private final AdmissionRule rule;
  private final MintCap cap;
  private final Clock clock;

  MintRules(FactBook book, AdmissionRule rule, MintCap cap, Clock clock) {
    this.book = book;
    this.rule = rule;
    this.cap = cap;
    this.clock = clock;
  }

  @Override
  public void require(Spend<Mint> spend) {
    perDay();
  }

  @Override
  public void count(List<Spend<Mint>> spends) {
    Amount perDay = perDay();
    spends.forEach(spend -> cap.use(spend.request().request().statement().value(), perDay));
  }

  private Amount perDay() {
    return rule.admitMint(book.facts(), clock.instant()).mintCapPerDay();
  }
}
