package io.solidus.operator.registration.screening;

import io.solidus.platform.security.BearerToken;
import io.solidus.protocol.Apk;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Client of the sanctions service for addresses that their owners have lost. */
public final class ReplacedAddresses implements AutoCloseable {
  private static final int MAX_ANSWER_BYTES = 16 * 1024;

  private final SanctionsCalls calls;
  private final SanctionsCalls.Limits limits;

  private record Question(String apk) {}

  private record Answer(
      @Nullable Boolean replaced, @Nullable Boolean published, @Nullable Boolean laterPeriod) {}

  /** What the sanctions service says of an address. */
  public enum State {
    /** Two persons have not listed it for good. */
    NOT_REPLACED,
    /** The newest checkpoint has it not. */
    UNPUBLISHED,
    /** Payments with it may count in a policy period that is not over. */
    IN_PERIOD,
    /** Nobody pays with it again. */
    GONE
  }

  /**
   * Creates the client.
   *
   * @param http closed with this client
   * @param base URL of the sanctions service
   * @param token of this service; null when network rules protect the sanctions service
   * @param timeout of a whole call
   */
  public ReplacedAddresses(
      HttpClient http, URI base, @Nullable BearerToken token, Duration timeout) {
    this.calls = new SanctionsCalls(http, base, token);
    this.limits = new SanctionsCalls.Limits(timeout, MAX_ANSWER_BYTES);
  }

  /**
   * Asks about an address.
   *
   * @throws ScreeningUnavailableException when there is no answer
   */
  public State ask(Apk apk) {
    Answer answer = calls.post("addresses/replaced", new Question(apk.hex()), limits, Answer.class);
    if (answer.replaced() == null || answer.published() == null || answer.laterPeriod() == null) {
      throw SanctionsCalls.incomplete();
    }
    if (!answer.replaced()) {
      return State.NOT_REPLACED;
    }
    if (!answer.published()) {
      return State.UNPUBLISHED;
    }
    return answer.laterPeriod() ? State.GONE : State.IN_PERIOD;
  }

  @Override
  public void close() {
    calls.close();
  }
}
