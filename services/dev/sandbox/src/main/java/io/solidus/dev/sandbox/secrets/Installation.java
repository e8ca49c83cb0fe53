package io.solidus.dev.sandbox.secrets;

import io.solidus.authority.common.InternalToken;
import io.solidus.authority.replica.ReplicaKeys;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ObliviousKey;
import io.solidus.protocol.Relay;
import io.solidus.wire.hpke.HpkePrivateKey;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The secrets and trust anchors of a development installation, made at its first start. */
public final class Installation {
  /** The subjects of the access tokens of the two mint approvers. */
  public static final List<String> APPROVERS = List.of("approver-anna", "approver-ben");

  /** The name of the gateway's key for requests through the relay, and its number. */
  public static final String RELAY_KEY = "relay-hpke";

  public static final int RELAY_KEY_ID = 1;

  private final SecretFiles secrets;
  private final TokenIssuer tokens;
  private final byte[] manifestKey;
  private final Path keys;
  private final NetworkId network;

  private Installation(
      SecretFiles secrets, TokenIssuer tokens, byte[] manifestKey, Path keys, NetworkId network) {
    this.secrets = secrets;
    this.tokens = tokens;
    this.manifestKey = manifestKey.clone();
    this.keys = keys;
    this.network = network;
  }

  /**
   * Opens the installation and makes missing secrets.
   *
   * @param manifestKey the key that must have signed the key manifest
   * @throws IOException also if the data belong to other keys
   */
  public static Installation open(SandboxOptions options, byte[] manifestKey)
      throws IOException, GeneralSecurityException {
    if (!EarlierData.fits(options.data(), options.keys())) {
      throw new IOException(
          "the data in "
              + options.data()
              + " belong to the keys of another build; stop the platform and start it again with this one");
    }
    SecretFiles secrets = new SecretFiles(options.secrets());
    Installation installation =
        new Installation(
            secrets,
            TokenIssuer.open(secrets, options.ports().openId()),
            manifestKey,
            options.keys(),
            options.network());
    installation.extractNoteKeys(options.authorities());
    return installation;
  }

  /** Base64 of the pinned manifest key. */
  public String manifestKey() {
    return Base64.getEncoder().encodeToString(manifestKey);
  }

  public NetworkId network() {
    return network;
  }

  public TokenIssuer tokens() {
    return tokens;
  }

  /** The file with an authority's key share. */
  public Path shareFile(int authority) {
    return EarlierData.shareFile(keys, authority);
  }

  /** The file with the seed of an authority's countersigning key. */
  public Path noteKeyFile(int authority) {
    return secrets.path(EarlierData.noteKeyName(authority));
  }

  /** The file with an authority's internal token. */
  public Path internalTokenFile(int authority) {
    return secrets.path("authority-" + authority + ".internal-token");
  }

  /** The file with a 32-byte seed, made when it is missing. */
  public Path seed(String name) throws IOException {
    return secrets.random(name + ".seed", 32);
  }

  /** Base64 of the Ed25519 public key of a seed. */
  public String publicKey(String name) throws IOException {
    byte[] seed = Files.readAllBytes(seed(name));
    try {
      return Ed25519PrivateKey.fromSeed(seed).publicKey().base64();
    } finally {
      Arrays.fill(seed, (byte) 0);
    }
  }

  /** The relay of a sandbox and the gateway's key for it, as signed services would name them. */
  public Relay relay(URI address) throws IOException {
    byte[] secret = Files.readAllBytes(seed(RELAY_KEY));
    try (HpkePrivateKey key = HpkePrivateKey.of(secret)) {
      return new Relay(address, new ObliviousKey(RELAY_KEY_ID, key.publicKey()));
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  /** The file with the secret of an authority's replica of the mailbox. */
  public Path replicaSecret(int authority) throws IOException {
    return seed("authority-" + authority + "-replica");
  }

  /** The keys of the authorities' replicas, as signed services would name them. */
  public List<MailReplica> replicas(int authorities) throws IOException {
    List<MailReplica> replicas = new ArrayList<>();
    for (int authority = 1; authority <= authorities; authority++) {
      ReplicaKeys keys = ReplicaKeys.read(authority, replicaSecret(authority));
      try (HpkePrivateKey shares = keys.shares()) {
        replicas.add(new MailReplica(shares.publicKey(), keys.lists().publicKey().publicKey()));
      }
    }
    return replicas;
  }

  /** The key of a mint approver; in production it never leaves the approver's device. */
  public Ed25519PrivateKey approverKey(String approver) throws IOException {
    byte[] seed = Files.readAllBytes(seed(approver));
    try {
      return Ed25519PrivateKey.fromSeed(seed);
    } finally {
      Arrays.fill(seed, (byte) 0);
    }
  }

  /** The trust anchors of every service's configuration. */
  public Map<String, Object> trust() throws IOException {
    Map<String, Object> trust = new LinkedHashMap<>();
    trust.put("solidus.trust.registration", publicKey("registration-notes"));
    trust.put("solidus.trust.sanctions", publicKey("sanctions-notes"));
    trust.put("solidus.trust.policy", publicKey("policy-notes"));
    for (String approver : APPROVERS) {
      trust.put("solidus.trust.approvers." + approver, publicKey(approver));
    }
    return trust;
  }

  /** A file with the secret of a service's client at the OpenID provider. */
  public Path clientSecretFile(String client) throws IOException {
    byte[] random = Files.readAllBytes(secrets.random(client + ".random", 32));
    return secrets.create(
        client + ".client-secret",
        HexFormat.of().formatHex(random).getBytes(StandardCharsets.US_ASCII));
  }

  /** The password of every demonstration account. */
  public String password() throws IOException {
    return HexFormat.of().formatHex(Files.readAllBytes(secrets.random("people.password", 6)));
  }

  /** The token of the control server, hexadecimal. */
  public String controlToken() throws IOException {
    return HexFormat.of().formatHex(Files.readAllBytes(secrets.random("control-token", 32)));
  }

  private void extractNoteKeys(int authorities) throws IOException {
    for (int authority = 1; authority <= authorities; authority++) {
      if (!Files.exists(noteKeyFile(authority))) {
        secrets.create(
            EarlierData.noteKeyName(authority), EarlierData.noteSeed(shareFile(authority)));
      }
      Path token = internalTokenFile(authority);
      if (!Files.exists(token)) {
        secrets.create(
            token.getFileName().toString(),
            InternalToken.bytes(EarlierData.noteSeed(shareFile(authority))));
      }
    }
  }
}
