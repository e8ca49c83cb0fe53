package io.solidus.edge.gateway.coins;

import static io.solidus.protocol.RejectionCode.NO_QUORUM;
import static io.solidus.protocol.RejectionCode.OVERLOADED;

import io.solidus.edge.gateway.load.Admission;
import io.solidus.edge.gateway.tokens.TokenGate;
import io.solidus.platform.description.Refuses;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Member;
import io.solidus.wire.json.RecoverRequestJson;
import io.solidus.wire.json.SignedStatesJson;
import io.solidus.wire.json.TransferRequestJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/coins")
@Tag(name = "coins")
class CoinStateController {
  /** A larger question takes more places, because it costs every authority more. */
  private static final int SERIALS_PER_PLACE = 4;

  /**
   * The most recovers in a reply, each up to 60 kB long; ask for fewer serial numbers to see more.
   */
  private static final int MAX_RECOVERS = 32;

  private final CoinStateService states;
  private final Admission admission;
  private final TokenGate tokens;

  CoinStateController(CoinStateService states, Admission admission, TokenGate tokens) {
    this.states = states;
    this.admission = admission;
    this.tokens = tokens;
  }

  /**
   * @param serials base64url, at most 64
   * @param nonce base64url, 32 random bytes of the wallet's, for which the authorities sign;
   *     without it nothing is signed
   */
  record Question(
      @Member(bytes = 32, min = 1, max = CoinStateService.MAX_SERIALS)
          @Nullable List<String> serials,
      @Member(bytes = 32, optional = true) @Nullable String nonce) {}

  /**
   * @param status unspent, reserved, signed or unknown
   * @param core hexadecimal; present when the status is signed or reserved
   * @param unspent indexes of the authorities that report the serial number as unspent
   * @param requests every stored request that an authority returned, of any core, at most one for
   *     each authority; only for the lead serial number of a transfer
   * @param recovers every stored recover that an authority returned, at most eight; only for the
   *     lead serial number of a recover
   */
  record State(
      @Member(bytes = 32) String serial,
      @Member(pattern = "unspent|reserved|signed|unknown") String status,
      @Member(hexBytes = 32, optional = true) @Nullable String core,
      List<Integer> unspent,
      List<Shown> requests,
      List<ShownRecover> recovers) {
    /**
     * Shows a state.
     *
     * @param room for recovers in the reply; each one shown takes a permit
     */
    static State of(CoinState state, Semaphore room) {
      return new State(
          Base64Url.encode(state.serial().bytes()),
          state.status().name().toLowerCase(Locale.ROOT),
          state.core() == null ? null : state.core().hex(),
          state.unspent(),
          state.requests().stream().map(Shown::of).toList(),
          state.recovers().stream()
              .filter(any -> room.tryAcquire())
              .map(ShownRecover::of)
              .toList());
    }
  }

  /**
   * @param authorities indexes of those that returned exactly this request
   * @param core hexadecimal, recomputed from the request
   */
  record Shown(
      List<Integer> authorities, @Member(hexBytes = 32) String core, TransferRequestJson request) {
    static Shown of(CoinState.Shown<TransferRequest> shown) {
      return new Shown(
          shown.authorities(), shown.core().hex(), TransferRequestJson.of(shown.request()));
    }
  }

  /**
   * @param authorities indexes of those that returned exactly this recover
   * @param core hexadecimal, recomputed from the recover
   */
  record ShownRecover(
      List<Integer> authorities, @Member(hexBytes = 32) String core, RecoverRequestJson request) {
    static ShownRecover of(CoinState.Shown<RecoverRequest> shown) {
      return new ShownRecover(
          shown.authorities(), shown.core().hex(), RecoverRequestJson.of(shown.request()));
    }
  }

  /**
   * @param states in the order of the question
   * @param signed what authorities signed for the nonce: at most one for each shard of each
   *     authority
   */
  record Reply(
      @Member(min = 1, max = CoinStateService.MAX_SERIALS) List<State> states,
      List<SignedStatesJson> signed) {}

  @PostMapping("/state")
  @Refuses({OVERLOADED, NO_QUORUM})
  @Operation(
      operationId = "lookUpCoins",
      summary = "Look up serial numbers at the authorities",
      description =
          "A POST, because access logs record addresses and serial numbers must not appear there. A"
              + " wallet uses the stored requests to recover from its seed phrase. Up to f"
              + " authorities may lie. Therefore the answer holds every request that an authority"
              + " returned, with the authorities that returned it. The owner takes the request"
              + " whose memo opens. With a nonce the authorities sign their answers. The owner"
              + " takes the coin for unspent only when 2f+1 authorities signed that no core holds"
              + " it, for a nonce that the owner has just drawn, and none of the requests is the"
              + " owner's.")
  Reply states(
      @Parameter(hidden = true) // a client that is generated would ask for it
          @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false)
          @Nullable String authorization,
      @RequestBody Question question) {
    List<String> texts = question.serials();
    if (texts == null || texts.isEmpty() || texts.size() > CoinStateService.MAX_SERIALS) {
      throw ProtocolException.malformed(
          "ask for 1 to " + CoinStateService.MAX_SERIALS + " serial numbers");
    }
    List<SerialNumber> serials =
        texts.stream()
            .map(text -> new SerialNumber(FieldElement.of(Base64Url.decode(text, "serials"))))
            .toList();
    if (serials.stream().distinct().count() != serials.size()) {
      throw ProtocolException.malformed("ask for each serial number once");
    }
    String drawn = question.nonce();
    Optional<Digest32> nonce =
        drawn == null
            ? Optional.empty()
            : Optional.of(Digest32.of(Base64Url.decode(drawn, "nonce")));
    CoinStateService.Answer answer =
        admission.run(
            tokens.classOf(authorization, Admission.RequestClass.LOOK_UP),
            places(serials),
            () -> states.states(serials, nonce));
    Semaphore room = new Semaphore(MAX_RECOVERS);
    return new Reply(
        answer.states().stream().map(state -> State.of(state, room)).toList(),
        answer.signed().stream().map(SignedStatesJson::of).toList());
  }

  private static int places(List<SerialNumber> serials) {
    return (serials.size() + SERIALS_PER_PLACE - 1) / SERIALS_PER_PLACE;
  }
}
