package io.solidus.edge.gateway.transfers;

import io.solidus.edge.gateway.coins.CoinState;
import io.solidus.edge.gateway.coins.CoinStateService;
import io.solidus.edge.gateway.events.EventStreams;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.edge.gateway.tokens.TokenGate;
import io.solidus.platform.description.Refuses;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.extensions.Extension;
import io.swagger.v3.oas.annotations.extensions.ExtensionProperty;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/transfers")
@Tag(name = "transfers")
class TransferEventsController {
  /** Schemas of the data of events, by their names. */
  private static final String EVENTS =
      """
      {"transfer": {
        "type": "object",
        "additionalProperties": false,
        "required": ["state"],
        "properties": {
          "state": {
            "type": "string",
            "enum": ["unspent", "reserved", "signed", "other", "unknown"]}}}}
      """;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(16);

  private final CoinStateService coins;
  private final Admission admission;
  private final EventStreams streams;
  private final TokenGate tokens;

  TransferEventsController(
      CoinStateService coins, Admission admission, EventStreams streams, TokenGate tokens) {
    this.coins = coins;
    this.admission = admission;
    this.streams = streams;
    this.tokens = tokens;
  }

  @GetMapping(path = "/{core}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  @Refuses(RejectionCode.OVERLOADED)
  @Operation(
      operationId = "streamTransfer",
      summary = "Be told what becomes of a transfer",
      description =
          "Server-sent events with the name `transfer` and the data `{\"state\": S}`, one for each"
              + " change: `unspent`, `reserved`, `signed`, `other` (authorities hold the serial"
              + " number for another core) or `unknown`. The stream ends with `signed`, or after"
              + " some minutes; a client opens it anew. The authorities say so, unsigned; a wallet"
              + " then asks for the signatures and verifies them.")
  @ApiResponse(
      responseCode = "200",
      description = "events",
      content =
          @Content(
              mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
              schema = @Schema(type = "string")),
      extensions =
          @Extension(
              properties =
                  @ExtensionProperty(name = "x-events", value = EVENTS, parseValue = true)))
  void events(
      @Member(hexBytes = 32) @PathVariable String core,
      @Member(bytes = 32) @RequestParam String lead,
      @Parameter(hidden = true) // a client that is generated would ask for it
          @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false)
          @Nullable String authorization,
      HttpServletRequest request,
      HttpServletResponse response) {
    SerialNumber serial = new SerialNumber(FieldElement.of(Base64Url.decode(lead, "lead")));
    Admission.RequestClass kind = tokens.classOf(authorization, Admission.RequestClass.LOOK_UP);
    streams.run(request, response, new Watch(serial, TxCore.fromHex(core), kind));
  }

  /** Asks the authorities again and again, ever more seldom, within the rate of look-ups. */
  private final class Watch implements EventStreams.Source {
    private final SerialNumber lead;
    private final TxCore core;
    private final Admission.RequestClass kind;
    private String told = "";
    private Duration pause = FIRST_PAUSE;
    private long nextLook = System.nanoTime();

    Watch(SerialNumber lead, TxCore core, Admission.RequestClass kind) {
      this.lead = lead;
      this.core = core;
      this.kind = kind;
    }

    @Override
    public EventStreams.@Nullable Event next(Duration patience) throws InterruptedException {
      long end = System.nanoTime() + patience.toNanos();
      while (nextLook - end <= 0) {
        Thread.sleep(Duration.ofNanos(Math.max(0, nextLook - System.nanoTime())));
        String state = look();
        nextLook = System.nanoTime() + pause.toNanos();
        pause = pause.multipliedBy(2);
        if (pause.compareTo(LONGEST_PAUSE) > 0) {
          pause = LONGEST_PAUSE;
        }
        if (!state.equals(told)) {
          told = state;
          return new EventStreams.Event(
              null, "transfer", "{\"state\":\"" + state + "\"}", state.equals("signed"));
        }
      }
      Thread.sleep(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      return null;
    }

    private String look() {
      try {
        return state(
            admission
                .run(kind, () -> coins.states(List.of(lead), Optional.empty()))
                .states()
                .getFirst());
      } catch (ProtocolException e) {
        return told.isEmpty() ? "unknown" : told; // busy, or no quorum: asked again later
      }
    }

    private String state(CoinState coin) {
      return switch (coin.status()) {
        case UNSPENT -> "unspent";
        case UNKNOWN -> "unknown";
        case RESERVED -> core.equals(coin.core()) ? "reserved" : "other";
        case SIGNED -> core.equals(coin.core()) ? "signed" : "other";
      };
    }
  }
}
