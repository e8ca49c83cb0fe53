package io.solidus.wallet.flow;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Suite;
import io.solidus.wallet.proving.ProofCheck;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Four authorities, called as an honest gateway does. */
final class FakeCommittee {
  private static final int QUORUM = 3;

  private final List<FakeAuthority> authorities;
  private final TestNetwork network;
  private final Suite suite = new Suite(TestCommittee.NETWORK);

  FakeCommittee(TestNetwork network, FakeRules rules, Supplier<ProofCheck> check) {
    this.network = network;
    authorities =
        network.shares.stream()
            .map(share -> new FakeAuthority(network, share, rules, check))
            .toList();
  }

  /** The answer of an honest gateway. */
  record Certificate(TxCore core, List<PartialSignature> partials, List<G1Point> combined) {}

  FakeAuthority authority(int index) {
    return authorities.get(index - 1);
  }

  Stream<FakeAuthority> authorities() {
    return authorities.stream();
  }

  Certificate submit(TransferRequest request) {
    return collect(
        request.statement().core(TestCommittee.NETWORK),
        request.statement().outputs(),
        authority -> authority.submit(request));
  }

  Certificate submit(RecoverRequest request) {
    return collect(
        request.resolve(TestCommittee.NETWORK).core(),
        request.statement().outputs(),
        authority -> authority.submit(request));
  }

  /** The signature on the outputs of a statement that is not a transfer. */
  Certificate sign(TxCore core, Outputs outputs) {
    return collect(core, outputs.coins(), authority -> authority.sign(core, outputs));
  }

  /** A request that an authority stored. */
  Optional<TransferRequest> stored(SerialNumber lead) {
    return authorities.stream()
        .filter(FakeAuthority::isUp)
        .flatMap(authority -> authority.stored(lead).stream())
        .findFirst();
  }

  /** The stored request of each authority that is up. */
  Map<Integer, Optional<TransferRequest>> lookUp(SerialNumber lead) {
    Map<Integer, Optional<TransferRequest>> answers = new LinkedHashMap<>();
    authorities.stream()
        .filter(FakeAuthority::isUp)
        .forEach(authority -> answers.put(authority.index(), authority.stored(lead)));
    return answers;
  }

  /**
   * Does not verify the partial signatures, so that wallets have to deal with a lying authority.
   */
  private Certificate collect(
      TxCore core, List<BlindedCoin> outputs, Function<FakeAuthority, PartialSignature> question) {
    List<PartialSignature> partials = new ArrayList<>();
    List<ProtocolException> refusals = new ArrayList<>();
    for (FakeAuthority authority : authorities) {
      if (authority.isUp()) {
        try {
          partials.add(question.apply(authority));
        } catch (ProtocolException e) {
          refusals.add(e);
        }
      }
    }
    if (partials.size() < QUORUM) {
      throw majority(refusals);
    }
    return new Certificate(core, partials, combine(outputs, partials));
  }

  private List<G1Point> combine(List<BlindedCoin> outputs, List<PartialSignature> partials) {
    List<G1Point> combined = new ArrayList<>();
    for (int j = 0; j < outputs.size(); j++) {
      Map<Integer, G1Point> points = new LinkedHashMap<>();
      for (PartialSignature partial : partials.subList(0, QUORUM)) {
        points.put(partial.authority(), partial.points().get(j));
      }
      combined.add(suite.combine(network.keys.committee(), points));
    }
    return combined;
  }

  private static ProtocolException majority(List<ProtocolException> refusals) {
    Map<RejectionCode, Long> votes =
        refusals.stream()
            .collect(Collectors.groupingBy(ProtocolException::code, Collectors.counting()));
    return votes.entrySet().stream()
        .filter(vote -> vote.getValue() >= 2)
        .findFirst()
        .map(vote ->
            new ProtocolException(vote.getKey(), "refused by " + vote.getValue() + " authorities"))
        .orElseGet(
            () -> new ProtocolException(RejectionCode.NO_QUORUM, "too few authorities answered"));
  }
}
