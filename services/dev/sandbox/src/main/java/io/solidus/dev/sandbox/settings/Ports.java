package io.solidus.dev.sandbox.settings;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ports of the sandbox on the loopback interface.
 *
 * @param grpcBase authority i takes grpcBase + 10 (i - 1) and the nine ports after it, and its
 *     replica grpcBase + 860 + i; the prover takes grpcBase + 990
 * @param kafka the broker's controller takes the next port
 */
public record Ports(
    int gateway,
    int registration,
    int sanctions,
    int issuance,
    int control,
    int grpcBase,
    int postgres,
    int kafka) {
  /** A service's admin API listens so far above its other port. */
  private static final int ADMIN = 100;

  private static final int PER_AUTHORITY = 10;
  private static final int SIGNER = 8;
  private static final int ISSUER = 9;
  private static final int REPLICAS = 860;
  private static final int LOWEST = 1024;
  private static final int HIGHEST = 65_535;

  public static Ports standard() {
    return new Ports(8080, 8081, 8082, 8083, 8089, 9100, 15432, 19092);
  }

  /**
   * All ports moved by the same amount, so that two sandboxes can run side by side. Up to 13000 no
   * port is in Linux's ephemeral range, which begins at 32768.
   *
   * @throws IllegalArgumentException when a port would not exist or would need root
   */
  public static Ports shifted(int by) {
    Ports standard = standard();
    if (by < LOWEST - standard.gateway || by > HIGHEST - standard.kafka - 1) {
      throw new IllegalArgumentException(
          "ports can be moved by %d to %d"
              .formatted(LOWEST - standard.gateway, HIGHEST - standard.kafka - 1));
    }
    return new Ports(
        standard.gateway + by,
        standard.registration + by,
        standard.sanctions + by,
        standard.issuance + by,
        standard.control + by,
        standard.grpcBase + by,
        standard.postgres + by,
        standard.kafka + by);
  }

  /**
   * These ports with others for the services that have an API, so that a client reaches what stands
   * in front of them.
   */
  public Ports inFront(int by) {
    return new Ports(
        gateway + by,
        registration + by,
        sanctions + by,
        issuance + by,
        control,
        grpcBase,
        postgres,
        kafka);
  }

  public int registrationAdmin() {
    return registration + ADMIN;
  }

  public int sanctionsAdmin() {
    return sanctions + ADMIN;
  }

  public int issuanceAdmin() {
    return issuance + ADMIN;
  }

  /** The port of the operators' console. */
  public int console() {
    return issuance + 1;
  }

  /** The port of the web wallet's page. */
  public int webWallet() {
    return issuance + 2;
  }

  /** The port of the relay. */
  public int relay() {
    return issuance + 3;
  }

  /** The port of the OpenID provider. */
  public int openId() {
    return control - 1;
  }

  public int shard(int authority, int shard) {
    if (shard >= SIGNER) {
      throw new IllegalArgumentException(
          "the sandbox has room for " + SIGNER + " shards of an authority");
    }
    return grpcBase + PER_AUTHORITY * (authority - 1) + shard;
  }

  public int signer(int authority) {
    return grpcBase + PER_AUTHORITY * (authority - 1) + SIGNER;
  }

  public int issuer(int authority) {
    return grpcBase + PER_AUTHORITY * (authority - 1) + ISSUER;
  }

  public int replica(int authority) {
    return grpcBase + REPLICAS + authority;
  }

  public int kafkaController() {
    return kafka + 1;
  }

  public int prover() {
    return grpcBase + 990;
  }

  /**
   * Checks the ports before any service starts, because a service reports a taken port late or
   * never.
   *
   * @throws IOException with the names of the taken ports
   */
  public void requireFree(int authorities, int shards) throws IOException {
    List<String> taken =
        names(authorities, shards).entrySet().stream()
            .filter(each -> !isFree(each.getKey()))
            .map(each -> each.getKey() + " (" + each.getValue() + ")")
            .toList();
    if (!taken.isEmpty()) {
      throw new IOException(
          "taken by other programs, or by what a killed sandbox left: port "
              + String.join(", ", taken)
              + "; --port-shift moves them all");
    }
  }

  private Map<Integer, String> names(int authorities, int shards) {
    Map<Integer, String> names = new TreeMap<>();
    names.put(gateway, "gateway");
    names.put(registration, "registration");
    names.put(sanctions, "sanctions");
    names.put(issuance, "issuance");
    names.put(registrationAdmin(), "registration's admin API");
    names.put(sanctionsAdmin(), "sanctions' admin API");
    names.put(issuanceAdmin(), "issuance's admin API");
    names.put(control, "control");
    names.put(openId(), "OpenID provider");
    names.put(console(), "console");
    names.put(webWallet(), "web wallet");
    names.put(relay(), "relay");
    names.put(postgres, "PostgreSQL");
    names.put(kafka, "Kafka");
    names.put(kafkaController(), "Kafka's controller");
    names.put(prover(), "prover");
    for (int authority = 1; authority <= authorities; authority++) {
      for (int shard = 0; shard < shards; shard++) {
        names.put(shard(authority, shard), "authority " + authority + ", shard " + shard);
      }
      names.put(signer(authority), "authority " + authority + ", signer");
      names.put(issuer(authority), "authority " + authority + ", compliance issuer");
      names.put(replica(authority), "authority " + authority + ", replica");
    }
    return names;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
