package io.solidus.loadtest.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Assertions on the gateway's log. */
final class LogCheck {
  private LogCheck() {}

  /**
   * The log names each reported authority with each of its reasons, no other authority, and no part
   * of any request.
   */
  static void namesExactlyTheReportedAuthorities(GatewayRig rig, List<TransferRequest> requests) {
    List<String> expected = new ArrayList<>();
    rig.reports()
        .forEach((authority, reasons) ->
            reasons.keySet().forEach(reason -> expected.add(line(authority, reason))));
    List<String> lines =
        rig.log().stream().filter(text -> text.contains("since the last such line")).toList();
    for (String start : expected) {
      assertThat(lines).anyMatch(text -> text.startsWith(start));
    }
    assertThat(lines).allMatch(text -> expected.stream().anyMatch(text::startsWith));
    assertThat(expected).isNotEmpty();
    saysNothingOf(rig, requests);
  }

  private static String line(int authority, String reason) {
    String verdict =
        reason.equals("disputes-evidence") ? "stands against a quorum" : "is provably wrong";
    return "WARN authority " + authority + " " + verdict + ": " + reason + ",";
  }

  private static void saysNothingOf(GatewayRig rig, List<TransferRequest> requests) {
    String log = String.join("\n", rig.log());
    for (TransferRequest request : requests) {
      assertThat(log).doesNotContain(request.statement().core(ForgedNetwork.NETWORK).hex());
      request
          .statement()
          .serials()
          .forEach(serial ->
              assertThat(log)
                  .doesNotContain(Base64Url.encode(serial.bytes()))
                  .doesNotContain(serial.value().hex()));
      request.statement().outputs().forEach(coin -> assertThat(log).doesNotContain(coin.k().hex()));
    }
  }

  /** The number of answers of an authority with an outcome. */
  static double answers(GatewayRig rig, int authority, String outcome) {
    return rig.answers().getOrDefault(authority, Map.of()).getOrDefault(outcome, 0.0);
  }
}
