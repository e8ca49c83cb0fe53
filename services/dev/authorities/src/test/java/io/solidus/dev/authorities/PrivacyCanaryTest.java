package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Family;
import io.solidus.protocol.Period;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Checks that an authority stores and logs no identity, amount or secret, and that its log contains
 * no serial numbers.
 */
@Tag("process")
@ExtendWith(OutputCaptureExtension.class)
class PrivacyCanaryTest {

  /** No other value in this test is equal. */
  private static final long AMOUNT = 918_273_645L;

  private static final long HELD = 5_192_837_465L;

  private static RegulatedNetwork network;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create();
    network
        .authority
        .with("logging.level.io.solidus", "trace")
        .with("logging.level.io.grpc", "info");
    network.start();
    network.publishPolicy(2, RegulatedNetwork.PERIOD, 1_000_000_000L);
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @Test
  void databaseAndLogsContainNoPayerPayeeOrAmount(CapturedOutput output) throws Exception {
    TestWallet payer = TestWallet.holding(network.keys, HELD, s -> true);
    TestWallet payee = network.walletOn(0);
    byte[] memo = TestRandom.bytes(Attachments.MEMO_BYTES);
    TransferRequest request =
        payer
            .draft(
                payee.apk(),
                AMOUNT,
                new Period(RegulatedNetwork.PERIOD),
                payer.dummyRho(s -> true),
                payer.dummyRho(s -> true),
                memo)
            .prove(network.rules());
    Replies.rejected(
        RejectionCode.PROOF_INVALID,
        network.submit(Altered.proof(request, new byte[Family.TRANSFER.proofBytes()])));
    Replies.signed(network.submit(request));
    Replies.signed(network.submit(request));

    Map<String, byte[]> secrets = new LinkedHashMap<>();
    secrets.put("payer", payer.apk().bytes());
    secrets.put("payee", payee.apk().bytes());
    secrets.put("nullifier key", payer.nullifierKey().bytes());
    secrets.put("amount", ByteBuffer.allocate(8).putLong(AMOUNT).array());
    secrets.put("balance after", ByteBuffer.allocate(8).putLong(HELD - AMOUNT).array());
    secrets.put("signing share", share());
    String database = dump();
    secrets.forEach((name, value) -> assertThat(database).as(name).doesNotContain(hex(value)));
    assertThat(database).doesNotContain(Long.toString(AMOUNT)).doesNotContain(Long.toString(HELD));
    assertThat(database).as("the dump contains the rows").contains(hex(memo));

    String signLog = hex(Files.readAllBytes(network.authority.signLog()));
    secrets.forEach((name, value) -> assertThat(signLog).as(name).doesNotContain(hex(value)));

    List<byte[]> linkable = new ArrayList<>(secrets.values());
    request.statement().serials().forEach(s -> linkable.add(s.bytes()));
    linkable.add(request.statement().core(network.keys.network()).bytes());
    linkable.add(request.evidence().rk().bytes());
    linkable.add(memo);
    String log = output.getAll();
    assertThat(log).as("the log was captured").contains("signing may begin");
    for (byte[] value : linkable) {
      assertThat(log)
          .doesNotContain(hex(value))
          .doesNotContain(base64(value))
          .doesNotContain(prefix(value));
    }
    assertThat(log).doesNotContain(Long.toString(AMOUNT)).doesNotContain(Long.toString(HELD));
  }

  @Test
  void metricsHaveOnlyKnownLabels() {
    var registry = network.authority.shard(0).getBean(MeterRegistry.class);
    assertThat(
            registry.getMeters().stream().filter(m -> m.getId().getName().startsWith("solidus.")))
        .isNotEmpty()
        .allSatisfy(m ->
            assertThat(m.getId().getTags())
                .allSatisfy(tag ->
                    assertThat(tag.getKey())
                        .isIn("kind", "outcome", "reason", "stage", "application")));
  }

  private static byte[] share() throws IOException {
    String text = Files.readString(network.keys.shareFile(1));
    return HexFormat.of().parseHex(text.replaceAll("(?s).*\"x\":\\s*\"([0-9a-f]{64})\".*", "$1"));
  }

  /** All rows of all tables of the authority, binary columns in hexadecimal. */
  private static String dump() {
    JdbcClient jdbc = network.database.jdbc();
    List<String> tables =
        jdbc.sql(
                "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables "
                    + "WHERE schemaname = 'authority' OR schemaname LIKE 'shard%'")
            .query(String.class)
            .list();
    return tables.stream()
        .flatMap(table ->
            jdbc
                .sql("SELECT row_to_json(t)::text FROM " + table + " t")
                .query(String.class)
                .list()
                .stream())
        .collect(Collectors.joining("\n"));
  }

  private static String hex(byte[] value) {
    return HexFormat.of().formatHex(value);
  }

  private static String prefix(byte[] value) {
    return value.length < 32 ? hex(value) : hex(value).substring(0, 16);
  }

  private static String base64(byte[] value) {
    return Base64.getEncoder().withoutPadding().encodeToString(value);
  }
}
