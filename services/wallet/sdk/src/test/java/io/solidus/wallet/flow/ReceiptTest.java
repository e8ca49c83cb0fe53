package io.solidus.wallet.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Origin;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.prover.KeyClass;
import io.solidus.prover.Suite;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.receipt.PaymentReceipt;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Spec("F-23")
class ReceiptTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir private Path folder;
  private WalletBench bench;
  private Wallet alice;
  private Wallet bob;
  private TxCore core;

  @BeforeEach
  void pay() {
    bench = new WalletBench(folder);
    alice = bench.funded("alice", 5_000);
    bob = bench.registered("bob");
    core = alice.pay(bob.address(), WalletBench.amount(100), "rent").core();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void verify(PaymentReceipt receipt) {
    receipt.verify(bench.platform.committee(), bench.platform.suite(), Instant.now());
  }

  private void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            WalletException.class,
            refusal -> assertThat(refusal.error()).isEqualTo(WalletError.RECEIPT_INVALID));
  }

  @Test
  void provesAmountAndPayeeToAnybody() {
    PaymentReceipt receipt = PaymentReceipt.parse(alice.receipt(core).toJson());
    verify(receipt);
    assertThat(receipt.core()).isEqualTo(core);
    assertThat(receipt.coin().value()).isEqualTo(WalletBench.amount(100));
    assertThat(receipt.coin().owner()).isEqualTo(bob.address().apk());
    assertThat(receipt.coin().origin()).isEqualTo(Origin.PAYMENT);
    assertThat(receipt.votes()).hasSize(4);
    assertThat(receipt.paid()).isEqualTo(WalletBench.amount(100));
    assertThat(receipt.isTo(bob.address())).isTrue();
    assertThat(receipt.isTo(alice.address())).isFalse();
  }

  /** Whoever checks has the folder of keys and the key that signed it, and nothing of a wallet. */
  @Test
  void isVerifiedWithAFolderOfKeys() {
    Path keys = Path.of(bench.profile().keysDir());
    byte[] manifestKey = bench.profile().manifestKey();
    Set<KeyClass> accepted = Set.of(KeyClass.DEVELOPMENT);
    PaymentReceipt receipt = alice.receipt(core);
    receipt.verify(keys, manifestKey, accepted);

    Coin paid = receipt.coin();
    Coin dearer = new Coin(paid.origin(), new Amount(101), paid.owner(), paid.rho());
    assertRefused(
        () -> told(receipt, dearer, receipt.secret()).verify(keys, manifestKey, accepted));
    PaymentReceipt elsewhere =
        new PaymentReceipt(
            new NetworkId("elsewhere"),
            receipt.statement(),
            receipt.votes(),
            paid,
            receipt.secret());
    assertRefused(() -> elsewhere.verify(keys, manifestKey, accepted));
    byte[] otherKey = manifestKey.clone();
    otherKey[0] ^= 1;
    assertUntrusted(() -> receipt.verify(keys, otherKey, accepted));
    assertUntrusted(() -> receipt.verify(keys, manifestKey, Set.of(KeyClass.CEREMONY)));
  }

  private static void assertUntrusted(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            WalletException.class,
            refusal -> assertThat(refusal.error()).isEqualTo(WalletError.MANIFEST_UNTRUSTED));
  }

  @Test
  void provesAWithdrawal() {
    TxCore withdrawn = alice.withdraw(WalletBench.amount(40), WalletBench.ACCOUNT).core();
    PaymentReceipt receipt = alice.receipt(withdrawn);
    verify(receipt);
    assertThat(receipt.coin().origin()).isEqualTo(Origin.OWN);
    assertThat(receipt.coin().value()).isEqualTo(Amount.ZERO);
    assertThat(receipt.statement().withdrawn()).isEqualTo(WalletBench.amount(40));
  }

  /** Attack: the payer of 100 to Bob claims to have paid another amount, or another payee. */
  @Test
  void noOtherStoryFitsTheTransfer() {
    PaymentReceipt receipt = alice.receipt(core);
    Coin paid = receipt.coin();
    for (Coin other :
        List.of(
            new Coin(paid.origin(), new Amount(1_000_000_000), paid.owner(), paid.rho()),
            new Coin(paid.origin(), paid.value(), alice.address().apk(), paid.rho()),
            new Coin(Origin.MINT, paid.value(), paid.owner(), paid.rho()),
            new Coin(paid.origin(), paid.value(), paid.owner(), FieldElement.ofLong(7)))) {
      assertRefused(() -> verify(told(receipt, other, receipt.secret())));
    }
    assertRefused(() -> verify(told(receipt, paid, FieldElement.ofLong(7))));
  }

  private static PaymentReceipt told(PaymentReceipt of, Coin coin, FieldElement secret) {
    return new PaymentReceipt(of.network(), of.statement(), of.votes(), coin, secret);
  }

  /** Attack: a transfer that too few authorities voted for, or one of them several times. */
  @Test
  void takesTheVotesOfAQuorum() {
    PaymentReceipt receipt = alice.receipt(core);
    List<PartialSignature> votes = receipt.votes();
    assertRefused(() -> verify(voted(receipt, votes.subList(0, 2))));
    assertRefused(() -> verify(voted(receipt, List.of(votes.get(0), votes.get(1), votes.get(1)))));
    List<PartialSignature> fewerPoints = new ArrayList<>(votes.subList(0, 2));
    PartialSignature third = votes.get(2);
    fewerPoints.add(
        new PartialSignature(
            third.authority(), third.shareEpoch(), third.points().subList(0, 1), third.vote()));
    assertRefused(() -> verify(voted(receipt, fewerPoints)));
  }

  private static PaymentReceipt voted(PaymentReceipt of, List<PartialSignature> votes) {
    return new PaymentReceipt(of.network(), of.statement(), votes, of.coin(), of.secret());
  }

  /** Every value in the text matters. */
  @Test
  void noFieldCanBeAltered() {
    PaymentReceipt whole = alice.receipt(core);
    JsonNode receipt = JSON.readTree(voted(whole, whole.votes().subList(0, 3)).toJson());
    List<Consumer<JsonNode>> changes = new ArrayList<>();
    collect(receipt, List.of(), changes);
    assertThat(changes).hasSizeGreaterThan(25);
    for (Consumer<JsonNode> change : changes) {
      JsonNode altered = receipt.deepCopy();
      change.accept(altered);
      assertRefused(() -> verify(PaymentReceipt.parse(altered.toString())));
    }
  }

  /** One change for each value: another number, or a text with another last character but one. */
  private static void collect(JsonNode at, List<Object> path, List<Consumer<JsonNode>> changes) {
    if (at instanceof ObjectNode object) {
      object.properties().forEach(p -> collect(p.getValue(), with(path, p.getKey()), changes));
    } else if (at instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        collect(array.get(i), with(path, i), changes);
      }
    } else {
      changes.add(root -> {
        JsonNode parent = root;
        for (Object step : path.subList(0, path.size() - 1)) {
          parent = step instanceof Integer i ? parent.get(i) : parent.get((String) step);
        }
        JsonNode other = altered(at);
        switch (path.getLast()) {
          case Integer i -> ((ArrayNode) parent).set(i, other);
          case Object name -> ((ObjectNode) parent).set((String) name, other);
        }
      });
    }
  }

  private static List<Object> with(List<Object> path, Object step) {
    List<Object> longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  private static JsonNode altered(JsonNode value) {
    if (value.isNumber()) {
      return JSON.getNodeFactory().numberNode(value.asLong() + 1);
    }
    String text = value.asString();
    char[] characters = text.toCharArray();
    int at = characters.length / 2;
    characters[at] = characters[at] == 'b' ? 'c' : 'b';
    return JSON.getNodeFactory().stringNode(new String(characters));
  }

  /** Attack: the receipt is shown as one of another network that the same authorities run. */
  @Test
  void isOfOneNetwork() {
    NetworkId elsewhere = new NetworkId("elsewhere");
    Committee here = bench.platform.committee();
    Committee there =
        new Committee(
            elsewhere, here.epoch(), here.f(), here.x(), here.y(), here.y1(), here.members());
    Suite suiteThere = new Suite(elsewhere);
    PaymentReceipt receipt = alice.receipt(core);
    PaymentReceipt relabelled =
        new PaymentReceipt(
            elsewhere, receipt.statement(), receipt.votes(), receipt.coin(), receipt.secret());
    Instant now = Instant.now();
    assertThatThrownBy(() -> relabelled.verify(there, suiteThere, now))
        .as("the votes are on a core of the network")
        .hasMessageContaining("voted");
    assertThatThrownBy(() -> receipt.verify(there, suiteThere, now))
        .hasMessageContaining("it is of network");
    assertThatThrownBy(() -> receipt.verify(here, suiteThere, now))
        .hasMessageContaining("it is of network");
    assertThatThrownBy(() -> relabelled.verify(here, bench.platform.suite(), now))
        .hasMessageContaining("it is of network");
  }

  @Test
  void onlyThePayerHasOne() {
    assertThatThrownBy(() -> bob.receipt(core))
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(RejectionCode.NOT_FOUND));
  }

  @Test
  void isAvailableAfterARestart() {
    bench.closeWallet(alice);
    verify(bench.reopen("alice").receipt(core));
  }
}
