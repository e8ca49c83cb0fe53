package io.solidus.wallet.vectors;

import static io.solidus.wallet.vectors.VectorInputs.amount;
import static io.solidus.wallet.vectors.VectorInputs.bytes;
import static io.solidus.wallet.vectors.VectorInputs.digest;
import static io.solidus.wallet.vectors.VectorInputs.field;
import static io.solidus.wallet.vectors.VectorInputs.hex;
import static io.solidus.wallet.vectors.VectorInputs.list;
import static io.solidus.wallet.vectors.VectorInputs.network;
import static io.solidus.wallet.vectors.VectorInputs.number;
import static io.solidus.wallet.vectors.VectorInputs.period;
import static io.solidus.wallet.vectors.VectorInputs.suite;
import static io.solidus.wallet.vectors.VectorInputs.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkServices;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.prover.HistoryEntry;
import io.solidus.prover.MintPlan;
import io.solidus.prover.MintWitness;
import io.solidus.prover.OutputToBlind;
import io.solidus.prover.RegisterPlan;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.Suite;
import io.solidus.wallet.keys.OutputSecrets;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.TransferSecrets;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.BulkTag;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.SpentInput;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestText;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wallet.transfer.MemoCipher;
import io.solidus.wallet.transfer.PayoutEnvelope;
import io.solidus.wallet.transfer.TransferDraft;
import io.solidus.wallet.transfer.TransferFactory;
import io.solidus.wallet.trust.Countersigned;
import io.solidus.wallet.vectors.VectorInputs.Refused;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.ProofEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import io.solidus.wire.json.MintStatementJson;
import io.solidus.wire.json.RegisterStatementJson;
import io.solidus.wire.json.TransferStatementJson;
import io.solidus.wire.json.WireJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/**
 * Known answers that any language can read: the file holds what {@link Reference} computes, and the
 * wallet computes the same from what was read back. {@code -Dsolidus.vectors.update=true} rewrites
 * the file.
 */
class WalletVectorsTest {
  private static final VectorFile FILE = WalletVectors.file();

  @BeforeAll
  static void update() {
    if (Boolean.getBoolean("solidus.vectors.update")) {
      FILE.replace();
    }
  }

  @Test
  void theFileHoldsWhatTheReferenceComputes() {
    assertThat(FILE.committed()).as("%s", FILE.path()).isEqualTo(FILE.text());
  }

  /** A case that no test computes would show nothing. */
  @Test
  void everyOperationIsTested() {
    assertThat(FILE.read().map(c -> c.path("op").asString()).distinct())
        .containsExactlyInAnyOrder(
            "address",
            "apk",
            "approvalMessage",
            "caseTag",
            "checkPartial",
            "checkVote",
            "checkpointText",
            "claimStatement",
            "cm",
            "coinMessage",
            "combine",
            "complianceMessage",
            "countersigned",
            "encryptionKey",
            "encryptionSecret",
            "h",
            "history",
            "k",
            "listDigest",
            "manifest",
            "memoBlock",
            "memoKey",
            "mintId",
            "mintSecret",
            "mintStatement",
            "mintWitness",
            "note",
            "nullifierKey",
            "parcel",
            "parcelText",
            "partialSignature",
            "payoutBlock",
            "policyText",
            "publicKey",
            "randomise",
            "readAddress",
            "readNote",
            "readRequest",
            "readStatement",
            "readText",
            "receipt",
            "registerStatement",
            "registerWitness",
            "registrationSecret",
            "request",
            "requestKey",
            "rhos",
            "sealedProof",
            "sealedWitness",
            "seed",
            "serial",
            "serialKey",
            "show",
            "signed",
            "spendKey",
            "transferRequest",
            "transferSecret",
            "transferStatement",
            "unblind",
            "verify",
            "verifyShown",
            "vote");
  }

  @TestFactory
  @Spec({"F-01", "F-02", "F-03"})
  Stream<DynamicTest> keysOfAPhrase() {
    return Stream.of(
            cases(
                "seed",
                in -> {
                  try (SeedPhrase phrase = SeedPhrase.parse(text(in, "phrase"))) {
                    return hex(Reference.seed(phrase.words()));
                  }
                }),
            cases("nullifierKey", in -> with(in, keys -> keys.nullifierKey().hex())),
            cases("spendKey", in -> with(in, keys -> hex(keys.spendKey().bytes()))),
            cases("encryptionSecret", in -> with(in, keys -> hex(keys.encryptionKey().bytes()))),
            cases("encryptionKey", in -> with(in, keys -> keys.encryptionKey().publicKey().hex())),
            cases("memoKey", in -> with(in, keys -> hex(keys.memoKey()))),
            cases(
                "requestKey",
                in ->
                    with(
                        in,
                        keys -> {
                          try (Ed25519PrivateKey key = keys.requestKey()) {
                            return key.publicKey().hex();
                          }
                        })))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec({"O-02", "O-03", "O-10"})
  Stream<DynamicTest> ownersAndSerialNumbers() {
    return Stream.of(
            cases(
                "publicKey",
                in ->
                    new Suite(WalletVectors.NETWORK).publicKey(KeyScalar.of(bytes(in, "a"))).hex()),
            cases("apk", in -> suite(in).apk(field(in, "nk"), pkAuth(in)).hex()),
            cases("serialKey", in -> suite(in).serialKey(field(in, "nk"), pkAuth(in)).hex()),
            cases("serial", in -> suite(in).serial(field(in, "serialKey"), field(in, "rho")).hex()))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec({"F-02", "F-04"})
  Stream<DynamicTest> derivedSecrets() {
    return Stream.of(
            cases("registrationSecret", in -> with(in, keys -> secret(in, keys.registration()))),
            cases("mintSecret", in -> with(in, keys -> secret(in, keys.mint(mintId(in))))),
            cases(
                "mintId",
                in ->
                    with(
                        in,
                        keys ->
                            keys.mintId(text(in, "fundingId"), (int) number(in, "ordinal")).hex())),
            cases(
                "caseTag",
                in ->
                    with(
                        in,
                        keys ->
                            keys.caseTag(
                                    new RegistrationCase(
                                        text(in, "caseId"), text(in, "accessToken")))
                                .hex())),
            cases("transferSecret", in -> with(in, keys -> transferSecret(in, keys))))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec({"O-07", "O-09", "O-11", "O-12", "S-02", "E-15"})
  Stream<DynamicTest> outputsOfATransfer() {
    return Stream.of(
            cases(
                "rhos",
                in ->
                    String.join(
                        "",
                        suite(in).rhos(field(in, "seed"), digest(in)).stream()
                            .map(FieldElement::hex)
                            .toList())),
            cases("coinMessage", WalletVectorsTest::coinMessage),
            cases("complianceMessage", in -> suite(in).complianceMessage(coin(in, apk(in))).hex()),
            cases("history", WalletVectorsTest::history),
            cases("cm", in -> blinded(in).cm().hex()),
            cases("k", in -> blinded(in).k().hex()),
            cases(
                "h",
                in ->
                    suite(in)
                        .blindBase(CommitteeVectorsTest.outputs(in), (int) number(in, "j"))
                        .hex()))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec({"F-05", "F-06"})
  Stream<DynamicTest> memoBlocks() {
    return cases(
        "memoBlock",
        in ->
            with(
                in,
                keys -> {
                  MemoCipher cipher = new MemoCipher(keys);
                  SerialNumber lead = SerialNumber.of(bytes(in, "sn"));
                  byte[] block = cipher.seal(lead, memo(in));
                  assertThat(cipher.open(lead, block)).contains(memo(in));
                  return hex(block);
                }));
  }

  @TestFactory
  @Spec({"F-36", "F-37", "F-38"})
  Stream<DynamicTest> paymentRequests() {
    return Stream.concat(
        cases("request", WalletVectorsTest::request),
        cases("readRequest", WalletVectorsTest::readRequest));
  }

  private static String request(JsonNode in) {
    NetworkId network = network(in);
    PaymentRequest request =
        new PaymentRequest(
            Address.decode(network, text(in, "payee")),
            in.has("amount")
                ? new PaymentRequest.Price(
                    amount(in, "amount"), new CurrencyCode(text(in, "currency")))
                : null,
            in.has("expires") ? Instant.ofEpochMilli(number(in, "expires")) : null,
            in.has("id") ? new RequestToken(text(in, "id")) : null,
            in.has("tag") ? new RequestToken(text(in, "tag")) : null,
            in.path("label").asString(""),
            in.has("refund") ? Address.decode(network, text(in, "refund")) : null);
    if (!in.has("secret")) {
      return RequestText.write(network, request, null);
    }
    try (Ed25519PrivateKey signer = Ed25519PrivateKey.fromSeed(bytes(in, "secret"))) {
      return RequestText.write(network, request, signer);
    }
  }

  private static String readRequest(JsonNode in) {
    NetworkId network = network(in);
    RequestText.Read read = RequestText.read(network, text(in, "text").strip());
    PaymentRequest request = read.request();
    List<String> lines = new ArrayList<>(List.of("payee " + request.payee().encode(network)));
    if (request.price() != null) {
      lines.add("amount " + request.price().amount().minor());
      lines.add("currency " + request.price().currency());
    }
    if (request.expiresAt() != null) {
      lines.add("expires " + request.expiresAt().toEpochMilli());
    }
    if (request.id() != null) {
      lines.add("id " + request.id());
    }
    if (request.tag() != null) {
      lines.add("tag " + request.tag());
    }
    if (!request.label().isEmpty()) {
      lines.add("label " + request.label());
    }
    if (request.refundTo() != null) {
      lines.add("refund " + request.refundTo().encode(network));
    }
    if (read.signer() != null) {
      lines.add("signer " + read.signer().hex());
    }
    return String.join("\n", lines);
  }

  /** The wallet seals with a key of its own, so its block opens to the same bytes. */
  @TestFactory
  @Spec("F-07")
  Stream<DynamicTest> payoutBlocks() {
    return cases(
        "payoutBlock",
        in -> {
          byte[] secret = bytes(in, "issuerSecret");
          EncryptionKey issuer = EncryptionKey.of(Reference.publicKey(secret));
          PayoutInstruction payout =
              new PayoutInstruction(
                  text(in, "creditorName"), text(in, "iban"), text(in, "reference"));
          byte[] block = PayoutEnvelope.seal(issuer, network(in), payout);
          byte[] plain = Reference.open(secret, "solidus/payout/v1", network(in), block);
          assertThat(plain)
              .hasSize(464)
              .isEqualTo(
                  Reference.open(secret, "solidus/payout/v1", network(in), bytes(in, "block")));
          return new String(plain, StandardCharsets.UTF_8).replace("\0", "");
        });
  }

  @TestFactory
  @Spec({"F-08", "F-09"})
  Stream<DynamicTest> parcels() {
    return cases(
        "parcel",
        in -> {
          ParcelCipher cipher = new ParcelCipher(network(in));
          byte[] secret = bytes(in, "encryptionSecret");
          try (HpkePrivateKey key = HpkePrivateKey.of(secret)) {
            Parcel parcel =
                cipher.open(key, bytes(in, "blob")).orElseThrow(() -> new Refused("dropped"));
            byte[] again = cipher.seal(key.publicKey(), parcel);
            assertThat(cipher.open(key, again)).contains(parcel);
            byte[] sealed = Arrays.copyOfRange(again, 2, again.length);
            return hex(Reference.open(secret, "solidus/mailbox/v1", network(in), sealed));
          }
        });
  }

  @TestFactory
  @Spec("F-09")
  Stream<DynamicTest> textsOfPayers() {
    return cases(
        "parcelText",
        in -> {
          try (HpkePrivateKey key = HpkePrivateKey.of(bytes(in, "encryptionSecret"))) {
            return new ParcelCipher(network(in))
                .open(key, bytes(in, "blob"))
                .map(parcel -> ((Parcel.Payment) parcel).reference())
                .orElseThrow(() -> new Refused("dropped"));
          }
        });
  }

  @TestFactory
  @Spec("F-10")
  Stream<DynamicTest> sealedWitnesses() {
    return Stream.of(
            cases("sealedWitness", in -> withWitness(in, opened -> hex(opened.witness()))),
            cases(
                "sealedProof",
                in ->
                    withWitness(
                        in,
                        opened ->
                            hex(
                                opened.sealProof(
                                    bytes(in, "proof"), new FixedRandom(bytes(in, "nonce")))))))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec({"F-11", "F-12", "F-13", "F-14"})
  Stream<DynamicTest> addresses() {
    return Stream.of(
            cases("address", in -> address(in).encode(network(in))),
            cases(
                "readAddress",
                in -> Address.decode(network(in), text(in, "text")).encode(network(in))))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec({"F-15", "F-16", "F-19", "F-20"})
  Stream<DynamicTest> statements() {
    return Stream.of(
            cases("transferStatement", in -> with(in, keys -> transferStatement(in, keys))),
            cases("claimStatement", in -> with(in, keys -> transferStatement(in, keys))),
            cases("registerStatement", in -> with(in, keys -> registerStatement(in, keys))),
            cases("mintStatement", in -> with(in, keys -> mintStatement(in, keys))))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec("F-45")
  Stream<DynamicTest> witnesses() {
    return Stream.of(
            cases("registerWitness", in -> with(in, keys -> registerWitness(in, keys))),
            cases("mintWitness", in -> with(in, keys -> mintWitness(in, keys))))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec({"F-24", "F-25", "F-26", "F-27", "F-28"})
  Stream<DynamicTest> notes() {
    return Stream.of(
            cases("policyText", WalletVectorsTest::policyText),
            cases("checkpointText", WalletVectorsTest::checkpointText),
            cases("readText", WalletVectorsTest::readText),
            cases("note", WalletVectorsTest::note),
            cases("readNote", in -> SignedNote.parse(text(in, "note")).text()),
            cases(
                "countersigned",
                in ->
                    Countersigned.text(
                        CommitteeVectorsTest.committee(
                            list(in, "keys").stream().map(HexFormat.of()::parseHex).toList()),
                        text(in, "note"))),
            cases(
                "listDigest",
                in ->
                    new SanctionList(list(in, "keys").stream().map(SanctionKey::fromHex).toList())
                        .digest(network(in))
                        .hex()),
            cases(
                "approvalMessage",
                in ->
                    hex(
                        MintApproval.message(
                            network(in),
                            new MintStatement(
                                mintId(in),
                                amount(in, "value"),
                                new BlindedCoin(
                                    field(in, "cm"), G1Point.fromHex(text(in, "k"))))))))
        .flatMap(tests -> tests);
  }

  private static String secret(JsonNode in, OutputSecrets secrets) {
    return switch (text(in, "value")) {
      case "seed" -> secrets.seed().hex();
      case "s" -> secrets.s().hex();
      case "b" -> hex(secrets.b().bytes());
      default -> throw new IllegalStateException("no such secret");
    };
  }

  private static String transferSecret(JsonNode in, WalletKeys keys) {
    TransferSecrets secrets =
        keys.transfer(
            SerialNumber.of(bytes(in, "sn")),
            (int) number(in, "counter"),
            period(in),
            Digest32.of(bytes(in, "context")));
    int j = in.has("j") ? (int) number(in, "j") : 0;
    return switch (text(in, "value")) {
      case "seed" -> secrets.seed().hex();
      case "history" -> secrets.historyRandomness().hex();
      case "s" -> secrets.s().get(j).hex();
      case "b" -> hex(secrets.b().get(j).bytes());
      case "dummy" -> secrets.dummyRhos().get(j).hex();
      default -> throw new IllegalStateException("no such secret");
    };
  }

  private static String coinMessage(JsonNode in) {
    Origin origin = Origin.of((int) number(in, "origin"));
    return suite(in)
        .coinMessage(new Coin(origin, amount(in, "value"), apk(in), field(in, "rho")))
        .hex();
  }

  private static String history(JsonNode in) {
    HistoryEntry entry =
        new HistoryEntry(
            amount(in, "paid"),
            amount(in, "value0"),
            amount(in, "value1"),
            amount(in, "withdrawn"),
            Origin.of((int) number(in, "origin0")),
            Origin.of((int) number(in, "origin1")),
            false,
            period(in),
            Apk.of(bytes(in, "recipient")),
            field(in, "r"));
    return suite(in).history(field(in, "com"), entry).hex();
  }

  private static BlindedCoin blinded(JsonNode in) {
    List<OutputToBlind> outputs = new ArrayList<>();
    for (int j = 0; j < list(in, "messages").size(); j++) {
      outputs.add(
          new OutputToBlind(
              FieldElement.fromHex(list(in, "messages").get(j)),
              FieldElement.fromHex(list(in, "s").get(j)),
              Scalar.of(HexFormat.of().parseHex(list(in, "b").get(j)))));
    }
    return suite(in).blind(digest(in), period(in), outputs).coins().get((int) number(in, "j"));
  }

  private static Memo memo(JsonNode in) {
    List<SpentInput> inputs = new ArrayList<>();
    for (int i = 0; i < list(in, "rhos").size(); i++) {
      inputs.add(
          new SpentInput(
              Origin.of(Integer.parseInt(list(in, "origins").get(i))),
              new Amount(Long.parseLong(list(in, "values").get(i))),
              FieldElement.fromHex(list(in, "rhos").get(i))));
    }
    return new Memo(
        (int) number(in, "counter"),
        number(in, "atMillis"),
        List.of(new PaymentOrder(address(in), amount(in, "paid"), text(in, "reference"))),
        amount(in, "withdrawn"),
        inputs,
        (int) number(in, "unfinished"),
        lines(in));
  }

  private static @Nullable BulkLines lines(JsonNode in) {
    if (!in.has("lines")) {
      return null;
    }
    ByteBuffer lines = ByteBuffer.wrap(bytes(in, "lines"));
    assertThat(lines.get()).isEqualTo((byte) 1);
    byte[] tag = new byte[Digest32.BYTES];
    lines.get(tag);
    return new BulkLines(new BulkTag(Digest32.of(tag)), List.of((int) lines.getShort()));
  }

  private static Address address(JsonNode in) {
    return new Address(
        apk(in), EncryptionKey.of(bytes(in, "encryptionKey")), new Mailbox(text(in, "mailbox")));
  }

  private static ComplianceCoin coin(JsonNode in, Apk owner) {
    String start = in.has("ccRho") ? "cc" : "";
    Function<String, String> name =
        part -> start.isEmpty() ? part.toLowerCase(Locale.ROOT) : start + part;
    return new ComplianceCoin(
        owner,
        field(in, name.apply("Rho")),
        new Period((int) number(in, name.apply("Period"))),
        amount(in, name.apply("Sent")),
        (int) number(in, name.apply("Count")),
        amount(in, name.apply("Held")),
        field(in, name.apply("Com")));
  }

  private static String transferStatement(JsonNode in, WalletKeys keys) {
    TransferFactory factory = new TransferFactory(network(in), suite(in), keys);
    try (TransferDraft draft =
        factory.draft(coin(in, factory.apk()), memo(in), period(in), bytes(in, "payoutBlock"))) {
      return WireJson.write(TransferStatementJson.of(draft.statement()));
    }
  }

  private static String registerStatement(JsonNode in, WalletKeys keys) {
    return WireJson.write(
        RegisterStatementJson.of(registerStatement(network(in), registerPlan(in, keys))));
  }

  private static String registerWitness(JsonNode in, WalletKeys keys) {
    RegisterPlan plan = registerPlan(in, keys);
    RegisterStatement statement = registerStatement(network(in), plan);
    KeyScalar alpha = KeyScalar.of(bytes(in, "alpha"));
    return hex(new RegisterWitness(statement.core(network(in)), plan, alpha).toBytes());
  }

  private static RegisterStatement registerStatement(NetworkId network, RegisterPlan plan) {
    Suite suite = new Suite(network);
    return new RegisterStatement(
        suite.apk(plan.nk(), plan.pkAuth()), suite.prepareRegister(plan).coin());
  }

  private static RegisterPlan registerPlan(JsonNode in, WalletKeys keys) {
    TransferFactory factory = new TransferFactory(network(in), suite(in), keys);
    OutputSecrets secrets = keys.registration();
    return new RegisterPlan(
        keys.nullifierKey(),
        factory.publicKey(),
        InputDigest.register(network(in), factory.apk()),
        secrets.seed(),
        secrets.s(),
        secrets.b());
  }

  private static String mintStatement(JsonNode in, WalletKeys keys) {
    MintId id = mintIdOf(in, keys);
    return WireJson.write(MintStatementJson.of(mintStatement(in, id, mintPlan(in, id, keys))));
  }

  private static String mintWitness(JsonNode in, WalletKeys keys) {
    MintId id = mintIdOf(in, keys);
    MintPlan plan = mintPlan(in, id, keys);
    return hex(new MintWitness(mintStatement(in, id, plan).core(network(in)), plan).toBytes());
  }

  private static MintId mintIdOf(JsonNode in, WalletKeys keys) {
    return keys.mintId(text(in, "fundingId"), (int) number(in, "ordinal"));
  }

  private static MintStatement mintStatement(JsonNode in, MintId id, MintPlan plan) {
    return new MintStatement(id, amount(in, "value"), suite(in).prepareMint(plan).blinded());
  }

  private static MintPlan mintPlan(JsonNode in, MintId id, WalletKeys keys) {
    TransferFactory factory = new TransferFactory(network(in), suite(in), keys);
    OutputSecrets secrets = keys.mint(id);
    Amount value = amount(in, "value");
    return new MintPlan(
        factory.apk(),
        value,
        InputDigest.mint(network(in), id, value),
        secrets.seed(),
        secrets.s(),
        secrets.b());
  }

  private static String policyText(JsonNode in) {
    Policy policy =
        new Policy(
            number(in, "version"),
            period(in),
            amount(in, "maxPerTransfer"),
            amount(in, "maxPerPeriod"),
            amount(in, "maxHeld"),
            amount(in, "maxEscrow"),
            (int) number(in, "maxTransfersPerPeriod"),
            amount(in, "mintCapPerDay"),
            number(in, "effectiveAtMillis"));
    String text = policy.toNoteText(network(in));
    assertThat(Policy.parse(network(in), text)).isEqualTo(policy);
    return text;
  }

  private static String checkpointText(JsonNode in) {
    SanctionCheckpoint checkpoint =
        new SanctionCheckpoint(
            number(in, "version"),
            field(in, "root"),
            (int) number(in, "size"),
            Digest32.of(bytes(in, "listDigest")),
            number(in, "publishedAtMillis"));
    String text = checkpoint.toNoteText(network(in));
    assertThat(SanctionCheckpoint.parse(network(in), text)).isEqualTo(checkpoint);
    return text;
  }

  private static String readText(JsonNode in) {
    NetworkId network = network(in);
    String text = text(in, "text");
    return switch (text(in, "kind")) {
      case "policy" -> Policy.parse(network, text).toNoteText(network);
      case "heartbeat" -> Heartbeat.parse(network, text).toNoteText(network);
      case "attestation" -> Attestation.parse(network, text).toNoteText(network);
      case "services" -> NetworkServices.parse(network, text).toNoteText(network);
      default -> throw new IllegalStateException("no such kind");
    };
  }

  /** The prover's side of a sealed witness. */
  private static String withWitness(JsonNode in, Function<ProofEnvelope.Opened, String> answer) {
    SealedMessage sealed =
        new SealedMessage(bytes(in, "encapsulatedKey"), bytes(in, "sealedWitness"));
    Family family = Family.of((int) number(in, "family"));
    try (HpkePrivateKey key = HpkePrivateKey.of(bytes(in, "proverSecret"));
        ProofEnvelope.Opened opened = ProofEnvelope.open(key, network(in), family, sealed)) {
      return answer.apply(opened);
    } catch (HpkeException e) {
      throw new Refused("malformed-request");
    }
  }

  /** Gives the bytes of a case where others draw. */
  private static final class FixedRandom extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private final byte[] bytes;

    FixedRandom(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void nextBytes(byte[] out) {
      assertThat(out).hasSameSizeAs(bytes);
      System.arraycopy(bytes, 0, out, 0, out.length);
    }
  }

  private static Stream<DynamicTest> cases(String op, Function<JsonNode, String> answer) {
    return VectorInputs.cases(FILE, op, answer);
  }

  private static String note(JsonNode in) {
    String name = CommitteeMember.noteName((int) number(in, "authority"));
    assertThat(name).isEqualTo(text(in, "name"));
    NoteSigner signer = NoteSigner.fromSeed(name, bytes(in, "seed"));
    String note = SignedNote.sign(text(in, "text"), signer).encode();
    assertThat(SignedNote.parse(note).verifiedBy(List.of(signer.publicKey()))).contains(name);
    return note;
  }

  private static String with(JsonNode in, Function<WalletKeys, String> answer) {
    try (SeedPhrase phrase = SeedPhrase.parse(text(in, "phrase"));
        WalletKeys keys = WalletKeys.derive(phrase, network(in))) {
      return answer.apply(keys);
    }
  }

  private static KeyPoint pkAuth(JsonNode in) {
    return KeyPoint.of(bytes(in, "pkAuth"));
  }

  private static Apk apk(JsonNode in) {
    return Apk.of(bytes(in, "apk"));
  }

  private static MintId mintId(JsonNode in) {
    return MintId.of(bytes(in, "mintId"));
  }
}
