package io.solidus.dev.testkit.sample;

import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.outbox.Topics;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.v1.TransferSigned;
import java.time.Clock;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class SampleController {
  private final Outbox outbox;
  private final JdbcClient jdbc;
  private final Clock clock;

  SampleController(Outbox outbox, JdbcClient jdbc, Clock clock) {
    this.outbox = outbox;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  @PostMapping("/v1/partials")
  Map<String, Object> decode(@RequestBody PartialSignatureJson body) {
    return Map.of("authority", body.toDomain().authority());
  }

  @GetMapping("/v1/numbers/{number}")
  Map<String, Object> number(@PathVariable int number) {
    if (number == 13) {
      throw new IllegalStateException("a secret");
    }
    if (number == 9) {
      throw new ProtocolException(RejectionCode.NO_QUORUM, "not enough answers");
    }
    return Map.of("number", number);
  }

  @GetMapping("/v1/numbers")
  Map<String, Object> numbers(@RequestParam(defaultValue = "0") int from) {
    return Map.of("from", from);
  }

  @GetMapping("/admin/v1/me")
  @PreAuthorize("hasRole('" + Roles.AUDITOR + "')")
  Map<String, Object> me() {
    return Map.of("subject", Operator.current().subject());
  }

  /** Runs a statement in a transaction, as a service does. */
  @PostMapping("/v1/statements")
  @Transactional
  public void statement(@RequestBody String sql) {
    jdbc.sql("SELECT 1").query(Integer.class).single();
    jdbc.sql(sql).update();
  }

  @PostMapping("/v1/facts/{count}")
  @Transactional
  public void facts(@PathVariable int count) {
    for (int i = 0; i < count; i++) {
      outbox.append(
          Topics.SPENT,
          new byte[] {1},
          Events.envelope("sample", clock)
              .setTransferSigned(TransferSigned.newBuilder().setAuthority(1).setSignedCount(i))
              .build());
    }
  }
}
