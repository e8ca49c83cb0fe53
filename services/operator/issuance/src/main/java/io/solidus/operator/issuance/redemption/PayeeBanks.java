package io.solidus.operator.issuance.redemption;

import io.solidus.operator.issuance.screening.Screenings;
import io.solidus.operator.issuance.settings.IssuanceProperties;
import io.solidus.operator.issuance.settings.IssuanceProperties.BankSettings;
import io.solidus.platform.bank.IbanBeginnings;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The banks of payees, which a member of a settlement system has to name. */
@Component
class PayeeBanks {
  private final @Nullable BankSettings bank;
  private final Screenings screenings;

  PayeeBanks(IssuanceProperties properties, Screenings screenings) {
    this.bank = properties.bank();
    this.screenings = screenings;
  }

  /** What is known of a payout before its payee is screened. */
  PayoutHold unscreened(Payout payout) {
    PayoutHold hold = hold(payout);
    return hold == PayoutHold.NONE && screenings.areUsed() ? PayoutHold.UNEXAMINED : hold;
  }

  /** Why a message to the bank cannot name this payee. */
  PayoutHold hold(Payout payout) {
    if (!payout.hasValidIban()) {
      return PayoutHold.IBAN_INVALID;
    }
    return bank == null || !bank.isMember() || agent(payout.account()).isPresent()
        ? PayoutHold.NONE
        : PayoutHold.AGENT_UNKNOWN;
  }

  /** The BIC of a payee's bank by the longest beginning of the IBAN that is configured. */
  Optional<String> agent(String iban) {
    return IbanBeginnings.longest(iban, bank == null ? Map.of() : bank.agents());
  }
}
