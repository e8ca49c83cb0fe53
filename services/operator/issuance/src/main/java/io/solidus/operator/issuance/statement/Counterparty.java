package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.message.BankReport.Line;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The other side of a line, which is stored sealed.
 *
 * @param name of the payer or payee, or null
 * @param account of the payer or payee, or null
 * @param text what the payer wrote, or null
 */
record Counterparty(@Nullable String name, @Nullable String account, @Nullable String text) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  static Counterparty of(Line line) {
    return new Counterparty(line.counterparty(), line.account(), line.remittance());
  }

  static Counterparty open(RedemptionKeys keys, byte[] sealed) {
    return JSON.readValue(keys.openRecord(sealed), Counterparty.class);
  }

  byte[] seal(RedemptionKeys keys) {
    return keys.sealRecord(JSON.writeValueAsBytes(this));
  }

  @Override
  public String toString() {
    return "Counterparty[redacted]";
  }
}
