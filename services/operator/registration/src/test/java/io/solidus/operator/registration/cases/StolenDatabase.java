package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.PersonVault;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What a thief reads who has the whole database and the master key. */
final class StolenDatabase {
  private final PersonVault vault;
  private final Map<UUID, SecretKey> keys = new HashMap<>();
  private final List<UUID> cases;
  private final List<String> columns = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  private StolenDatabase(JdbcClient jdbc, PersonVault vault) {
    this.vault = vault;
    this.cases = jdbc.sql("SELECT id FROM kyc_case").query(UUID.class).list();
    jdbc.sql("SELECT case_id, sealed_key FROM data_key")
        .query(row -> {
          UUID id = row.getObject(1, UUID.class);
          keys.put(id, vault.openDataKey(id, row.getBytes(2)));
        });
    columns.addAll(List.of("person", "matches", "reason", "disposition"));
    jdbc.sql("SELECT id FROM person_change")
        .query(UUID.class)
        .list()
        .forEach(id -> columns.add("change/" + id));
    jdbc.sql("SELECT id FROM standing_step")
        .query(UUID.class)
        .list()
        .forEach(id -> columns.add("step/" + id));
    cases.forEach(id -> columns.add("opinion/" + id));
    jdbc.sql(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
                + " AND table_name <> 'data_key'")
        .query(String.class)
        .list()
        .forEach(table ->
            jdbc.sql("SELECT * FROM " + table)
                .query()
                .listOfRows()
                .forEach(row -> row.values().forEach(this::read)));
  }

  static StolenDatabase in(ServiceHarness service) {
    return new StolenDatabase(service.database(), service.bean(PersonVault.class));
  }

  String text() {
    return text.toString();
  }

  private void read(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      text.append(new String(bytes, StandardCharsets.UTF_8)).append('\n');
      open(bytes).ifPresent(plain -> read((Object) plain));
    } else {
      text.append(value).append('\n');
    }
  }

  private Optional<byte[]> open(byte[] sealed) {
    if (sealed.length < 30 || sealed[0] < 1 || sealed[0] > 3) {
      return Optional.empty();
    }
    byte[] value = sealed[0] == 3 ? Arrays.copyOfRange(sealed, 1, sealed.length) : sealed;
    for (UUID id : cases) {
      for (String column : columns) {
        Optional<byte[]> plain = open(id, column, value);
        if (plain.isPresent()) {
          return plain;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<byte[]> open(UUID id, String column, byte[] value) {
    try {
      if (value[0] == 1) {
        return Optional.of(vault.open(id, column, value));
      }
      SecretKey key = keys.get(id);
      return key == null ? Optional.empty() : Optional.of(vault.open(key, id, column, value));
    } catch (IllegalStateException e) {
      return Optional.empty(); // of another case or column
    }
  }
}
