package io.solidus.operator.issuance.funding;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.screening.Screenings;
import io.solidus.operator.issuance.screening.Screenings.Subject;
import java.util.List;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/** Screens the payer whom the bank named on a funding's line. */
@Service
public class PayerScreening {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final FundingLines lines;
  private final Screenings screenings;

  PayerScreening(FundingLines lines, Screenings screenings) {
    this.lines = lines;
    this.screenings = screenings;
  }

  /**
   * Requires that no sanction list has the payer of a funding, or that two persons have said that
   * it is somebody else. A funding without a line names no payer; {@code
   * solidus.issuance.bank.fundings-need-line} refuses those.
   *
   * @throws DeskConflictException screening-match
   * @throws io.solidus.protocol.ProtocolException unavailable when the sanctions service does not
   *     answer
   */
  public void requirePasses(String fundingId) {
    if (!screenings.areUsed()) {
      return;
    }
    lines
        .find(fundingId)
        .map(line -> JSON.readTree(line.counterparty()).path("name").asString(""))
        .filter(
            payer -> screenings.pass(List.of(Subject.funding(fundingId, payer))).contains(false))
        .ifPresent(payer -> {
          throw new DeskConflictException(
              "screening-match",
              "the payer of the funding matches a sanction list; two persons have to say what it is");
        });
  }
}
