package io.solidus.edge.gateway.coins;

import io.solidus.edge.gateway.load.Admission;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.TransferRequestJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/coins")
@Tag(name = "coins")
class CoinStateController {
  private static final int MAX_SERIALS = 64;

  private final CoinDesk desk;
  private final Admission admission;

  CoinStateController(CoinDesk desk, Admission admission) {
    this.desk = desk;
    this.admission = admission;
  }

  /**
   * @param serials base64url, at most 64
   */
  record Question(@Nullable List<String> serials) {}

  /**
   * @param status unspent, reserved, signed or unknown
   * @param core hexadecimal; of the status signed or reserved
   * @param unspent numbers of the authorities that say so
   * @param requests every stored request that authorities showed, of any core, at most one for each
   *     authority; for the lead serial number of a transfer
   */
  record State(
      String serial,
      String status,
      @Nullable String core,
      List<Integer> unspent,
      List<Shown> requests) {
    static State of(CoinState state) {
      return new State(
          Base64Url.encode(state.serial().bytes()),
          state.status().name().toLowerCase(Locale.ROOT),
          state.core() == null ? null : state.core().hex(),
          state.unspent(),
          state.requests().stream().map(Shown::of).toList());
    }
  }

  /**
   * @param authorities numbers of those that showed exactly this request
   * @param core hexadecimal, recomputed from the request
   */
  record Shown(List<Integer> authorities, String core, TransferRequestJson request) {
    static Shown of(CoinState.Shown shown) {
      return new Shown(
          shown.authorities(), shown.core().hex(), TransferRequestJson.of(shown.request()));
    }
  }

  /** In the order asked. */
  record Reply(List<State> states) {}

  @PostMapping("/state")
  @Operation(
      summary = "What the authorities know of serial numbers",
      description =
          "A POST so that serial numbers are in no log of addresses. With the stored request a wallet recovers from its seed phrase."
              + " Up to f authorities may lie, so every request that one showed is given, with who showed it: the owner takes the one whose"
              + " memo opens, and takes the coin for unspent only when 2f+1 authorities say so and no request is hers.")
  Reply states(@RequestBody Question question) {
    List<String> texts = question.serials();
    if (texts == null || texts.isEmpty() || texts.size() > MAX_SERIALS) {
      throw ProtocolException.malformed("ask for 1 to " + MAX_SERIALS + " serial numbers");
    }
    List<SerialNumber> serials =
        texts.stream()
            .map(text -> new SerialNumber(FieldElement.of(Base64Url.decode(text, "serials"))))
            .toList();
    if (serials.stream().distinct().count() != serials.size()) {
      throw ProtocolException.malformed("ask for each serial number once");
    }
    return new Reply(admission.admit(() -> desk.states(serials)).stream().map(State::of).toList());
  }
}
