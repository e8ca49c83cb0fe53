package io.solidus.loadtest.forge;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.MintId;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.prover.MintPlan;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.PreparedMint;
import io.solidus.prover.PreparedRegister;
import io.solidus.prover.RegisterPlan;
import io.solidus.prover.Share;
import io.solidus.prover.Suite;
import io.solidus.wallet.keys.OutputSecrets;
import io.solidus.wallet.keys.RandomScalars;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.SpentInput;
import io.solidus.wallet.proving.ProofCheck;
import io.solidus.wallet.proving.ProofSource;
import io.solidus.wallet.transfer.EvidenceMaker;
import io.solidus.wallet.transfer.TransferDraft;
import io.solidus.wallet.transfer.TransferFactory;
import io.solidus.wallet.trust.Rules;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** A wallet with a compliance coin and one coin, which pays once. */
final class PayingWallet implements AutoCloseable {
  /** A random value fits with a probability of about one half. */
  private static final int MAX_DRAWS = 256;

  private static final RandomScalars RANDOM = new RandomScalars(new SecureRandom());

  private final Bank bank;
  private final NetworkId network;
  private final WalletKeys keys;
  private final TransferFactory transfers;

  /**
   * What all wallets share.
   *
   * @param shares of a quorum; they sign in place of registration and mint
   */
  record Bank(
      Committee committee,
      int circuitVersion,
      Suite suite,
      List<Share> shares,
      Rules rules,
      ProofSource proofs,
      ProofCheck check) {

    Signature sign(BlindedCoin coin, InputDigest d, Scalar b) {
      Map<Integer, G1Point> partials = new LinkedHashMap<>();
      shares.forEach(share -> partials.put(share.index(), share.sign(suite, coin, d)));
      return suite.unblind(committee, coin, d, suite.combine(committee, partials), b);
    }
  }

  PayingWallet(Bank bank, String seed, long index, String role) {
    this.bank = bank;
    this.network = bank.committee().network();
    String name = "solidus/proved/v1/" + role + "/" + index + "/" + seed;
    try (SeedPhrase phrase =
        SeedPhrase.ofEntropy(Digest32.sha256(name.getBytes(StandardCharsets.UTF_8)).bytes())) {
      this.keys = WalletKeys.derive(phrase, network);
    }
    this.transfers = new TransferFactory(network, bank.suite(), keys);
  }

  private Address address() {
    return new Address(transfers.apk(), keys.encryptionKey().publicKey());
  }

  /**
   * Claims a coin of the largest amount that the policy allows for a payment, and pays all of it.
   */
  TransferRequest pay(PayingWallet payee) {
    Amount value = smaller(bank.rules().policy().maxPerTransfer(), bank.rules().policy().maxHeld());
    Account account = account();
    Funds funds = funds(value);
    Memo memo =
        new Memo(
            0,
            0,
            value,
            payee.address(),
            Amount.ZERO,
            List.of(new SpentInput(value, funds.prepared().coin().rho())),
            0,
            "load test");
    EvidenceMaker evidence =
        new EvidenceMaker(
            bank.committee(),
            bank.circuitVersion(),
            bank.suite(),
            bank.check(),
            keys,
            bank.proofs(),
            RANDOM);
    try (TransferDraft draft =
        transfers.draft(
            account.prepared().cc(),
            memo,
            bank.rules().policy().period(),
            new byte[Attachments.PAYOUT_BYTES])) {
      return evidence.request(
          draft, account.signature(), List.of(funds.signature()), bank.rules(), List.of());
    }
  }

  private static Amount smaller(Amount a, Amount b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private record Account(PreparedRegister prepared, Signature signature) {}

  private Account account() {
    InputDigest d = InputDigest.register(network, transfers.apk());
    return draw(counter -> {
      try (OutputSecrets secrets = keys.registration(counter)) {
        PreparedRegister prepared =
            bank.suite()
                .prepareRegister(
                    new RegisterPlan(
                        keys.nullifierKey(),
                        transfers.publicKey(),
                        d,
                        secrets.seed(),
                        secrets.s(),
                        secrets.b()));
        return new Account(prepared, bank.sign(prepared.coin(), d, secrets.b()));
      }
    });
  }

  private record Funds(PreparedMint prepared, Signature signature) {}

  private Funds funds(Amount value) {
    MintId id = keys.mintId("load test", 0);
    InputDigest d = InputDigest.mint(network, id, value);
    return draw(counter -> {
      try (OutputSecrets secrets = keys.mint(id, counter)) {
        PreparedMint prepared =
            bank.suite()
                .prepareMint(
                    new MintPlan(
                        transfers.apk(), value, d, secrets.seed(), secrets.s(), secrets.b()));
        return new Funds(prepared, bank.sign(prepared.blinded(), d, secrets.b()));
      }
    });
  }

  private static <T> T draw(IntFunction<T> attempt) {
    for (int counter = 0; counter < MAX_DRAWS; counter++) {
      try {
        return attempt.apply(counter);
      } catch (NativeException e) {
        if (e.code() != NativeErrorCode.RETRY_SEED) {
          throw e;
        }
      }
    }
    throw new ForgeException("no random value fits the circuit's bound");
  }

  @Override
  public void close() {
    keys.close();
  }
}
