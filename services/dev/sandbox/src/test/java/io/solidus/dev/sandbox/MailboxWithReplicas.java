package io.solidus.dev.sandbox;

import io.solidus.authority.replica.ReplicaApplication;
import io.solidus.authority.replica.ReplicaKeys;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.edge.gateway.GatewayApplication;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.Ed25519PrivateKey;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A gateway with a database of its own that exchanges mail with others, and the replicas of four
 * authorities that follow it.
 */
final class MailboxWithReplicas implements AutoCloseable {
  private static final String LOCAL = "127.0.0.1:";
  final ConfigurableApplicationContext gateway;
  final RestProbe rest;
  final List<ReplicaKeys> keys = new ArrayList<>();
  final List<ConfigurableApplicationContext> replicas = new ArrayList<>();

  /**
   * @param exchangePort of the server that its peers pull from
   * @param peers names and ports of those that it pulls from
   */
  MailboxWithReplicas(Path folder, String name, int exchangePort, Map<String, Integer> peers)
      throws Exception {
    TestCommittee committee = TestCommittee.regulated();
    Map<String, Object> map = new HashMap<>(TestPostgres.newDatabase().springProperties());
    int port = freePort();
    map.put("server.port", port);
    map.put("solidus.network.id", TestCommittee.NETWORK.value());
    map.put("solidus.network.keys-dir", committee.keysDir());
    map.put("solidus.network.manifest-key", committee.manifestKeyBase64());
    map.put("solidus.network.allowed-key-classes", "DEVELOPMENT");
    map.put(
        "solidus.trust.registration",
        Ed25519PrivateKey.fromSeed(new Generators(1).bytes(32)).publicKey().base64());
    for (String url : List.of("registration", "sanctions", "issuance")) {
      map.put("solidus.gateway.urls." + url, "http://127.0.0.1:1");
    }
    map.put("spring.grpc.server.enabled", true);
    map.put("spring.grpc.server.address", "127.0.0.1");
    map.put("spring.grpc.server.port", exchangePort);
    map.put("solidus.gateway.exchange.interval", "50ms");
    int peer = 0;
    for (Map.Entry<String, Integer> each : peers.entrySet()) {
      String prefix = "solidus.gateway.exchange.peers[" + peer++ + "].";
      map.put(prefix + "name", each.getKey());
      map.put(prefix + "address", LOCAL + each.getValue());
    }
    map.put("solidus.gateway.mail-tables.interval", "1s");
    for (int i = 0; i < TestCommittee.N; i++) {
      int own = freePort();
      map.put("solidus.gateway.authorities[" + i + "].index", i + 1);
      map.put("solidus.gateway.authorities[" + i + "].shards[0]", "127.0.0.1:1");
      map.put("solidus.gateway.mail-tables.replicas[" + i + "]", LOCAL + own);
      replicas.add(replica(folder.resolve(name + i), i + 1, port, own));
      map.put(
          "solidus.gateway.mail-tables.replica-keys[" + i + "]",
          keys.get(i).lists().publicKey().publicKey().base64());
    }
    this.gateway = GatewayApplication.start(map);
    this.rest = new RestProbe(ServicePorts.http(gateway));
  }

  private ConfigurableApplicationContext replica(
      Path keyFile, int authority, int gatewayPort, int port) throws IOException {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    keys.add(ReplicaKeys.fromSecret(authority, secret));
    return ReplicaApplication.start(
        Map.of(
            "management.server.port",
            -1,
            "spring.grpc.server.address",
            "127.0.0.1",
            "spring.grpc.server.port",
            port,
            "solidus.replica.network-id",
            TestCommittee.NETWORK.value(),
            "solidus.replica.authority",
            authority,
            "solidus.replica.gateway",
            "http://127.0.0.1:" + gatewayPort,
            "solidus.replica.interval",
            "200ms",
            "solidus.replica.folder",
            keyFile.resolveSibling(keyFile.getFileName() + "-tables"),
            "solidus.replica.key-file",
            Files.write(keyFile, secret)));
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    replicas.forEach(ConfigurableApplicationContext::close);
    gateway.close();
  }
}
