package io.solidus.platform.idempotency;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores answers by Idempotency-Key. A repeated key with the same body gets the stored answer; with
 * another body it is refused. Services add {@code classpath:db/idempotency} to their migrations.
 */
public class IdempotentAnswers {
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{8,128}");

  private final JdbcClient jdbc;

  public IdempotentAnswers(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A stored answer. */
  public record Answer(int status, byte[] body) {}

  private record Row(Digest32 body, Answer answer) {}

  /**
   * Returns the stored answer, if any.
   *
   * @throws ProtocolException malformed-request or idempotency-mismatch
   */
  public Optional<Answer> find(String scope, String key, Digest32 body) {
    if (!KEY.matcher(key).matches()) {
      throw ProtocolException.malformed(
          "an Idempotency-Key has 8 to 128 characters of A-Z a-z 0-9 _ -");
    }
    return jdbc.sql(
            "SELECT body_digest, status, answer FROM idempotent_answer WHERE scope = ? AND key = ?")
        .params(scope, key)
        .query((set, n) ->
            new Row(new Digest32(set.getBytes(1)), new Answer(set.getInt(2), set.getBytes(3))))
        .optional()
        .map(row -> matching(row, body));
  }

  /** Stores an answer, unless there is one already, and returns the stored one. */
  @Transactional
  public Answer store(String scope, String key, Digest32 body, Answer answer) {
    jdbc.sql(
            "INSERT INTO idempotent_answer (scope, key, body_digest, status, answer) VALUES (?, ?, ?, ?, ?)"
                + " ON CONFLICT DO NOTHING")
        .params(scope, key, body.bytes(), answer.status(), answer.body())
        .update();
    return find(scope, key, body).orElseThrow();
  }

  /**
   * Runs {@code action} and stores its answer in one transaction, unless there is an answer
   * already. Of concurrent calls with one key the first runs, and the others wait for its answer.
   * If the action throws, nothing is stored.
   */
  @Transactional
  public Answer once(String scope, String key, Digest32 body, Supplier<Answer> action) {
    jdbc.sql("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")
        .param("solidus/idempotency/" + scope + "/" + key)
        .query((row, n) -> true)
        .single();
    return find(scope, key, body).orElseGet(() -> store(scope, key, body, action.get()));
  }

  private static Answer matching(Row row, Digest32 body) {
    if (!row.body().equals(body)) {
      throw new ProtocolException(
          RejectionCode.IDEMPOTENCY_MISMATCH, "this Idempotency-Key was used with another body");
    }
    return row.answer();
  }
}
