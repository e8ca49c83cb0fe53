package io.solidus.prover;

import io.solidus.protocol.Apk;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TxCore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The stateless operations of one network: hashes of coins, blind threshold signatures, key
 * signatures. Methods that verify a value return false for any fault of it, also of its encoding.
 * They throw only when another argument is unusable.
 */
public final class Suite {
  private final NetworkId network;
  private final NetworkKind kind;

  /** Makes the suite of a regulated network. */
  public Suite(NetworkId network) {
    this(network, NetworkKind.REGULATED);
  }

  /** Makes the suite of a network. The kind decides the domain of coin messages. */
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

  /** pk_auth = g^a, on Jubjub. */
  public KeyPoint publicKey(KeyScalar a) {
    return NativeRequest.of(Operation.PUBLIC_KEY).keyScalar(a).send().keyPoint();
  }

  /** Computes the address key of a nullifier key and a spend key. */
  public Apk apk(FieldElement nk, KeyPoint pkAuth) {
    return new Apk(request(Operation.APK).field(nk).keyPoint(pkAuth).send().field());
  }

  /**
   * Computes the key from which the serial numbers of an owner's coins are made. It depends on both
   * keys, as the address does, and is as secret as nk.
   */
  public FieldElement serialKey(FieldElement nk, KeyPoint pkAuth) {
    return request(Operation.SERIAL_KEY).field(nk).keyPoint(pkAuth).send().field();
  }

  /**
   * Computes a coin's serial number.
   *
   * @param serialKey of the coin's owner, see {@link #serialKey}
   */
  public SerialNumber serial(FieldElement serialKey, FieldElement rho) {
    return new SerialNumber(request(Operation.SERIAL).field(serialKey).field(rho).send().field());
  }

  /** Derives the randomness of a statement's two outputs. */
  public List<FieldElement> rhos(FieldElement seed, InputDigest d) {
    return rhos(seed, d, 2);
  }

  /** Derives the randomness of a statement's outputs, in their order. */
  public List<FieldElement> rhos(FieldElement seed, InputDigest d, int outputs) {
    NativeReply reply = request(Operation.RHOS).field(seed).field(d.value()).u8(outputs).send();
    return NativeReply.repeat(outputs, reply::field);
  }

  /** Computes the message hash of a coin, in the domain of this network's kind. */
  public FieldElement coinMessage(Coin coin) {
    return request(Operation.COIN_MESSAGE)
        .kind(kind)
        .origin(coin.origin())
        .u64(coin.value().minor())
        .field(coin.owner().value())
        .field(coin.rho())
        .send()
        .field();
  }

  /**
   * Computes c_m, which commits a statement's output to its message.
   *
   * @param s the output's secret
   */
  public FieldElement commitment(FieldElement s, FieldElement message) {
    return request(Operation.COMMITMENT).field(s).field(message).send().field();
  }

  public FieldElement complianceMessage(ComplianceCoin cc) {
    return request(Operation.COMPLIANCE_MESSAGE)
        .field(cc.owner().value())
        .complianceState(cc)
        .send()
        .field();
  }

  /** Computes the history {@code com} after one more transfer. */
  public FieldElement history(FieldElement com, HistoryEntry entry) {
    return entry.write(request(Operation.HISTORY).field(com)).send().field();
  }

  /**
   * Blinds the outputs of a statement, all together because the base of each depends on every c_m.
   *
   * @param period of a transfer; {@link Period#NONE} in a registration and a mint
   */
  public Outputs blind(InputDigest d, Period period, List<OutputToBlind> outputs) {
    NativeRequest request =
        request(Operation.BLIND).field(d.value()).u32(period.yyyymm()).u8(outputs.size());
    outputs.forEach(output -> request.field(output.message()).blinding(output.s(), output.b()));
    return new Outputs(d, period, NativeReply.repeat(outputs.size(), request.send()::blindedCoin));
  }

  /** Computes h, the base of one output. */
  public G1Point blindBase(Outputs outputs, int index) {
    return request(Operation.BLIND_BASE).output(outputs, index).send().g1();
  }

  /**
   * Returns whether a partial signature is by this authority on one output. Callers check before
   * they combine.
   */
  public boolean checkPartial(CommitteeMember member, Outputs outputs, int index, G1Point point) {
    return request(Operation.CHECK_PARTIAL)
        .member(member)
        .output(outputs, index)
        .point(outputs.coins().get(index).k())
        .point(point)
        .send()
        .flag();
  }

  /**
   * Returns whether a partial signature is complete: of an epoch that the committee knows, with the
   * authority's vote for the core and a valid point on every output.
   */
  public boolean checkPartial(
      Committee committee, TxCore core, Outputs outputs, PartialSignature partial, Instant now) {
    return partial.votesFor(core, committee, now) && checkPoints(committee, outputs, partial);
  }

  /**
   * Returns whether an authority of the committee, in the epoch of the partial signature, has a
   * valid point on every output, whatever its vote.
   */
  public boolean checkPoints(Committee committee, Outputs outputs, PartialSignature partial) {
    List<G1Point> points = partial.points();
    Optional<Committee> signers = committee.at(partial.shareEpoch());
    if (signers.isEmpty()
        || partial.authority() > committee.n()
        || points.size() != outputs.coins().size()) {
      return false;
    }
    CommitteeMember member = signers.get().member(partial.authority());
    for (int i = 0; i < points.size(); i++) {
      if (!checkPartial(member, outputs, i, points.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Combines checked partial signatures.
   *
   * @param partials of exactly 2f+1 authorities in one epoch, by their index
   */
  public G1Point combine(Committee committee, Map<Integer, G1Point> partials) {
    NativeRequest request =
        NativeRequest.of(Operation.COMBINE).u32(committee.f()).u32(partials.size());
    partials.forEach((index, point) -> request.u32(index).point(point));
    return request.send().g1();
  }

  /** Returns whether a combined, still blinded signature verifies under the committee key. */
  public boolean verifyBlinded(Committee committee, Outputs outputs, int index, G1Point combined) {
    return request(Operation.VERIFY_BLINDED)
        .point(committee.x())
        .point(committee.y())
        .output(outputs, index)
        .point(outputs.coins().get(index).k())
        .point(combined)
        .send()
        .flag();
  }

  /** Removes the blinding. The caller verifies the result before it uses it. */
  public Signature unblind(
      Committee committee, Outputs outputs, int index, G1Point combined, Scalar b) {
    return request(Operation.UNBLIND)
        .point(committee.y1())
        .output(outputs, index)
        .point(combined)
        .scalar(b)
        .send()
        .signature();
  }

  /**
   * Randomises a signature.
   *
   * @param t not zero
   */
  public Signature randomise(Signature signature, Scalar t) {
    return NativeRequest.of(Operation.RANDOMISE).signature(signature).scalar(t).send().signature();
  }

  public boolean verify(Committee committee, FieldElement message, Signature signature) {
    return request(Operation.VERIFY)
        .point(committee.x())
        .point(committee.y())
        .field(message)
        .signature(signature)
        .send()
        .flag();
  }

  /**
   * Randomises and blinds a signature for presentation, so that it cannot be linked.
   *
   * @param t fresh and not zero
   * @param o fresh; a prover needs it again
   */
  public ShownSignature show(
      Committee committee, Signature signature, FieldElement message, Scalar t, Scalar o) {
    return request(Operation.SHOW)
        .point(committee.y1())
        .signature(signature)
        .field(message)
        .scalar(t)
        .scalar(o)
        .send()
        .shown();
  }

  public boolean verifyShown(Committee committee, ShownSignature shown) {
    return NativeRequest.of(Operation.VERIFY_SHOWN)
        .point(committee.x())
        .point(committee.y())
        .shown(shown)
        .send()
        .flag();
  }

  /** rk = pk_auth * g^alpha, on Jubjub. */
  public KeyPoint randomisedKey(KeyPoint pkAuth, KeyScalar alpha) {
    return NativeRequest.of(Operation.RANDOMISED_KEY)
        .keyPoint(pkAuth)
        .keyScalar(alpha)
        .send()
        .keyPoint();
  }

  /** Signs a core under the randomised key of a spend key: 96 bytes. */
  public byte[] signCore(KeyScalar a, KeyScalar alpha, TxCore core) {
    return NativeRequest.of(Operation.SIGN_CORE)
        .keyScalar(a)
        .keyScalar(alpha)
        .bytes(core.value().bytes())
        .send()
        .rest();
  }

  public boolean verifyCore(KeyPoint rk, TxCore core, byte[] signature) {
    return NativeRequest.of(Operation.VERIFY_CORE)
        .keyPoint(rk)
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
    NativeRequest.of(Operation.CHECK_COMMITTEE).committee(committee).send();
  }

  /**
   * Makes the outputs of a regulated transfer.
   *
   * @throws NativeException INSUFFICIENT_FUNDS and other codes of a plan
   */
  public PreparedTransfer prepareTransfer(TransferPlan plan) {
    NativeRequest request =
        plan.family().isShape()
            ? request(Operation.PREPARE_SHAPE).u8(plan.family().code())
            : request(Operation.PREPARE_TRANSFER);
    NativeReply reply = plan.write(request).send();
    int outputs = plan.family().outputs();
    List<Coin> coins = new ArrayList<>(List.of(reply.coin()));
    ComplianceCoin next = reply.complianceCoin();
    coins.addAll(NativeReply.repeat(plan.payments().size() - 1, reply::coin));
    return new PreparedTransfer(
        coins,
        next,
        NativeReply.repeat(outputs, reply::field),
        NativeReply.repeat(outputs, reply::blindedCoin),
        plan.family().isShape() ? entry(reply, plan) : entry(plan));
  }

  private static PreparedTransfer.Entry entry(NativeReply reply, TransferPlan plan) {
    return new PreparedTransfer.Entry(reply.amount(), reply.amount(), origins(plan), reply.field());
  }

  private static PreparedTransfer.Entry entry(TransferPlan plan) {
    return new PreparedTransfer.Entry(
        plan.inputs().getFirst().value(),
        plan.inputs().getLast().value(),
        origins(plan),
        plan.recipient().value());
  }

  /** The origins of two coins; more than two have no place in an entry (T-34). */
  private static List<Origin> origins(TransferPlan plan) {
    return plan.inputs().size() > 2
        ? List.of()
        : plan.inputs().stream().map(PlanInput::origin).toList();
  }

  /** Makes the first compliance coin. */
  public PreparedRegister prepareRegister(RegisterPlan plan) {
    NativeReply reply = plan.write(request(Operation.PREPARE_REGISTER)).send();
    return new PreparedRegister(reply.complianceCoin(), reply.field(), reply.blindedCoin());
  }

  /** Makes the coin of a mint. */
  public PreparedMint prepareMint(MintPlan plan) {
    NativeReply reply = plan.write(request(Operation.PREPARE_MINT).kind(kind)).send();
    return new PreparedMint(reply.coin(), reply.field(), reply.blindedCoin());
  }

  /**
   * Makes the outputs of a recover.
   *
   * @throws NativeException INSUFFICIENT_FUNDS and other codes of a plan
   */
  public PreparedRecover prepareRecover(RecoverPlan plan) {
    NativeReply reply = plan.write(request(Operation.PREPARE_RECOVER)).send();
    return new PreparedRecover(
        reply.coin(),
        reply.complianceCoin(),
        reply.amount(),
        reply.amount(),
        reply.field(),
        reply.field(),
        List.of(reply.blindedCoin(), reply.blindedCoin()));
  }

  /**
   * Makes the outputs of an unregulated transfer.
   *
   * @throws NativeException INSUFFICIENT_FUNDS when the amounts do not balance, and other codes of
   *     a plan
   */
  public PreparedUnregulated prepareUnregulated(UnregulatedPlan plan) {
    NativeReply reply = plan.write(request(Operation.PREPARE_UNREGULATED)).send();
    return new PreparedUnregulated(
        reply.coin(),
        reply.coin(),
        reply.field(),
        reply.field(),
        List.of(reply.blindedCoin(), reply.blindedCoin()));
  }

  private NativeRequest request(Operation operation) {
    return NativeRequest.of(operation, network);
  }
}
