package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TxCore;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The stateless operations of one network: hashes of coins, blind threshold signatures, key
 * signatures. Methods that check something return false for whatever is wrong with the value under
 * test, its encoding included, and throw only when the question itself has no meaning.
 */
public final class Suite {
  private final NetworkId network;
  private final NetworkKind kind;

  /** For a regulated network. */
  public Suite(NetworkId network) {
    this(network, NetworkKind.REGULATED);
  }

  /** The kind decides the domain of coin messages. */
  public Suite(NetworkId network, NetworkKind kind) {
    this.network = Objects.requireNonNull(network);
    this.kind = Objects.requireNonNull(kind);
  }

  public NetworkId network() {
    return network;
  }

  public NetworkKind kind() {
    return kind;
  }

  /** pk_auth = g1^a. */
  public G1Point publicKey(Scalar a) {
    return Call.of(Operation.PUBLIC_KEY).scalar(a).send().g1();
  }

  /** The address key of a nullifier key and a spend key. */
  public Apk apk(FieldElement nk, G1Point pkAuth) {
    return new Apk(call(Operation.APK).field(nk).point(pkAuth).send().field());
  }

  /**
   * What the serial numbers of an owner's coins are made with. It depends on both keys, like the
   * address, and is as secret as nk.
   */
  public FieldElement serialKey(FieldElement nk, G1Point pkAuth) {
    return call(Operation.SERIAL_KEY).field(nk).point(pkAuth).send().field();
  }

  /**
   * @param serialKey of the coin's owner, see {@link #serialKey}
   */
  public SerialNumber serial(FieldElement serialKey, FieldElement rho) {
    return new SerialNumber(call(Operation.SERIAL).field(serialKey).field(rho).send().field());
  }

  /** The randomness of a statement's outputs. */
  public List<FieldElement> rhos(FieldElement seed, InputDigest d) {
    Reply reply = call(Operation.RHOS).field(seed).field(d.value()).send();
    return List.of(reply.field(), reply.field());
  }

  /** The message hash of a coin, in the domain of this network's kind. */
  public FieldElement coinMessage(Coin coin) {
    return call(Operation.COIN_MESSAGE)
        .u8(Codes.kind(kind))
        .u64(coin.value().minor())
        .field(coin.owner().value())
        .field(coin.rho())
        .send()
        .field();
  }

  public FieldElement complianceMessage(ComplianceCoin cc) {
    return Codes.compliance(call(Operation.COMPLIANCE_MESSAGE).field(cc.owner().value()), cc)
        .send()
        .field();
  }

  /** The history after one transfer; a coin that was not spent counts as zero. */
  public FieldElement history(
      FieldElement com,
      Amount paid,
      Amount in1,
      Amount in2,
      Amount withdrawn,
      Period period,
      Apk recipient,
      FieldElement r) {
    return call(Operation.HISTORY)
        .field(com)
        .u64(paid.minor())
        .u64(in1.minor())
        .u64(in2.minor())
        .u64(withdrawn.minor())
        .u32(period.yyyymm())
        .field(recipient.value())
        .field(r)
        .send()
        .field();
  }

  /**
   * Blinds a message.
   *
   * @throws NativeException RETRY_SEED when the message has no short exponent: derive another one
   */
  public BlindedCoin blind(FieldElement message, FieldElement s, Scalar b, InputDigest d) {
    return call(Operation.BLIND)
        .field(message)
        .field(s)
        .scalar(b)
        .field(d.value())
        .send()
        .blindedCoin();
  }

  /** h, which depends on c_m and D alone. */
  public G1Point blindBase(BlindedCoin coin, InputDigest d) {
    return call(Operation.BLIND_BASE).field(coin.cm()).field(d.value()).send().g1();
  }

  /**
   * Whether a partial signature is by this authority on this coin under this D; asked before
   * anything is combined.
   */
  public boolean checkPartial(
      CommitteeMember member, BlindedCoin coin, InputDigest d, G1Point point) {
    return call(Operation.CHECK_PARTIAL)
        .member(member)
        .coin(coin)
        .field(d.value())
        .point(point)
        .send()
        .flag();
  }

  /**
   * Combines partial signatures that were checked.
   *
   * @param partials of exactly 2f+1 authorities, by their index
   */
  public G1Point combine(Committee committee, Map<Integer, G1Point> partials) {
    Call call = Call.of(Operation.COMBINE).u32(committee.f()).u32(partials.size());
    partials.forEach((index, point) -> call.u32(index).point(point));
    return call.send().g1();
  }

  /** Whether a combined signature that is still blinded verifies under the committee key. */
  public boolean verifyBlinded(
      Committee committee, BlindedCoin coin, InputDigest d, G1Point combined) {
    return call(Operation.VERIFY_BLINDED)
        .point(committee.x())
        .point(committee.y())
        .coin(coin)
        .field(d.value())
        .point(combined)
        .send()
        .flag();
  }

  /** Removes the blinding; the caller verifies the result before relying on it. */
  public Signature unblind(
      Committee committee, BlindedCoin coin, InputDigest d, G1Point combined, Scalar b) {
    return call(Operation.UNBLIND)
        .point(committee.y1())
        .field(coin.cm())
        .field(d.value())
        .point(combined)
        .scalar(b)
        .send()
        .signature();
  }

  /**
   * @param t not zero
   */
  public Signature randomise(Signature signature, Scalar t) {
    return Call.of(Operation.RANDOMISE).signature(signature).scalar(t).send().signature();
  }

  public boolean verify(Committee committee, FieldElement message, Signature signature) {
    return call(Operation.VERIFY)
        .point(committee.x())
        .point(committee.y())
        .field(message)
        .signature(signature)
        .send()
        .flag();
  }

  /**
   * Presents a signature so that nobody recognises it.
   *
   * @param t fresh and not zero
   * @param o fresh; a prover needs it again
   */
  public ShownSignature show(
      Committee committee, Signature signature, FieldElement message, Scalar t, Scalar o) {
    return call(Operation.SHOW)
        .point(committee.y1())
        .signature(signature)
        .field(message)
        .scalar(t)
        .scalar(o)
        .send()
        .shown();
  }

  public boolean verifyShown(Committee committee, ShownSignature shown) {
    return Call.of(Operation.VERIFY_SHOWN)
        .point(committee.x())
        .point(committee.y())
        .shown(shown)
        .send()
        .flag();
  }

  /** rk = pk_auth * g1^alpha. */
  public G1Point randomisedKey(G1Point pkAuth, Scalar alpha) {
    return Call.of(Operation.RANDOMISED_KEY).point(pkAuth).scalar(alpha).send().g1();
  }

  /** Signs a core under the randomised key of a spend key. */
  public byte[] signCore(Scalar a, Scalar alpha, TxCore core) {
    return Call.of(Operation.SIGN_CORE)
        .scalar(a)
        .scalar(alpha)
        .bytes(core.value().bytes())
        .send()
        .rest();
  }

  public boolean verifyCore(G1Point rk, TxCore core, byte[] signature) {
    return Call.of(Operation.VERIFY_CORE)
        .point(rk)
        .bytes(core.value().bytes())
        .sized(signature)
        .send()
        .flag();
  }

  /**
   * Checks that a committee's public keys belong together, for every quorum.
   *
   * @throws NativeException COMMITTEE_INVALID or a code of a point
   */
  public void checkCommittee(Committee committee) {
    if (!committee.network().equals(network)) {
      throw new NativeException(
          NativeErrorCode.COMMITTEE_INVALID, "the committee is of another network");
    }
    Call.of(Operation.CHECK_COMMITTEE).committee(committee).send();
  }

  /**
   * @throws NativeException RETRY_SEED, INSUFFICIENT_FUNDS and the like
   */
  public PreparedTransfer prepareTransfer(TransferPlan plan) {
    Reply reply = plan.write(call(Operation.PREPARE_TRANSFER)).send();
    return new PreparedTransfer(
        reply.coin(),
        reply.complianceCoin(),
        reply.field(),
        reply.field(),
        List.of(reply.blindedCoin(), reply.blindedCoin()));
  }

  /**
   * @throws NativeException RETRY_SEED
   */
  public PreparedRegister prepareRegister(RegisterPlan plan) {
    Reply reply = plan.write(call(Operation.PREPARE_REGISTER)).send();
    return new PreparedRegister(reply.complianceCoin(), reply.field(), reply.blindedCoin());
  }

  /**
   * @throws NativeException RETRY_SEED
   */
  public PreparedMint prepareMint(MintPlan plan) {
    Reply reply = plan.write(call(Operation.PREPARE_MINT).u8(Codes.kind(kind))).send();
    return new PreparedMint(reply.coin(), reply.field(), reply.blindedCoin());
  }

  /**
   * @throws NativeException RETRY_SEED or WITNESS_INVALID when the amounts do not balance
   */
  public PreparedUnregulated prepareUnregulated(UnregulatedPlan plan) {
    Reply reply = plan.write(call(Operation.PREPARE_UNREGULATED)).send();
    return new PreparedUnregulated(
        reply.coin(),
        reply.coin(),
        reply.field(),
        reply.field(),
        List.of(reply.blindedCoin(), reply.blindedCoin()));
  }

  private Call call(Operation operation) {
    return Call.of(operation, network);
  }
}
