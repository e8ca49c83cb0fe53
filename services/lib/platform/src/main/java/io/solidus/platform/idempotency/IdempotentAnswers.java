package io.solidus.platform.idempotency;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/**
 * Answers by Idempotency-Key: the same key with the same body gets the stored answer, with another
 * body it is refused. Services add {@code classpath:db/idempotency} to their migrations.
 */
public class IdempotentAnswers {
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{8,128}");

  private final JdbcClient jdbc;

  public IdempotentAnswers(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** An answer as it was given. */
  public record Answer(int status, byte[] body) {}

  private record Row(byte[] digest, int status, byte[] answer) {}

  /**
   * The answer already given, if any. @throws ProtocolException malformed-request or
   * idempotency-mismatch
   */
  public Optional<Answer> find(String scope, String key, Digest32 body) {
    if (!KEY.matcher(key).matches()) {
      throw ProtocolException.malformed(
          "an Idempotency-Key has 8 to 128 characters of A-Z a-z 0-9 _ -");
    }
    return jdbc.sql(
            "SELECT body_digest, status, answer FROM idempotent_answer WHERE scope = ? AND key = ?")
        .params(scope, key)
        .query((set, n) -> new Row(set.getBytes(1), set.getInt(2), set.getBytes(3)))
        .optional()
        .map(row -> matching(row, body));
  }

  /** Stores an answer; when another call was faster, its answer is returned instead. */
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
   * Runs {@code action} and keeps its answer in one transaction, unless there is an answer already.
   * Of concurrent calls with one key the first runs and the others wait for its answer; when the
   * action throws, nothing is kept.
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
    if (!Arrays.equals(row.digest(), body.bytes())) {
      throw new ProtocolException(
          RejectionCode.IDEMPOTENCY_MISMATCH, "this Idempotency-Key was used with another body");
    }
    return new Answer(row.status(), row.answer());
  }
}
