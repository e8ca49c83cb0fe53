package io.solidus.wallet.receipt;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.Suite;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.trust.SignedManifest;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.TransferStatementJson;
import io.solidus.wire.json.WireJson;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A payer's evidence of one payment, for anybody: the transfer's statement, the votes of 2f+1
 * authorities or more for it, and the opening of the payee's coin. It shows amount and payee of
 * this one payment, and what its statement shows: period, withdrawal, serial numbers.
 *
 * @param coin the payee's coin
 * @param secret the secret of c_m of the payee's output
 */
@Spec("F-23")
public record PaymentReceipt(
    NetworkId network,
    TransferStatement statement,
    List<PartialSignature> votes,
    Coin coin,
    FieldElement secret) {
  private static final String FORMAT = "solidus/receipt/v1";
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  public PaymentReceipt {
    votes = List.copyOf(votes);
  }

  /** The transfer that the votes are for. */
  public TxCore core() {
    return statement.core(network);
  }

  /**
   * Verifies the receipt: the votes of 2f+1 authorities, in any epochs that the committee knows,
   * and that c_m of an output opens to the coin. The circuit makes each output but the second a
   * payee's coin.
   *
   * @throws WalletException {@code receipt-invalid}
   */
  public void verify(Committee committee, Suite suite, Instant now) {
    if (!network.equals(committee.network()) || !network.equals(suite.network())) {
      throw invalid("it is of network " + network, null);
    }
    if (!statement.family().isTransferOf(suite.kind())) {
      throw invalid("the network has no transfers of this family", null);
    }
    if (committee.votesFor(core(), votes, committee.quorum(), now).size() < committee.quorum()) {
      throw invalid(
          "fewer than " + committee.quorum() + " authorities voted for the transfer", null);
    }
    FieldElement opened = suite.commitment(secret, suite.coinMessage(coin));
    if (IntStream.range(0, statement.outputs().size())
        .filter(j -> j != Family.NEXT_OUTPUT)
        .noneMatch(j -> statement.outputs().get(j).cm().equals(opened))) {
      throw invalid("the transfer paid another amount or another payee", null);
    }
  }

  /**
   * Verifies the receipt with the network's public keys, without a wallet and without a service.
   *
   * @param folder of the network's keys; no proving key is needed
   * @param manifestKey the key that signed their manifest, from the network and not from the payer
   * @throws WalletException {@code receipt-invalid}; {@code manifest-untrusted} when the keys
   *     cannot be used
   */
  public void verify(Path folder, byte[] manifestKey, Set<KeyClass> accepted) {
    NetworkKind kind = SignedManifest.read(folder, manifestKey).kind();
    try (KeySet keys = opened(folder, kind, accepted, manifestKey)) {
      verify(keys.committee(), new Suite(keys.network(), kind), Instant.now());
    }
  }

  private KeySet opened(Path folder, NetworkKind kind, Set<KeyClass> accepted, byte[] manifestKey) {
    try {
      return KeySet.open(folder, network, kind, accepted, manifestKey);
    } catch (NativeException e) {
      if (e.code() == NativeErrorCode.KEYS_NETWORK) {
        throw invalid("it is of network " + network + ", the keys are of another", e);
      }
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the keys in " + folder + " cannot be used: " + e.getMessage(),
          e);
    }
  }

  /** What the payee got. */
  public Amount paid() {
    return coin.value();
  }

  /** Whether the coin is of the owner of this address. */
  public boolean isTo(Address address) {
    return address.apk().equals(coin.owner());
  }

  /** The text of the receipt, in JSON. */
  public String toJson() {
    return JSON.writeValueAsString(
        new ReceiptJson(
            FORMAT,
            network.value(),
            TransferStatementJson.of(statement),
            votes.stream().map(PartialSignatureJson::of).toList(),
            new CoinJson(
                coin.origin().code(),
                coin.value().minor(),
                Base64Url.encode(coin.owner().bytes()),
                Base64Url.encode(coin.rho().bytes()),
                Base64Url.encode(secret.bytes()))));
  }

  /**
   * Reads a receipt. It is not verified.
   *
   * @throws WalletException {@code receipt-invalid}
   */
  public static PaymentReceipt parse(String json) {
    try {
      ReceiptJson receipt = WireJson.read(json, ReceiptJson.class);
      if (!FORMAT.equals(receipt.format)) {
        throw ProtocolException.malformed("the format is not " + FORMAT);
      }
      CoinJson coin = Fields.required(receipt.coin, "coin");
      return new PaymentReceipt(
          new NetworkId(Fields.required(receipt.networkId, "networkId")),
          Fields.required(receipt.statement, "statement").toDomain(),
          Fields.all(receipt.votes, "votes", PartialSignatureJson::toDomain),
          new Coin(
              Origin.of(Fields.required(coin.origin, "origin")),
              new Amount(Fields.required(coin.valueMinor, "valueMinor")),
              new Apk(field(coin.apk, "apk")),
              field(coin.rho, "rho")),
          field(coin.s, "s"));
    } catch (ProtocolException e) {
      if (e.code() == RejectionCode.MALFORMED_REQUEST) {
        throw invalid(e.detail(), e);
      }
      throw invalid("it contains a value that the protocol refuses: " + e.code().code(), e);
    }
  }

  private static FieldElement field(@Nullable String text, String name) {
    return new FieldElement(Base64Url.decode(text, name));
  }

  private static WalletException invalid(String detail, @Nullable Throwable cause) {
    return new WalletException(
        WalletError.RECEIPT_INVALID, "the receipt is not valid: " + detail, cause);
  }

  private record ReceiptJson(
      @Nullable String format,
      @Nullable String networkId,
      @Nullable TransferStatementJson statement,
      @Nullable List<PartialSignatureJson> votes,
      @Nullable CoinJson coin) {}

  /**
   * The opening of the payee's coin.
   *
   * @param apk of the payee
   * @param s the secret of c_m
   */
  private record CoinJson(
      @Nullable Integer origin,
      @Nullable Long valueMinor,
      @Nullable String apk,
      @Nullable String rho,
      @Nullable String s) {}
}
