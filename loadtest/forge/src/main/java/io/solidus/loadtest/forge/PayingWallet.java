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
import io.solidus.protocol.Outputs;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.prover.MintPlan;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A wallet with a compliance coin and one coin, which pays once. */
final class PayingWallet implements AutoCloseable {
  private static final RandomScalars RANDOM = new RandomScalars(new SecureRandom());

  private final Bank bank;
  private final NetworkId network;
  private final String name;
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

    /** Signs the only output of a registration or a mint. */
    Signature sign(BlindedCoin coin, InputDigest d, Scalar b) {
      Outputs outputs = new Outputs(d, Period.NONE, List.of(coin));
      Map<Integer, G1Point> partials = new LinkedHashMap<>();
      shares.forEach(share -> partials.put(share.index(), share.sign(suite, outputs, 0)));
      return suite.unblind(committee, outputs, 0, suite.combine(committee, partials), b);
    }
  }

  PayingWallet(Bank bank, String seed, long index, String role) {
    this.bank = bank;
    this.network = bank.committee().network();
    this.name = "solidus/proved/v1/" + role + "/" + index + "/" + seed;
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
            List.of(
                new SpentInput(
                    funds.prepared().coin().origin(), value, funds.prepared().coin().rho())),
            0,
            "load test");
    EvidenceMaker evidence =
        new EvidenceMaker(
            bank.committee(),
            family -> bank.circuitVersion(),
            bank.suite(),
            bank.check(),
            keys,
            bank.proofs(),
            RANDOM);
    try (TransferDraft draft =
        transfers.draft(
            account.prepared().cc(), memo, bank.rules().policy().period(), payoutBlock())) {
      return evidence.request(
          draft, account.signature(), List.of(funds.signature()), bank.rules(), List.of());
    }
  }

  /** Looks random, and is the same for the same wallet, so that a series can be made again. */
  private byte[] payoutBlock() {
    ByteBuffer block = ByteBuffer.allocate(Attachments.PAYOUT_BYTES);
    while (block.hasRemaining()) {
      String part = name + "/payout/" + block.position();
      block.put(Digest32.sha256(part.getBytes(StandardCharsets.UTF_8)).bytes());
    }
    return block.array();
  }

  private static Amount smaller(Amount a, Amount b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private record Account(PreparedRegister prepared, Signature signature) {}

  private Account account() {
    InputDigest d = InputDigest.register(network, transfers.apk());
    try (OutputSecrets secrets = keys.registration()) {
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
  }

  private record Funds(PreparedMint prepared, Signature signature) {}

  private Funds funds(Amount value) {
    MintId id = keys.mintId("load test", 0);
    InputDigest d = InputDigest.mint(network, id, value);
    try (OutputSecrets secrets = keys.mint(id)) {
      PreparedMint prepared =
          bank.suite()
              .prepareMint(
                  new MintPlan(
                      transfers.apk(), value, d, secrets.seed(), secrets.s(), secrets.b()));
      return new Funds(prepared, bank.sign(prepared.blinded(), d, secrets.b()));
    }
  }

  @Override
  public void close() {
    keys.close();
  }
}
