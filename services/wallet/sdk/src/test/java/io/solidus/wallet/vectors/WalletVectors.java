package io.solidus.wallet.vectors;

import static io.solidus.wallet.vectors.Reference.ascii;
import static io.solidus.wallet.vectors.Reference.base64Url;
import static io.solidus.wallet.vectors.Reference.hex;
import static io.solidus.wallet.vectors.Reference.join;
import static io.solidus.wallet.vectors.Reference.u32;
import static io.solidus.wallet.vectors.Reference.u64;
import static io.solidus.wallet.vectors.Reference.utf8;
import static io.solidus.wallet.vectors.VectorFile.in;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Bech32m;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.MintId;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.prover.MintPlan;
import io.solidus.prover.PlanInput;
import io.solidus.prover.PreparedTransfer;
import io.solidus.prover.RegisterPlan;
import io.solidus.prover.Suite;
import io.solidus.prover.TransferPlan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the vectors of the wallet's formats. {@link Reference} computes them. Only what the native
 * library computes, points and hashes over F, comes from it; other files of vectors test that.
 */
final class WalletVectors {
  static final NetworkId NETWORK = new NetworkId("solidus-vectors");
  static final String PAYER = "abandon ".repeat(23) + "art";
  static final String PAYEE =
      "legal winner thank year wave sausage worth useful ".repeat(2)
          + "legal winner thank year wave sausage worth title";

  private static final List<String> SMALL_ORDER =
      List.of(
          "00".repeat(32),
          "01" + "00".repeat(31),
          "ec" + "ff".repeat(30) + "7f",
          "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
          "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157");

  private static final Suite SUITE = new Suite(NETWORK);
  static final int PERIOD = 202611;

  private final VectorFile file =
      new VectorFile(
          "wallet",
          "the formats of a wallet (docs/spec/08-formats.md): secrets of a phrase, statements,"
              + " blocks, parcels, addresses, payment requests, notes; out may be a text; error is"
              + " a code of the platform, or dropped for a parcel that a wallet passes over");

  /** The long-lived keys of a phrase. */
  private record Keys(String phrase, byte[] prk, byte[] nk, byte[] a, byte[] secret) {
    static Keys of(String phrase) {
      byte[] prk = Reference.prk(phrase, NETWORK);
      return new Keys(
          phrase,
          prk,
          Reference.element(prk, "nullifier-key"),
          Reference.keyScalar(prk, "spend-key"),
          Reference.derive(prk, "encryption-key", 32));
    }

    FieldElement nullifierKey() {
      return FieldElement.of(nk);
    }

    KeyPoint publicKey() {
      return SUITE.publicKey(KeyScalar.of(a));
    }

    Apk apk() {
      return SUITE.apk(nullifierKey(), publicKey());
    }

    FieldElement serialKey() {
      return SUITE.serialKey(nullifierKey(), publicKey());
    }

    SerialNumber serial(byte[] rho) {
      return SUITE.serial(serialKey(), FieldElement.of(rho));
    }

    byte[] encryptionKey() {
      return Reference.publicKey(secret);
    }
  }

  private final Keys payer = Keys.of(PAYER);
  private final Keys payee = Keys.of(PAYEE);

  private static final class Once {
    static final VectorFile FILE = new WalletVectors().make();
  }

  /** Every vector of the file, computed once. */
  static VectorFile file() {
    return Once.FILE;
  }

  private VectorFile make() {
    phrases();
    keys("payer", payer);
    keys("payee", payee);
    secrets();
    addresses();
    new RequestVectors(
            file,
            payee.apk().bytes(),
            payee.encryptionKey(),
            payer.apk().bytes(),
            payer.encryptionKey())
        .make();
    payoutBlocks();
    SignedTransfer payment = transfer("payment with a payout", payment(), payoutBlock());
    transfer("claim of two coins", claim(), uniform("no payout", 512));
    transfer("line of a list", lineOfAList(), uniform("no payout of a line", 512));
    claimOfMany("seven coins and a payment", 7, 2_500);
    claimOfMany("sixteen coins", 16, 0);
    memoBlock("longest", longest(), element("serial number"));
    registerAndMint();
    parcels();
    parcelTexts();
    witnesses();
    new NoteVectors(file, payer.apk()).make();
    new SignatureVectors(file, payment).make();
    new BodyVectors(file, payment).make();
    return file;
  }

  private void phrases() {
    phrase("plain", PAYER);
    phrase(
        "capitals and other white space",
        "\n " + PAYER.toUpperCase(Locale.ROOT).replace(" ", "\t\r\n\u000b\f") + " ");
    phrase("spaces of other kinds", PAYER.replace(" ", "\u3000\u00a0"));
    StringBuilder wide = new StringBuilder();
    PAYER.chars().forEach(c -> wide.append(c == ' ' ? ' ' : (char) (c + 0xfee0)));
    phrase("letters of full width", wide.toString());
    notPhrase("empty", "");
    notPhrase("23 words", PAYER.substring("abandon ".length()));
    notPhrase("25 words", "abandon " + PAYER);
    notPhrase("checksum", PAYER.replace(" art", " abandon"));
    notPhrase("order of words", PAYEE.replace("worth title", "title worth"));
    notPhrase("a word of no list", PAYER.replace(" art", " solidus"));
    notPhrase("four letters of a word", PAYEE.replace("legal", "lega"));
    notPhrase("an accent", PAYER.replace(" art", " \u00e1rt"));
    notPhrase("a separator that is no white space", PAYER.replace(" art", "\u2028art"));
  }

  private void phrase(String name, String phrase) {
    file.good("seed", name, in("phrase", phrase), hex(Reference.seed(PAYER)));
  }

  private void notPhrase(String name, String phrase) {
    file.bad("seed", name, in("phrase", phrase), "seed-phrase-invalid");
  }

  private void keys(String name, Keys keys) {
    derived("nullifierKey", name, keys, keys.nk());
    derived("spendKey", name, keys, keys.a());
    derived("encryptionSecret", name, keys, keys.secret());
    derived("encryptionKey", name, keys, keys.encryptionKey());
    derived("memoKey", name, keys, Reference.derive(keys.prk(), "memo-key", 32));
    byte[] requests = Reference.derive(keys.prk(), "request-key", 32);
    derived("requestKey", name, keys, Reference.ed25519Key(requests));
    file.good("publicKey", name, in("a", hex(keys.a())), keys.publicKey().hex());
    Map<String, Object> owner =
        in("network", NETWORK, "nk", hex(keys.nk()), "pkAuth", keys.publicKey().hex());
    file.good("apk", name, owner, keys.apk().hex());
    file.good("serialKey", name, owner, keys.serialKey().hex());
  }

  /** A value of the phrase alone, or with further inputs. */
  private void derived(String op, String name, Keys keys, byte[] out, Object... further) {
    Map<String, Object> in =
        in(
            "phrase",
            keys.phrase(),
            "network",
            NETWORK,
            "seed",
            hex(Reference.seed(keys.phrase())),
            "prk",
            hex(keys.prk()));
    in.putAll(in(further));
    file.good(op, name, in, hex(out));
  }

  private void secrets() {
    byte[] prk = payer.prk();
    byte[] mintId = Reference.derive(prk, "mint-id", 32, utf8("F-2026/17 ü"), u32(1));
    derived(
        "mintId", "second of a funding", payer, mintId, "fundingId", "F-2026/17 ü", "ordinal", 1);
    for (String value : List.of("seed", "s", "b")) {
      byte[] out = Reference.element(prk, "registration/" + value);
      derived("registrationSecret", value, payer, out, "value", value);
      out = Reference.element(prk, "mint/" + value, mintId);
      derived("mintSecret", value, payer, out, "value", value, "mintId", hex(mintId));
    }
    derived(
        "caseTag",
        "case",
        payer,
        Reference.derive(prk, "registration-case", 32, ascii("case-1"), ascii("token-2")),
        "caseId",
        "case-1",
        "accessToken",
        "token-2");
  }

  private void addresses() {
    for (String mailbox : List.of("", "post.example.org", "a".repeat(63))) {
      byte[] key = payee.encryptionKey();
      byte[] body = Reference.addressBody(NETWORK, payee.apk().bytes(), key, mailbox);
      String name = mailbox.isEmpty() ? "mailbox of the network" : mailbox;
      Map<String, Object> in = in("network", NETWORK, "apk", payee.apk().hex());
      in.putAll(in("encryptionKey", hex(key), "mailbox", mailbox));
      in.putAll(in("body", hex(body), "jumbled", hex(Reference.f4Jumble(body))));
      file.good("address", name, in, Reference.address(body));
      String capitals = Reference.address(body).toUpperCase(Locale.ROOT);
      read("capitals, " + name, capitals, "out", Reference.address(body));
    }
    byte[] body =
        Reference.addressBody(
            NETWORK, payee.apk().bytes(), payee.encryptionKey(), "post.example.org");
    String text = Reference.address(body);
    refused("a character changed", text.substring(0, 60) + other(text, 60) + text.substring(61));
    byte[] jumbled = Reference.f4Jumble(body);
    jumbled[70] ^= 4;
    refused("a character changed, with another checksum", Bech32m.encode("sld", jumbled));
    refused("prefix", Bech32m.encode("sle", Reference.f4Jumble(body)));
    refused("not jumbled", Bech32m.encode("sld", body));
    refused("mixed case", text.substring(0, 100) + text.substring(100).toUpperCase(Locale.ROOT));
    refused("apk of zero", changed(body, 17, new byte[32]));
    for (String key : SMALL_ORDER) {
      refused("encryption key " + key, changed(body, 49, HexFormat.of().parseHex(key)));
    }
    refused("encryption key beyond 2^255 - 19", changed(body, 80, new byte[] {(byte) 0xff}));
    refused("length of the mailbox", changed(body, 81, new byte[] {15}));
    refused("mailbox in capitals", changed(body, 82, ascii("POST")));
    refused("padding", changed(body, body.length - 1, new byte[] {1}));
    read("version 3", changed(body, 0, new byte[] {3}), "error", "unknown-version");
    byte[] first =
        join(
            new byte[] {1},
            Arrays.copyOf(Reference.networkDigest(NETWORK), 4),
            payee.apk().bytes(),
            payee.encryptionKey());
    read("version 1", Bech32m.encode("sld", first), "error", "unknown-version");
    byte[] elsewhere =
        Reference.addressBody(
            new NetworkId("solidus-else"), payee.apk().bytes(), payee.encryptionKey(), "");
    read("another network", Reference.address(elsewhere), "error", "wrong-network");
  }

  private void refused(String name, String text) {
    read(name, text, "error", "malformed-request");
  }

  private void read(String name, String text, String kind, String result) {
    Map<String, Object> in = in("network", NETWORK, "text", text);
    if (kind.equals("out")) {
      file.good("readAddress", name, in, result);
    } else {
      file.bad("readAddress", name, in, result);
    }
  }

  private static String changed(byte[] body, int at, byte[] value) {
    byte[] out = body.clone();
    System.arraycopy(value, 0, out, at, value.length);
    return Reference.address(out);
  }

  private static char other(String text, int at) {
    return text.charAt(at) == 'q' ? 'p' : 'q';
  }

  // transfers

  /** Pays the payee out of one minted coin, with a dummy in the second place. */
  private Reference.Memo payment() {
    return new Reference.Memo(
        0,
        1_795_000_000_000L,
        2_500,
        payee.apk().bytes(),
        payee.encryptionKey(),
        "",
        1_500,
        2,
        List.of(new Reference.Claimed(1, 10_000, element("minted coin"))),
        "Miete März",
        new byte[0]);
  }

  /** Claims two coins and pays nothing. */
  private Reference.Memo claim() {
    return new Reference.Memo(
        7,
        1_795_000_000_001L,
        0,
        payer.apk().bytes(),
        payer.encryptionKey(),
        "",
        0,
        0,
        List.of(
            new Reference.Claimed(0, 300, element("received coin")),
            new Reference.Claimed(2, 40, element("own coin"))),
        "",
        new byte[0]);
  }

  /** Every length is the largest. */
  private Reference.Memo longest() {
    return new Reference.Memo(
        65_535,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        payee.apk().bytes(),
        payee.encryptionKey(),
        "a".repeat(63),
        Long.MAX_VALUE,
        Integer.MAX_VALUE,
        claim().claimed(),
        "ß".repeat(70),
        new byte[0]);
  }

  /** Pays the third line of a list, as a wallet without a proof for several payees does. */
  private Reference.Memo lineOfAList() {
    return new Reference.Memo(
        0,
        1_795_000_000_003L,
        2_500,
        payee.apk().bytes(),
        payee.encryptionKey(),
        "",
        0,
        0,
        List.of(new Reference.Claimed(0, 10_000, element("coin of a list"))),
        "Lohn",
        join(new byte[] {1}, uniform("tag of a list", 32), new byte[] {0, 3}));
  }

  private static final String PAYOUT =
      "{\"creditorName\":\"Ada"
          + " Lovelace\",\"iban\":\"DE02120300000000202051\",\"reference\":\"März\"}";

  private static byte[] issuer() {
    return uniform("issuer", 32);
  }

  private static byte[] payoutBlock() {
    return Reference.payoutBlock(
        uniform("payout", 32), Reference.publicKey(issuer()), NETWORK, PAYOUT);
  }

  private void payoutBlocks() {
    Map<String, Object> in = in("network", NETWORK, "issuerSecret", hex(issuer()));
    in.putAll(in("creditorName", "Ada Lovelace", "iban", "DE02120300000000202051"));
    in.putAll(in("reference", "März", "block", hex(payoutBlock())));
    file.good("payoutBlock", "withdrawal", in, PAYOUT);
  }

  /** The compliance coin that both transfers spend. */
  private ComplianceCoin compliance() {
    return new ComplianceCoin(
        payer.apk(),
        FieldElement.of(element("compliance coin")),
        new Period(PERIOD - 1),
        new Amount(5_000),
        3,
        new Amount(20_000),
        FieldElement.of(element("history")));
  }

  private SignedTransfer transfer(String name, Reference.Memo memo, byte[] payoutBlock) {
    ComplianceCoin cc = compliance();
    byte[] lead = payer.serial(cc.rho().bytes()).bytes();
    serial(name + ", compliance coin", cc.rho().bytes());
    byte[] memoBlock = memoBlock(name, memo, lead);
    byte[] context =
        Reference.sha256(
            ascii("solidus/context/v1"), Reference.networkDigest(NETWORK), payoutBlock, memoBlock);
    byte[][] parts = {lead, u32(memo.counter()), u32(PERIOD), context};
    byte[] seed = transferSecret(name, "seed", parts);
    List<FieldElement> s = new ArrayList<>();
    List<Scalar> b = new ArrayList<>();
    List<byte[]> dummies = new ArrayList<>();
    for (int j = 0; j < 2; j++) {
      byte[][] ofOutput = Arrays.copyOf(parts, 5);
      ofOutput[4] = u32(j);
      s.add(FieldElement.of(transferSecret(name, "s", ofOutput)));
      b.add(Scalar.of(transferSecret(name, "b", ofOutput)));
      dummies.add(transferSecret(name, "dummy", ofOutput));
    }
    byte[] r = transferSecret(name, "history", parts);

    List<PlanInput> inputs = new ArrayList<>();
    for (int j = 0; j < 2; j++) {
      if (j < memo.claimed().size()) {
        Reference.Claimed c = memo.claimed().get(j);
        inputs.add(
            PlanInput.coin(new Amount(c.value()), Origin.of(c.origin()), FieldElement.of(c.rho())));
      } else {
        inputs.add(PlanInput.dummy(FieldElement.of(dummies.get(j))));
      }
      serial(name + ", input " + j, inputs.get(j).rho().bytes());
    }
    List<SerialNumber> serials =
        List.of(
            SerialNumber.of(lead),
            payer.serial(inputs.get(0).rho().bytes()),
            payer.serial(inputs.get(1).rho().bytes()));
    InputDigest d =
        InputDigest.transfer(
            NETWORK, Family.TRANSFER, serials, new Amount(memo.withdrawn()), Digest32.of(context));
    PreparedTransfer prepared =
        SUITE.prepareTransfer(
            new TransferPlan(
                payer.nullifierKey(),
                payer.publicKey(),
                cc,
                inputs,
                false,
                Apk.of(memo.apk()),
                new Amount(memo.paid()),
                new Amount(memo.withdrawn()),
                new Period(PERIOD),
                d,
                FieldElement.of(seed),
                s,
                b,
                FieldElement.of(r)));
    outputs(name, memo, inputs, d, seed, s, b, r, prepared);

    Map<String, Object> whole = memoInputs(memo);
    whole.putAll(in("phrase", PAYER, "network", NETWORK, "period", PERIOD));
    whole.putAll(in("payoutBlock", hex(payoutBlock)));
    complianceInputs(cc).forEach((key, value) -> whole.put("cc" + capital(key), value));
    String statement = statement(serials, prepared.outputs(), memo, context);
    file.good("transferStatement", name, whole, statement);
    Outputs blinded = new Outputs(d, new Period(PERIOD), prepared.outputs());
    return new SignedTransfer(
        statement,
        core(serials, prepared.outputs(), memo, context),
        d.bytes(),
        PERIOD,
        prepared.outputs(),
        List.of(SUITE.blindBase(blinded, 0).bytes(), SUITE.blindBase(blinded, 1).bytes()),
        List.of(prepared.recipientMessage(), prepared.nextMessage()),
        b,
        payoutBlock,
        memoBlock,
        coinOf(prepared, memo, s.getFirst()));
  }

  /**
   * A claim of 16, whose statement depends on all secrets, the details of the entry and the memo.
   */
  private void claimOfMany(String name, int coins, long paid) {
    ComplianceCoin cc = compliance();
    byte[] lead = payer.serial(cc.rho().bytes()).bytes();
    List<Reference.Claimed> claimed =
        IntStream.range(0, coins)
            .mapToObj(i -> new Reference.Claimed(i % 3, 1_000 + i, element("coin " + i)))
            .toList();
    Keys to = paid > 0 ? payee : payer;
    Reference.Memo memo =
        new Reference.Memo(
            3,
            1_795_000_000_002L,
            paid,
            to.apk().bytes(),
            to.encryptionKey(),
            "",
            0,
            1,
            claimed,
            paid > 0 ? "Lohn" : "",
            new byte[0]);
    byte[] payoutBlock = uniform("no payout of " + name, 512);
    byte[] memoKey = Reference.derive(payer.prk(), "memo-key", 32);
    byte[] context =
        Reference.sha256(
            ascii("solidus/context/v1"),
            Reference.networkDigest(NETWORK),
            payoutBlock,
            Reference.memoBlock(memoKey, lead, memo.bytes()));
    byte[][] parts = {lead, u32(memo.counter()), u32(PERIOD), context};
    List<PlanInput> inputs = new ArrayList<>();
    List<SerialNumber> serials = new ArrayList<>(List.of(SerialNumber.of(lead)));
    for (int j = 0; j < 16; j++) {
      inputs.add(
          j < coins
              ? PlanInput.coin(
                  new Amount(claimed.get(j).value()),
                  Origin.of(claimed.get(j).origin()),
                  FieldElement.of(claimed.get(j).rho()))
              : PlanInput.dummy(FieldElement.of(claimSecret("dummy", parts, j))));
      serials.add(payer.serial(inputs.get(j).rho().bytes()));
    }
    InputDigest d =
        InputDigest.transfer(NETWORK, Family.CLAIM_16, serials, Amount.ZERO, Digest32.of(context));
    PreparedTransfer prepared =
        SUITE.prepareTransfer(
            new TransferPlan(
                payer.nullifierKey(),
                payer.publicKey(),
                cc,
                inputs,
                false,
                to.apk(),
                new Amount(paid),
                Amount.ZERO,
                new Period(PERIOD),
                d,
                FieldElement.of(Reference.element(payer.prk(), "transfer/seed", parts)),
                List.of(
                    FieldElement.of(claimSecret("s", parts, 0)),
                    FieldElement.of(claimSecret("s", parts, 1))),
                List.of(
                    Scalar.of(claimSecret("b", parts, 0)), Scalar.of(claimSecret("b", parts, 1))),
                FieldElement.of(Reference.element(payer.prk(), "transfer/history", parts))));
    Map<String, Object> in = memoInputs(memo);
    in.putAll(in("phrase", PAYER, "network", NETWORK, "period", PERIOD));
    in.putAll(in("payoutBlock", hex(payoutBlock)));
    complianceInputs(cc).forEach((key, value) -> in.put("cc" + capital(key), value));
    String ordinary = statement(serials, prepared.outputs(), memo, context);
    file.good("claimStatement", name, in, ordinary.replace("\"family\":3,", "\"family\":7,"));
  }

  private byte[] claimSecret(String value, byte[][] parts, int j) {
    byte[][] ofPlace = Arrays.copyOf(parts, 5);
    ofPlace[4] = u32(j);
    return Reference.element(payer.prk(), "transfer/" + value, ofPlace);
  }

  private static byte[] core(
      List<SerialNumber> serials, List<BlindedCoin> coins, Reference.Memo memo, byte[] context) {
    byte[] body = {(byte) serials.size()};
    for (SerialNumber serial : serials) {
      body = join(body, serial.bytes());
    }
    body = join(body, new byte[] {(byte) coins.size()});
    for (BlindedCoin coin : coins) {
      body = join(body, coin.cm().bytes(), coin.k().bytes());
    }
    return Reference.core(NETWORK, 3, body, u32(PERIOD), u64(memo.withdrawn()), context);
  }

  private static Map<String, @Nullable Object> coinOf(
      PreparedTransfer prepared, Reference.Memo memo, FieldElement s) {
    return Json.object(
        "origin",
        prepared.recipientCoin().origin().code(),
        "valueMinor",
        memo.paid(),
        "apk",
        base64Url(memo.apk()),
        "rho",
        base64Url(prepared.recipientCoin().rho().bytes()),
        "s",
        base64Url(s.bytes()));
  }

  private byte[] memoBlock(String name, Reference.Memo memo, byte[] sn) {
    byte[] memoKey = Reference.derive(payer.prk(), "memo-key", 32);
    byte[] block = Reference.memoBlock(memoKey, sn, memo.bytes());
    Map<String, Object> in = memoInputs(memo);
    in.putAll(in("phrase", PAYER, "network", NETWORK, "sn", hex(sn)));
    in.putAll(in("nonce", hex(Reference.memoNonce(sn)), "memo", hex(memo.bytes())));
    file.good("memoBlock", name, in, hex(block));
    return block;
  }

  /** The hashes and points of both outputs. */
  private void outputs(
      String name,
      Reference.Memo memo,
      List<PlanInput> inputs,
      InputDigest d,
      byte[] seed,
      List<FieldElement> s,
      List<Scalar> b,
      byte[] r,
      PreparedTransfer prepared) {
    file.good(
        "rhos",
        name,
        in("network", NETWORK, "seed", hex(seed), "d", hex(d.bytes())),
        prepared.recipientCoin().rho().hex() + prepared.next().rho().hex());
    Map<String, Object> paid = in("network", NETWORK, "apk", hex(memo.apk()));
    paid.putAll(in("origin", prepared.recipientCoin().origin().code(), "value", memo.paid()));
    paid.put("rho", prepared.recipientCoin().rho().hex());
    file.good("coinMessage", name, paid, prepared.recipientMessage().hex());
    Map<String, Object> next = complianceInputs(prepared.next());
    next.putAll(in("network", NETWORK, "apk", payer.apk().hex()));
    file.good("complianceMessage", name, next, prepared.nextMessage().hex());
    Map<String, Object> entry = in("network", NETWORK, "com", compliance().com().hex());
    entry.putAll(in("paid", memo.paid(), "withdrawn", memo.withdrawn(), "period", PERIOD));
    entry.putAll(in("recipient", hex(memo.apk()), "r", hex(r)));
    for (int j = 0; j < 2; j++) {
      entry.put("value" + j, Long.toString(inputs.get(j).value().minor()));
      entry.put("origin" + j, Integer.toString(inputs.get(j).origin().code()));
    }
    file.good("history", name, entry, prepared.next().com().hex());

    List<BlindedCoin> coins = prepared.outputs();
    Map<String, Object> blind = in("network", NETWORK, "d", hex(d.bytes()), "period", PERIOD);
    blind.put("messages", List.of(prepared.recipientMessage().hex(), prepared.nextMessage().hex()));
    blind.put("s", List.of(s.get(0).hex(), s.get(1).hex()));
    blind.put("b", List.of(hex(b.get(0).bytes()), hex(b.get(1).bytes())));
    Map<String, Object> base = in("network", NETWORK, "d", hex(d.bytes()), "period", PERIOD);
    base.put("cm", List.of(coins.get(0).cm().hex(), coins.get(1).cm().hex()));
    base.put("k", List.of(coins.get(0).k().hex(), coins.get(1).k().hex()));
    Outputs outputs = new Outputs(d, new Period(PERIOD), coins);
    for (int j = 0; j < 2; j++) {
      file.good("cm", name + ", output " + j, with(blind, "j", j), coins.get(j).cm().hex());
      file.good("k", name + ", output " + j, with(blind, "j", j), coins.get(j).k().hex());
      String h = SUITE.blindBase(outputs, j).hex();
      file.good("h", name + ", output " + j, with(base, "j", j), h);
    }
  }

  private void serial(String name, byte[] rho) {
    Map<String, Object> in = in("network", NETWORK, "serialKey", payer.serialKey().hex());
    in.put("rho", hex(rho));
    file.good("serial", name, in, payer.serial(rho).hex());
  }

  private byte[] transferSecret(String name, String value, byte[]... parts) {
    byte[] out = Reference.element(payer.prk(), "transfer/" + value, parts);
    List<Object> further = new ArrayList<>(List.of("value", value, "sn", hex(parts[0])));
    further.addAll(List.of("counter", number(parts[1]), "period", number(parts[2])));
    further.addAll(List.of("context", hex(parts[3])));
    String place = "";
    if (parts.length == 5) {
      place = " " + number(parts[4]);
      further.addAll(List.of("j", number(parts[4])));
    }
    derived("transferSecret", name + ", " + value + place, payer, out, further.toArray());
    return out;
  }

  private static int number(byte[] u32) {
    return ByteBuffer.wrap(u32).getInt();
  }

  private static Map<String, Object> memoInputs(Reference.Memo memo) {
    Map<String, Object> in = in("counter", memo.counter(), "atMillis", memo.atMillis());
    in.putAll(in("paid", memo.paid(), "withdrawn", memo.withdrawn()));
    in.putAll(in("apk", hex(memo.apk()), "encryptionKey", hex(memo.key())));
    in.putAll(in("mailbox", memo.mailbox(), "unfinished", memo.unfinished()));
    in.put("reference", memo.text());
    if (memo.lines().length > 0) {
      in.put("lines", hex(memo.lines()));
    }
    in.put("origins", memo.claimed().stream().map(c -> Integer.toString(c.origin())).toList());
    in.put("values", memo.claimed().stream().map(c -> Long.toString(c.value())).toList());
    in.put("rhos", memo.claimed().stream().map(c -> hex(c.rho())).toList());
    return in;
  }

  private static Map<String, Object> complianceInputs(ComplianceCoin cc) {
    Map<String, Object> in = in("rho", cc.rho().hex(), "period", cc.period().yyyymm());
    in.putAll(in("sent", cc.sent().minor(), "count", cc.count(), "held", cc.held().minor()));
    in.put("com", cc.com().hex());
    return in;
  }

  private static String statement(
      List<SerialNumber> serials, List<BlindedCoin> coins, Reference.Memo memo, byte[] context) {
    return "{\"family\":3,\"serials\":[\""
        + String.join("\",\"", serials.stream().map(sn -> base64Url(sn.bytes())).toList())
        + "\"],\"outputs\":["
        + String.join(",", coins.stream().map(WalletVectors::coin).toList())
        + "],\"period\":"
        + PERIOD
        + ",\"withdrawnMinor\":"
        + memo.withdrawn()
        + ",\"context\":\""
        + base64Url(context)
        + "\"}";
  }

  private static String coin(BlindedCoin coin) {
    return "{\"cm\":\""
        + base64Url(coin.cm().bytes())
        + "\",\"k\":\""
        + base64Url(coin.k().bytes())
        + "\"}";
  }

  private void registerAndMint() {
    byte[] prk = payer.prk();
    BlindedCoin first =
        SUITE
            .prepareRegister(
                new RegisterPlan(
                    payer.nullifierKey(),
                    payer.publicKey(),
                    InputDigest.register(NETWORK, payer.apk()),
                    FieldElement.of(Reference.element(prk, "registration/seed")),
                    FieldElement.of(Reference.element(prk, "registration/s")),
                    Scalar.of(Reference.element(prk, "registration/b"))))
            .coin();
    String apk = base64Url(payer.apk().bytes());
    file.good(
        "registerStatement",
        "payer",
        in("phrase", PAYER, "network", NETWORK),
        "{\"apk\":\"" + apk + "\",\"coin\":" + coin(first) + "}");
    byte[] alpha = Reference.keyScalar(prk, "vectors/alpha");
    byte[] registration =
        join(
            new byte[] {2, 1},
            Reference.core(NETWORK, 1, payer.apk().bytes(), first.cm().bytes(), first.k().bytes()),
            payer.nullifierKey().bytes(),
            payer.publicKey().bytes(),
            InputDigest.register(NETWORK, payer.apk()).bytes(),
            Reference.element(prk, "registration/seed"),
            Reference.element(prk, "registration/s"),
            Reference.element(prk, "registration/b"),
            alpha);
    file.good(
        "registerWitness",
        "payer",
        in("phrase", PAYER, "network", NETWORK, "alpha", hex(alpha)),
        hex(registration));
    MintId id = MintId.of(Reference.derive(prk, "mint-id", 32, ascii("F-1"), u32(0)));
    BlindedCoin minted =
        SUITE
            .prepareMint(
                new MintPlan(
                    payer.apk(),
                    new Amount(10_000),
                    InputDigest.mint(NETWORK, id, new Amount(10_000)),
                    FieldElement.of(Reference.element(prk, "mint/seed", id.bytes())),
                    FieldElement.of(Reference.element(prk, "mint/s", id.bytes())),
                    Scalar.of(Reference.element(prk, "mint/b", id.bytes()))))
            .blinded();
    file.good(
        "mintStatement",
        "payer",
        in("phrase", PAYER, "network", NETWORK, "fundingId", "F-1", "ordinal", 0, "value", 10_000),
        "{\"mintId\":\""
            + base64Url(id.bytes())
            + "\",\"valueMinor\":10000,\"coin\":"
            + coin(minted)
            + "}");
    byte[] mint =
        join(
            new byte[] {2, 2},
            Reference.core(
                NETWORK, 2, id.bytes(), u64(10_000), minted.cm().bytes(), minted.k().bytes()),
            payer.apk().bytes(),
            u64(10_000),
            InputDigest.mint(NETWORK, id, new Amount(10_000)).bytes(),
            Reference.element(prk, "mint/seed", id.bytes()),
            Reference.element(prk, "mint/s", id.bytes()),
            Reference.element(prk, "mint/b", id.bytes()));
    file.good(
        "mintWitness",
        "payer",
        in("phrase", PAYER, "network", NETWORK, "fundingId", "F-1", "ordinal", 0, "value", 10_000),
        hex(mint));
    byte[] approval =
        join(
            ascii("solidus/mint-approval/v1\n"),
            Reference.networkDigest(NETWORK),
            id.bytes(),
            u64(10_000),
            minted.cm().bytes(),
            minted.k().bytes());
    Map<String, Object> in = in("network", NETWORK, "mintId", id.hex(), "value", 10_000);
    in.putAll(in("cm", minted.cm().hex(), "k", minted.k().hex()));
    file.good("approvalMessage", "payer", in, hex(approval));
  }

  // parcels

  /** The points are on the curve, but no signature of a committee. */
  private void parcels() {
    byte[] signature = join(point(1), point(2));
    byte[] rho = element("delivered coin");
    byte[] time = u64(1_795_000_000_002L);
    byte[] payment =
        Reference.parcel(
            1, new byte[] {0}, u64(2_500), rho, signature, time, Reference.sized("Miete März"));
    parcel("payment", payment);
    parcel("minted", Reference.parcel(2, u64(10_000), rho, signature, time));
    parcel("registered", Reference.parcel(3, signature));
    byte[] opened = join(Reference.sized("case-1"), Reference.sized("token-2"));
    parcel("registering", Reference.parcel(4, opened, Reference.sha256(ascii("tag"))));

    byte[] blob = blob(NETWORK, payment);
    dropped("tag", flipped(blob, 0));
    dropped("encapsulated key", flipped(blob, 2));
    dropped("ciphertext", flipped(blob, 600));
    dropped("one byte less", Arrays.copyOf(blob, 1199));
    dropped("another network", blob(new NetworkId("solidus-else"), payment));
    dropped("version", blob(NETWORK, with(payment, 0, 1)));
    dropped("kind", blob(NETWORK, with(payment, 1, 5)));
    dropped("origin", blob(NETWORK, with(payment, 2, 3)));
    dropped("value of 2^63", blob(NETWORK, with(payment, 3, 0x80)));
    dropped("rho beyond the field", blob(NETWORK, with(payment, 11, 0xff)));
  }

  /** What a payee shows of texts that are not UTF-8, invisible or long. */
  private void parcelTexts() {
    shown("not UTF-8", join(utf8("a"), new byte[] {(byte) 0xff}, utf8("b")), "a\ufffdb");
    shown("cut character", join(utf8("a"), new byte[] {(byte) 0xe2, (byte) 0x82}), "a\ufffd");
    String invisible = "a\n\u0000\u0085\u001b[1mb\u200e\u00ad\ufeff\u202ec";
    shown("control and format characters", utf8(invisible), "a[1mbc");
    String clefs = "\ud834\udd1e".repeat(10);
    String tooLong = "\u200b".repeat(5) + clefs + "x".repeat(200);
    shown("more than 140 characters", utf8(tooLong), clefs + "x".repeat(130));
    shown("a mark and spaces", utf8(" e\u0301\u00a0 "), " e\u0301\u00a0 ");
  }

  private void shown(String name, byte[] text, String out) {
    byte[] length = {(byte) text.length};
    byte[] signature = join(point(1), point(2));
    byte[] rho = element("delivered coin");
    byte[] parcel =
        Reference.parcel(1, new byte[] {0}, u64(1), rho, signature, u64(-1), length, text);
    file.good("parcelText", name, parcelInputs(blob(NETWORK, parcel)), out);
  }

  private void witnesses() {
    byte[] prover = uniform("prover", 32);
    byte[] witness = join(new byte[] {2, 3}, uniform("core", 32), uniform("witness", 100));
    Reference.SealedWitness sealed =
        Reference.SealedWitness.of(
            uniform("sealed witness", 32), Reference.publicKey(prover), NETWORK, 3, witness);
    Map<String, Object> in = in("network", NETWORK, "family", 3, "proverSecret", hex(prover));
    in.putAll(in("encapsulatedKey", hex(sealed.encapsulatedKey())));
    in.putAll(in("sealedWitness", hex(sealed.sealed()), "proofKey", hex(sealed.proofKey())));
    file.good("sealedWitness", "transfer", in, hex(witness));
    notOpened("another family", with(in, "family", 1));
    notOpened("another network", with(in, "network", "solidus-else"));
    notOpened("changed", with(in, "sealedWitness", hex(flipped(sealed.sealed(), 7))));
    byte[] nonce = uniform("proof nonce", 12);
    byte[] proof = uniform("proof", 704);
    Map<String, Object> answered = new TreeMap<>(in);
    answered.putAll(in("nonce", hex(nonce), "proof", hex(proof)));
    file.good("sealedProof", "transfer", answered, hex(sealed.answer(nonce, proof)));
  }

  private void notOpened(String name, Map<String, Object> in) {
    in.remove("proofKey");
    file.bad("sealedWitness", name, in, "malformed-request");
  }

  private void parcel(String name, byte[] parcel) {
    file.good("parcel", name, parcelInputs(blob(NETWORK, parcel)), hex(parcel));
  }

  private void dropped(String name, byte[] blob) {
    file.bad("parcel", name, parcelInputs(blob), "dropped");
  }

  private Map<String, Object> parcelInputs(byte[] blob) {
    return in("network", NETWORK, "encryptionSecret", hex(payee.secret()), "blob", hex(blob));
  }

  private byte[] blob(NetworkId network, byte[] parcel) {
    return Reference.blob(uniform("parcel", 32), payee.encryptionKey(), network, parcel);
  }

  /** The base of an output is a point that every party can compute. */
  private static byte[] point(int seed) {
    BlindedCoin coin = new BlindedCoin(FieldElement.ofLong(seed), generator());
    return SUITE
        .blindBase(
            new Outputs(new InputDigest(FieldElement.ofLong(seed)), Period.NONE, List.of(coin)), 0)
        .bytes();
  }

  /** g1; the base does not depend on it. */
  private static G1Point generator() {
    return G1Point.fromHex(
        "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb"
            + "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1");
  }

  // fixed values

  static byte[] uniform(String name, int length) {
    byte[] out = new byte[0];
    for (int i = 0; out.length < length; i++) {
      out = join(out, Reference.sha256(ascii("solidus/vectors/" + name), u32(i)));
    }
    return Arrays.copyOf(out, length);
  }

  static byte[] element(String name) {
    return Reference.modulo(uniform(name, 64), Reference.R);
  }

  /** The bytes of a point of Jubjub. */
  static byte[] keyPoint(String name) {
    return SUITE.publicKey(KeyScalar.of(Reference.modulo(uniform(name, 64), Reference.L))).bytes();
  }

  private static byte[] flipped(byte[] bytes, int at) {
    return with(bytes, at, bytes[at] ^ 1);
  }

  private static byte[] with(byte[] bytes, int at, int value) {
    byte[] out = bytes.clone();
    out[at] = (byte) value;
    return out;
  }

  private static Map<String, Object> with(Map<String, Object> in, String name, Object value) {
    Map<String, Object> out = new TreeMap<>(in);
    out.putAll(in(name, value));
    return out;
  }

  private static String capital(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }
}
